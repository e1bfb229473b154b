"""Verdicts one sees: a badge wherever a table of claims has one, two bars on the front page.

The ledger's page is the one source. In each of its tables with a column "verdict", rows know their
verdict (the filter uses it), and the folded details show theirs in the title.
"""

import re
from pathlib import Path

from docutils import nodes
from sphinx.util.docutils import SphinxDirective
from sphinx_design.dropdown import dropdown_title

LEDGER, CHANGES = "book/claims", "book/changes"
# What the ledger says -> the name of the class
VERDICTS = {
    "reproduced": "holds",
    "partly": "partly",
    "not reproduced": "fails",
    "not checkable": "open",
}
ROW = re.compile(r"^\| \[\d+\]\(claim-[^)]*\) \|(?:[^|]*\|){2} *([a-z ]+?) *(?:\(|\|)")
PART = re.compile(r"^### (\w+): \d+ claims")
SAID = {"Theory": "claims of theory", "Experiments": "claims about experiments"}


def tally(text):
    """How many claims of each part of the ledger have which verdict."""
    found, part = {}, ""
    for line in text.splitlines():
        if heading := PART.match(line):
            part = heading[1]
        elif re.match(r"\| \[\d+\]\(claim-", line):
            row = ROW.match(line)
            found.setdefault(part, []).append(row[1] if row else line)
    unknown = {each for of_part in found.values() for each in of_part} - set(VERDICTS)
    if unknown or set(found) != set(SAID):
        raise ValueError(f"Parts {sorted(found)}, verdicts that nobody knows: {sorted(unknown)}")
    return {part: {verdict: of_part.count(verdict) for verdict in VERDICTS}
            for part, of_part in found.items()}


class Verdicts(SphinxDirective):
    """`{verdicts}`: how many claims hold, in part, not, and how many nobody can check.

    Theory and experiments apart, a bar each.
    """

    def run(self):
        ledger = Path(self.env.srcdir, f"{LEDGER}.md")
        self.env.note_dependency(str(ledger))
        page = self.env.app.builder.get_relative_uri(self.env.docname, LEDGER)
        bars = "".join(self.bar(part, counts, page)
                       for part, counts in tally(ledger.read_text("utf-8")).items())
        keys = "".join(f'<span class="verdict verdict-{kind}">{verdict}</span>'
                       for verdict, kind in VERDICTS.items())
        keys = f'<p class="verdict-keys" aria-hidden="true">{keys}</p>'
        return [nodes.raw("", f'<div class="verdict-bars">{bars}{keys}</div>', format="html")]

    def bar(self, part, counts, page):
        parts = "".join(
            f'<span class="verdict verdict-{VERDICTS[verdict]}" style="flex-grow:{count}">'
            f'<b>{count}</b><span class="verdict-word"> {verdict}</span></span>'
            for verdict, count in counts.items()
        )
        return (
            f'<p class="verdict-line">Of the paper’s {sum(counts.values())} {SAID[part]}:</p>'
            f'<a class="verdict-bar" href="{page}">{parts}</a>'
        )


def badge(verdict):
    return nodes.inline("", verdict, classes=["verdict", f"verdict-{VERDICTS[verdict]}"])


WORDS = re.compile(f"({'|'.join(sorted(VERDICTS, key=len, reverse=True))})")


def badges_among(entry):
    """Verdicts that stand among other words, such as links to claims."""
    for text in list(entry.findall(nodes.Text)):
        parts = WORDS.split(str(text))
        if len(parts) > 1 and isinstance(text.parent, nodes.paragraph):
            at = text.parent.index(text)
            text.parent[at : at + 1] = [
                badge(each) if each in VERDICTS else nodes.Text(each) for each in parts if each]


def mark(app, tree, docname):
    single = app.builder.name == "singlehtml"
    if docname == CHANGES or single:
        for table in tree.findall(nodes.table):
            heads = [head.astext() for head in next(table.findall(nodes.thead))[0]]
            for row in next(table.findall(nodes.tbody)):
                for name, entry in zip(heads, row, strict=True):
                    if name in ("verdict", "verdict then", "verdict before", "now"):
                        badges_among(entry)
    if docname == LEDGER or single:
        mark_tables(tree)


def mark_tables(tree):
    found = {}
    for table in tree.findall(nodes.table):
        heads = [
            entry.astext()
            for head in table.findall(nodes.thead)
            for entry in head.findall(nodes.entry)
        ]
        if "verdict" not in heads:
            continue
        column = heads.index("verdict")
        for row in next(table.findall(nodes.tbody)).findall(nodes.row):
            entry = row[column]
            verdict, _, rest = entry.astext().partition(" (")
            if verdict not in VERDICTS:
                continue
            entry.children = []
            entry += nodes.paragraph(
                "", "", badge(verdict), nodes.Text(f" ({rest}" if rest else "")
            )
            row["classes"] += ["claim", f"is-{VERDICTS[verdict]}"]
            found[row[0].astext()] = verdict
        table["classes"].append("verdicts")
    # The titles of folded details begin with the number of the claim.
    for title in tree.findall(dropdown_title):
        number = title.astext().partition(".")[0]
        if number in found:
            title.insert(0, [badge(found[number]), nodes.Text(" ")])


def setup(app):
    app.add_directive("verdicts", Verdicts)
    app.connect("doctree-resolved", mark)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
