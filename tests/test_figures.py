"""Small multiples: whichever agents a panel holds, the reader can name them."""

import matplotlib
import matplotlib.pyplot as plt
import pytest

import rb_core as rb
from rb_core import figures

matplotlib.use("Agg")


@pytest.fixture
def panels():
    """Two rows with one column; SARSA plays in the lower one only."""
    summaries, _ = rb.results("small-bernoulli-discounted")
    few = {name: summaries[name] for name in ("SS-SARSA", "1RGP-TS")}
    yield {"few": few, "more": few | {"SARSA": summaries["SARSA"]}}
    plt.close("all")


def names_below(ax):
    return [label.get_text() for label in ax.get_xticklabels() if label.get_visible()]


def shows_names(ax):
    return ax.xaxis.get_tick_params()["labelbottom"]


@pytest.mark.parametrize("kind", ["boxes", "rates"])
def test_panels_with_different_agents_each_name_theirs(panels, kind):
    upper, lower = figures.side_by_side(panels, kind, "who?", columns=1).axes
    assert shows_names(upper)
    assert shows_names(lower)
    assert names_below(upper) == ["SS-SARSA", "1RGP-TS"]
    assert names_below(lower) == ["SS-SARSA", "1RGP-TS", "SARSA"]


def test_panels_with_the_same_agents_name_them_once(panels):
    fig = figures.side_by_side(panels, "rates", "who?", columns=1, hide=["SARSA"])
    upper, lower = fig.axes
    assert not shows_names(upper)
    assert names_below(lower) == ["SS-SARSA", "1RGP-TS"]


def test_the_legend_names_agents_that_the_first_panel_lacks(panels):
    fig = figures.side_by_side(panels, "curves", "when?", columns=1)
    (legend,) = fig.legends
    assert [text.get_text() for text in legend.get_texts()] == ["SS-SARSA", "1RGP-TS", "SARSA"]


def test_long_cycles_are_written_short_and_stay_apart():
    assert figures.brief("A3 A3 B3") == "A3 A3 B3"
    assert figures.brief("no cycle") == "no cycle"
    assert figures.brief("A10 A9 A9 A9 A8") == "A10 3×A9 A8"
    assert figures.brief("A10 A9 A9 A9 A9") == "A10 4×A9"
