"""What kind of statement one reads, and how to run the page one reads.

The role {kind}`proved` marks a statement as proved, computed (exactly), observed (in simulations),
or as what the paper says. Where the text says so itself, it is marked by itself: a proposition that
is followed by its proof, *The paper states*, **Computed exactly**, an item that begins with
"Observed:". A remark beside the text is a {beside}. And every page ends with how to run it.
"""

import re
from html import escape

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

KINDS = {
    "proved": "proved",
    "computed": "computed",
    "observed": "observed",
    "the paper says": "paper",
}


def kind_role(name, rawtext, text, line, inliner, options=None, content=None):
    if text not in KINDS:
        message = inliner.reporter.error(
            f"A statement is {', '.join(KINDS)}; not {text!r}.", line=line
        )
        return [inliner.problematic(rawtext, rawtext, message)], [message]
    return [nodes.inline("", text, classes=["kind", f"kind-{KINDS[text]}"])], []


class Beside(SphinxDirective):
    """`{beside}`: a remark that stands in the margin, where there is one."""

    has_content = True

    def run(self):
        note = nodes.container(classes=["beside"])
        self.state.nested_parse(self.content, self.content_offset, note)
        return [note]


# How text says of what kind it is: words of their own, no whole sentence.
WORDS = {
    r"Prove[dn]": "proved",
    r"Computed( exactly)?": "computed",
    r"Observed|(What we|We) observe": "observed",
    r"(What the|The) paper (says|states)": "paper",
}


def kind_of(text):
    return next((kind for words, kind in WORDS.items()
                 if re.fullmatch(f"({words})[.:]?", text)), None)


def mark_kinds(app, tree):
    for node in tree.findall(is_statement):
        if proof_of(node) is not None:
            mark = nodes.inline("", "proved", classes=["kind", "kind-proved"])
            node[0] += [nodes.Text(" "), mark]
    for node in tree.findall(lambda node: isinstance(node, (nodes.emphasis, nodes.strong))):
        if kind := kind_of(node.astext()):
            node["classes"] += ["kind", f"kind-{kind}"]
    for item in tree.findall(nodes.list_item):
        first = item.next_node(nodes.Text)
        if first is None or ":" not in first:
            continue
        words, _, rest = str(first).partition(":")
        if len(words) < 30 and (kind := kind_of(words)) and first.parent.parent is item:
            marked = nodes.inline("", words, classes=["kind", f"kind-{kind}"])
            first.parent[0:1] = [marked, nodes.Text(rest)]


def is_statement(node):
    """A proposition of sphinx-proof, or the like."""
    return isinstance(node, nodes.Element) and "proof" in node.get("classes", ())


PROVED = {"theorem", "proposition", "lemma", "corollary"}


def proof_of(node):
    """The proof that follows a statement, if only paragraphs lie between; or None."""
    while PROVED & set(node.get("classes", ())) or isinstance(node, nodes.paragraph):
        node = node.next_node(descend=False, siblings=True)
        if node is None or node.__class__.__name__ == "proof_node":
            return node
        if is_statement(node):
            return None
    return None


def command(page):
    """What runs a page, or None for pages that are not notebooks."""
    if found := re.fullmatch(r"notebooks/experiments/(.+)", page):
        return f"rb run {found[1]} --sims 100"
    if found := re.fullmatch(r"notebooks/sweeps/(.+)", page):
        return f"rb sweep notebooks/sweeps/{found[1]}.yml"
    if found := re.fullmatch(r"notebooks/(\d+_\w+)", page):
        return f"rb notebook {found[1]} -o mine.ipynb"
    return None


def run_this_page(app, pagename, templatename, context, doctree):
    if app.builder.name != "html" or doctree is None:
        return
    use = app.builder.get_relative_uri(pagename, "book/use")
    address = app.config.project_address
    where = f'<a href="{escape(address)}">the project</a>' if address else "the project"
    run = command(pagename)
    words = (
        f"To run this page: <code>.venv/bin/{run}</code> in the folder of {where}"
        if run
        else f"Made from {where}"
    )
    more = f' <a href="{use}">How to read and run this book</a>' if use else ""
    context["body"] += f'<p class="run-this">{words}.{more}</p>'


def setup(app):
    app.add_role("kind", kind_role)
    app.add_directive("beside", Beside)
    app.connect("doctree-read", mark_kinds)
    app.connect("html-page-context", run_this_page)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
