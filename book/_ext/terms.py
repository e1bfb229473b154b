"""The first use of a term in a chapter links to the glossary, by itself.

Words in headings, links, code, captions and formulas stay as they are.
"""

import re
from pathlib import Path

from docutils import nodes
from sphinx import addnodes

GLOSSARY = Path(__file__).parents[1] / "glossary.md"
CHAPTER = re.compile(r"notebooks/\d+_(\w+)")
# Looked for in running text, by what the text says where that is not the entry itself.
SAID = {
    "optimal policy, rate of": "rate of optimal policy",
    "state of an arm": None,  # "state" is on every page, in many senses
    "kind": None,
    "run": None,
    "rounds": None,
    "agent": None,
    "combination": None,  # everyday words, too: their links would lead astray
    "player": None,
    "schedule": None,
    "update": None,
}
# Chapters, by their slugs, in which a word means something else.
ELSEWHERE = {
    "recovering_bandits": ["discount"],  # of a price
    "what_tables_learn": ["aggregation", "tie"],  # of states; what ties tables together
}
NOT_IN = (
    nodes.title,
    nodes.reference,
    nodes.literal,
    nodes.caption,
    nodes.strong,
    addnodes.pending_xref,
    nodes.thead,
)


def entries(text):
    """The terms of the glossary: lines that begin at the margin, inside its directive."""
    body = text.partition("```{glossary}\n")[2].partition("\n```")[0]
    return [line for line in body.splitlines() if line and not line.startswith(" ")]


def pattern(term):
    """Finds a term, also with a plural or at the beginning of a sentence."""
    words = SAID.get(term, term)
    if words is None:
        return None
    first = f"[{words[0].upper()}{words[0].lower()}]" if words[0].islower() else words[0]
    return re.compile(rf"(?<![\w-]){first}{re.escape(words[1:])}(?:s|es)?(?![\w-])")


def running_text(tree):
    for paragraph in tree.findall(nodes.paragraph):
        for text in list(paragraph.findall(nodes.Text)):
            above = text.parent
            while above is not None and not isinstance(above, NOT_IN):
                above = above.parent
            if above is None:
                yield text


def link_terms(app, tree):
    if not (chapter := CHAPTER.fullmatch(app.env.docname)):
        return
    app.env.note_dependency(str(GLOSSARY))
    for term in entries(GLOSSARY.read_text("utf-8")):
        wanted = term not in ELSEWHERE.get(chapter[1], ()) and pattern(term)
        for text in running_text(tree) if wanted else ():
            if found := wanted.search(text):
                words, parent, at = str(text), text.parent, text.parent.index(text)
                link = addnodes.pending_xref(
                    "", nodes.inline("", found[0], classes=["std-term"]), refdomain="std",
                    reftype="term", reftarget=term, refexplicit=True, refwarn=True,
                    refdoc=app.env.docname)  # fmt: skip
                before, after = words[: found.start()], words[found.end() :]
                parent[at : at + 1] = [nodes.Text(before), link, nodes.Text(after)]
                break


def setup(app):
    app.connect("doctree-read", link_terms)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
