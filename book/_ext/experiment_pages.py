"""The pages of the 36 experiments: what came out first, how it was made last.

The notebook behind them goes from the problem to the results, as one works. A reader of its page
wants the answer: one sentence, the figure, then the rest, and the way to the neighbours.
"""

import json
import re
from pathlib import Path

import numpy as np
from docutils import nodes
from sphinx import addnodes
from verdicts import badge

import rb_core as rb
from rb_core.lab.notebooks import find

CLAIMS = json.loads((Path(__file__).parents[1] / "claims.json").read_text("utf-8"))
PLACE = re.compile(r"notebooks/experiments/(.+)")
LAST = "Where this comes from"
FIRST = "Results"


def answer(results):
    """One sentence: does SS-SARSA end optimally, and what does it cost?"""
    ours = results["SS-SARSA"]
    runs, regrets = (
        len(ours.regret),
        {name: np.median(each.regret) for name, each in results.items()},
    )
    least = min(regrets, key=regrets.get)
    words = (
        f"SS-SARSA ends in an optimal policy in {ours.rate:.1%} of {runs:,} runs, "
        f"with a median regret of {regrets['SS-SARSA']:,.0f}"
    )
    if least == "SS-SARSA":
        return f"{words}: the least of all agents here."
    return (
        f"{words}. {least} has the least regret, {regrets[least]:,.0f}, and ends optimally in "
        f"{results[least].rate.value:.0%} of its runs."
    )


def neighbours(name):
    """The other experiments of the same setting and shape, and the same one in the other shape."""
    here = rb.experiment(name)
    for other, each in rb.experiments().items():
        same = each.setting == here.setting
        if (
            other != name
            and same
            and (
                each.shape == here.shape
                or (each.reward, each.discounted) == (here.reward, here.discounted)
            )
        ):
            yield other, each.title


def link(page, text):
    return addnodes.pending_xref(
        "",
        nodes.inline("", text),
        refdomain="std",
        reftype="doc",
        reftarget=f"/{page}",
        refexplicit=True,
        refwarn=True,
    )


def chapters_about(experiment):
    """Where it is compared with others."""
    setting = "small" if experiment.setting == "small" else {
        "increasing": "monotone", "peaked": "peaked"}[experiment.shape]
    return [setting] if experiment.discounted else [setting, "undiscounted"]


def claims_about(experiment):
    """Those whose cases name it; without discount those about being without it."""
    return [each for each in CLAIMS if experiment.panel in each["panels"]
            and (experiment.discounted or each["chapter"] == "undiscounted")]


def title_of(path):
    first = json.loads(path.read_text("utf-8"))["cells"][0]["source"]
    return "".join(first).splitlines()[0].removeprefix("# ")


def claim(each):
    """A claim, which leads to the ledger, and its verdict."""
    words = addnodes.pending_xref(
        "",
        nodes.inline("", f"{each['number']}. {each['says']}"),
        refdomain="std",
        reftype="ref",
        reftarget=f"claim-{each['slug']}",
        refexplicit=True,
        refwarn=True,
    )
    return nodes.list_item("", nodes.paragraph("", "", words, nodes.Text(" "),
                                               badge(each["verdict"])))


def arrange(app, tree):
    found = PLACE.fullmatch(app.env.docname)
    if not found or found[1] not in rb.experiments():
        return
    top = next(tree.findall(nodes.section))
    sections = {each[0].astext(): each for each in top.children if isinstance(each, nodes.section)}
    before = [each for each in top.children if not isinstance(each, nodes.section)]
    title, prose = before[0], [each for each in before[1:] if isinstance(each, nodes.paragraph)]
    # The defaults are those of the notebook behind all pages, not of this one.
    cells = [each for each in before[1:] if each not in prose
             and "tag_parameters" not in each["classes"]]
    results, _ = rb.results(found[1])
    ways = nodes.paragraph("", "", nodes.Text("Beside it: "), classes=["neighbours"])
    for page, text in [
        *((f"notebooks/experiments/{name}", words) for name, words in neighbours(found[1])),
        ("book/experiments", "all experiments"),
    ]:
        ways += [link(page, text), nodes.Text(" · ")]
    ways.pop()
    rests = nodes.paragraph("", "", classes=["neighbours"])
    for slug in chapters_about(rb.experiment(found[1])):
        path = find(slug)
        rests += [nodes.Text("Compared in "), link(f"notebooks/{path.stem}", title_of(path)),
                  nodes.Text(". ")]
    rests += nodes.Text("Claims of the paper that it helps to decide:")
    claims = nodes.bullet_list("", *map(claim, claims_about(rb.experiment(found[1]))),
                               classes=["neighbours"])
    last = sections.pop(LAST)
    for each in reversed([*prose, *cells]):
        last.insert(1, each)
    first = sections.pop(FIRST)
    cell = next(each for each in first.children if next(each.findall(nodes.image), None))
    first.remove(cell)
    figure = cell.pop()  # its output, without the code
    first.insert(1, figure)  # after the title
    last += cell
    top.children = []
    top += [
        title,
        nodes.paragraph("", answer(results), classes=["answer"]),
        first,
        *sections.values(),
        last,
        ways,
        rests,
        claims,
    ]


def setup(app):
    app.connect("doctree-read", arrange, priority=100)  # before the tables of contents are made
    return {"parallel_read_safe": True, "parallel_write_safe": True}
