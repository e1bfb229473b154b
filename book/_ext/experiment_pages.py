"""The pages of the 36 experiments: what came out first, how it was made last.

The notebook behind them goes from the problem to the results, as one works. A reader of its page
wants the answer: one sentence, the figure, then the rest, and the way to the neighbours.
"""

import re

import numpy as np
from docutils import nodes
from sphinx import addnodes

import rb_core as rb

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
        f"{words}. The least regret is that of {least}: {regrets[least]:,.0f}, in "
        f"{results[least].rate.value:.0%} of whose runs the end is optimal."
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


def arrange(app, tree):
    found = PLACE.fullmatch(app.env.docname)
    if not found or found[1] not in rb.experiments():
        return
    top = next(tree.findall(nodes.section))
    sections = {each[0].astext(): each for each in top.children if isinstance(each, nodes.section)}
    before = [each for each in top.children if not isinstance(each, nodes.section)]
    title, prose = before[0], [each for each in before[1:] if isinstance(each, nodes.paragraph)]
    cells = [each for each in before[1:] if each not in prose]
    results, _ = rb.results(found[1])
    ways = nodes.paragraph("", "", nodes.Text("Beside it: "), classes=["neighbours"])
    for page, text in [
        *((f"notebooks/experiments/{name}", words) for name, words in neighbours(found[1])),
        ("book/experiments", "all experiments"),
        ("book/claims", "the claims that rest on them"),
    ]:
        ways += [link(page, text), nodes.Text(" · ")]
    ways.pop()
    last = sections.pop(LAST)
    for each in reversed([*prose, *cells]):
        last.insert(1, each)
    first = sections.pop(FIRST)
    top.children = []
    top += [
        title,
        nodes.paragraph("", answer(results), classes=["answer"]),
        first,
        *sections.values(),
        last,
        ways,
    ]


def setup(app):
    app.connect("doctree-read", arrange, priority=100)  # before the tables of contents are made
    return {"parallel_read_safe": True, "parallel_write_safe": True}
