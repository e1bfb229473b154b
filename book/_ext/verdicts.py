"""Verdicts one sees: a badge wherever a table of claims has one, a bar of all on the front page.

The ledger's page is the one source. In each of its tables with a column "verdict", rows know their
verdict (the filter uses it), and the folded details show theirs in the title.
"""

import re
from pathlib import Path

from docutils import nodes
from sphinx.util.docutils import SphinxDirective
from sphinx_design.dropdown import dropdown_title

LEDGER = "book/claims"
# What the ledger says -> the name of the class, what the bar says
VERDICTS = {
    "reproduced": ("holds", "hold"),
    "partly": ("partly", "in part"),
    "not reproduced": ("fails", "do not"),
    "not checkable": ("open", "not checkable"),
}
ROW = re.compile(r"^\| \[\d+\]\(claim-[^)]*\) \|(?:[^|]*\|){2} *([a-z ]+?) *(?:\(|\|)")


def tally(text):
    """How many claims of the ledger have which verdict."""
    rows = [line for line in text.splitlines() if re.match(r"\| \[\d+\]\(claim-", line)]
    found = [match[1] if (match := ROW.match(row)) else row for row in rows]
    counts = {verdict: found.count(verdict) for verdict in VERDICTS}
    if not found or sum(counts.values()) != len(found):
        raise ValueError(f"Verdicts that nobody knows: {sorted(set(found) - set(VERDICTS))}")
    return counts


class Verdicts(SphinxDirective):
    """`{verdicts}`: how many claims hold, in part, not, and how many nobody can check."""

    def run(self):
        ledger = Path(self.env.srcdir, f"{LEDGER}.md")
        self.env.note_dependency(str(ledger))
        counts = tally(ledger.read_text("utf-8"))
        said = [(count, *VERDICTS[verdict]) for verdict, count in counts.items()]
        parts = "".join(
            f'<span class="verdict verdict-{name}" style="flex-grow:{count}">'
            f"<b>{count}</b> {words}</span>"
            for count, name, words in said
        )
        page = self.env.app.builder.get_relative_uri(self.env.docname, LEDGER)
        return [
            nodes.raw(
                "",
                (
                    f'<p class="verdict-line">Of the paper’s {sum(counts.values())} claims:</p>'
                    f'<a class="verdict-bar" href="{page}">{parts}</a>'
                ),
                format="html",
            )
        ]


def badge(verdict):
    name = VERDICTS[verdict][0]
    return nodes.inline("", verdict, classes=["verdict", f"verdict-{name}"])


def mark(app, tree, docname):
    if docname != LEDGER and app.builder.name != "singlehtml":
        return
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
            row["classes"] += ["claim", f"is-{VERDICTS[verdict][0]}"]
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
