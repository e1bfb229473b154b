"""What kind of statement one reads, and how to run the page one reads.

The role {kind}`proved` marks a statement as proved, computed (exactly), observed (in simulations),
or as what the paper says. And every page ends with how to run it.
"""

import re
from html import escape

from docutils import nodes

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
    if app.builder.name != "html" or doctree is None or pagename == app.config.root_doc:
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
    context["body"] += (
        f'<p class="run-this">{words}. <a href="{use}">How to read and run this book</a></p>'
    )


def setup(app):
    app.add_role("kind", kind_role)
    app.connect("html-page-context", run_this_page)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
