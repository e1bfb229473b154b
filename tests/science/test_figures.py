"""Small multiples: whichever agents a panel holds, the reader can name them."""

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pytest

import rb_core as rb
from rb_core import figures
from rb_core.summary import LEVELS

matplotlib.use("Agg")


def summary(level):
    """An agent whose regret is about `level` in all of four runs."""
    regret = level + np.arange(4.0)
    quantiles = np.quantile(np.outer(regret, [0.0, 0.5, 1.0]), LEVELS, axis=0)
    return rb.Summary(np.array([1, 50, 100]), quantiles, 100 - regret, 100 - regret, regret,
                      regret < level + 2, [("A3", 4)], regret - level - 1)


@pytest.fixture
def panels():
    """Two rows with one column; SARSA plays in the lower one only."""
    few = {"SS-SARSA": summary(10), "1RGP-TS": summary(20)}
    yield {"few": few, "more": few | {"SARSA": summary(30)}}
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


def test_single_runs_are_drawn_one_by_one_and_named_once(panels):
    lines = np.outer([30.0, 60.0], [0.0, 0.5, 1.0])
    kept = {name: each._replace(curves=lines) for name, each in panels["more"].items()}
    fig = figures.side_by_side({"here": kept}, "runs", "which?", columns=1)
    assert len(fig.axes[0].lines) == 2 * len(kept)
    np.testing.assert_array_equal(fig.axes[0].lines[1].get_ydata(), lines[1])
    assert fig.axes[0].get_legend_handles_labels()[1] == list(kept)


@pytest.mark.parametrize("kind", ["curves", "runs"])
def test_a_logarithmic_scale_begins_after_a_hundredth_of_the_rounds(panels, kind):
    rounds = np.array([1, 2, 100, 200])
    lost = np.array([0.0, 3.0, 40.0, 50.0])
    one = summary(10)._replace(checkpoints=rounds, quantiles=np.tile(lost, (5, 1)),
                               curves=lost[None])
    other = one._replace(quantiles=10 * one.quantiles, curves=10 * one.curves)
    (ax,) = figures.side_by_side({"here": {"SARSA": one, "1RGP-TS": other}}, kind, "when?",
                                 columns=1, log=True).axes
    assert ax.get_yscale() == "log"
    assert ax.get_ylim()[0] == pytest.approx(3.0)
    (plain,) = figures.side_by_side({"here": {"SARSA": one}}, kind, "when?", columns=1).axes
    assert plain.get_yscale() == "linear"


def test_long_cycles_are_written_short_and_stay_apart():
    assert figures.brief("A3 A3 B3") == "A3 A3 B3"
    assert figures.brief("no cycle") == "no cycle"
    assert figures.brief("A10 A9 A9 A9 A8") == "A10 3×A9 A8"
    assert figures.brief("A10 A9 A9 A9 A9") == "A10 4×A9"


def test_every_listed_agent_has_a_colour_line_and_marker_of_its_own():
    styles = {figures.style(name) for name in rb.AGENTS if name != "RGP-TS"}
    assert len(styles) == len(rb.AGENTS) - 1  # no figure shows RGP-TS beside 1RGP-TS, the same


def test_agents_of_a_readers_are_told_apart():
    names = ["SARSA", "mine", "yours"]
    assert len({figures.style(name, names) for name in names}) == 3


def test_what_is_drawn_is_what_was_measured(panels):
    ax = figures.curves(plt.figure().add_subplot(), [1, 50, 100],
                        {"SARSA": summary(30).quantiles[[0, 2, 4]]})
    np.testing.assert_array_equal(ax.lines[0].get_ydata(), summary(30).quantiles[2])
    ax = figures.rates(plt.figure().add_subplot(), {"SARSA": summary(30).rate})
    assert ax.patches[0].get_height() == 0.5


def test_the_three_panels_are_told_in_words():
    assert figures.alt_text({"SARSA": summary(30)}).endswith("end optimally: SARSA 32 and 50%.")


@pytest.mark.parametrize(("most", "scale"), [(290, "linear"), (400, "log")])
def test_an_agent_that_loses_ten_times_as_much_does_not_flatten_the_others(most, scale):
    results = {"1RGP-TS": summary(30), "SARSA": summary(most)}
    curves, boxes, rates = figures.three_panels(results, "Who loses?").axes
    assert curves.get_yscale() == boxes.get_yscale() == scale
    assert rates.get_yscale() == "linear"
    chosen = figures.three_panels(results, "Who loses?", log=scale == "linear").axes[0]
    assert chosen.get_yscale() != scale
