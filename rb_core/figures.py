"""Figures in one style: each takes an `ax`, draws on it and returns it.

One colour, one line style and one marker per agent, everywhere in the book.
"""

import hashlib
import io
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import groupby
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import EngFormatter, LogLocator, NullFormatter
from numpy.typing import ArrayLike

from rb_core.agents import AGENTS
from rb_core.bandit import RecoveringBandit
from rb_core.metrics import Estimate
from rb_core.scheduling import Schedule
from rb_core.summary import Summary

OTHERS = [("#8E6BBF", "-", "X"), ("#7F7F7F", "--", "*"), ("#8C510A", "-.", "p")]
STYLE = Path(__file__).with_name("book.mplstyle")
FLAT = 10  # of regrets that differ by more than this factor some would lie on the axis
# Where an SVG has coordinates, and those of its numbers that have more than one decimal.
PLACES = re.compile(r'(?<= )(?:d|x|y|points)="[^"]*"|translate\([^)]*\)')
DIGITS = re.compile(r"-?\d+\.\d{2,}")
NAMES = re.compile(r"\b[a-z][0-9a-f]{10}\b")  # of parts of the drawing, made from all their digits


def use_style() -> None:
    """Draw in the book's typeface and colours, in a notebook as SVG.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> with plt.rc_context():
    ...     use_style()
    ...     plt.rcParams["svg.hashsalt"]
    'recovering-bandits'
    """
    try:
        from IPython import get_ipython  # here, because only notebooks need it
    except ImportError:
        shell = None
    else:
        shell = get_ipython()
    if shell:
        # The notebook's own way of drawing sets itself up when it is loaded, and would do so later.
        import matplotlib_inline.backend_inline  # noqa: F401

        formatters = shell.display_formatter.formatters
        formatters["image/png"].type_printers.pop(Figure, None)
        formatters["image/svg+xml"].for_type(Figure, svg)
    plt.style.use(STYLE)


def svg(figure: Figure) -> str:
    """A figure as SVG: the same text for the same figure, with places to a tenth of a point.

    Parameters
    ----------
    figure : matplotlib.figure.Figure

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> fig, ax = plt.subplots()
    >>> line = ax.plot([0, 1], [0, 1 / 3])
    >>> svg(fig) == svg(fig), "<dc:date>" in svg(fig)
    (True, False)
    >>> plt.close(fig)
    """
    drawn = io.StringIO()
    figure.savefig(drawn, format="svg", bbox_inches="tight", metadata={"Date": None})
    text = PLACES.sub(lambda place: DIGITS.sub(lambda found: f"{float(found[0]):.1f}", place[0]),
                      drawn.getvalue())
    # Names of its own for each figure: some readers put several of them into one page.
    own = hashlib.sha256(NAMES.sub("", text).encode()).hexdigest()[:6]
    parts = {name: f"{own}-{i}" for i, name in enumerate(dict.fromkeys(NAMES.findall(text)), 1)}
    return NAMES.sub(lambda name: f"part-{parts[name[0]]}", text)


def style(name: str, names: Collection[str] = ()) -> tuple[str, str, str]:
    """Colour, line style and marker of an agent; agents of the reader's take the next ones.

    Parameters
    ----------
    name : str
        The agent's.
    names : collection of str
        All agents of the figure.

    Examples
    --------
    >>> style("SS-SARSA")
    ('#0072B2', '-', 'o')
    >>> style("mine", ["SS-SARSA", "yours", "mine"])
    ('#7F7F7F', '--', '*')
    """
    if name in AGENTS:
        return AGENTS[name].colour, AGENTS[name].line, AGENTS[name].marker
    strangers = [other for other in names if other not in AGENTS]
    return OTHERS[strangers.index(name) % len(OTHERS)] if name in strangers else OTHERS[0]


def curves(
    ax: Axes,
    checkpoints: Sequence[int] | np.ndarray,
    bands: Mapping[str, Sequence[ArrayLike] | np.ndarray],
    ylabel: str = "cumulative regret",
) -> Axes:
    """Medians over rounds, with bands.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
    checkpoints : array
        Rounds.
    bands : dict
        Agent's name -> (low, middle, high), each an array over `checkpoints`.
    ylabel : str

    Returns
    -------
    matplotlib.axes.Axes

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> fig, ax = plt.subplots()
    >>> ax = curves(ax, [1, 50, 100], {"SARSA": ([0, 1, 2], [0, 2, 4], [0, 3, 6])})
    >>> ax.get_legend_handles_labels()[1]
    ['SARSA']
    >>> plt.close(fig)
    """
    for name, (low, middle, high) in bands.items():
        colour, line, marker = style(name, bands)
        ax.plot(checkpoints, middle, line, color=colour, marker=marker, label=name,
                markevery=max(len(checkpoints) // 8, 1), markersize=4)
        ax.fill_between(checkpoints, low, high, color=colour, alpha=0.15, linewidth=0)
    _over_rounds(ax, ylabel)
    ax.set_title("Regret over the rounds (median, 5-95% band)")
    return ax


def single_runs(
    ax: Axes,
    checkpoints: Sequence[int] | np.ndarray,
    runs: Mapping[str, np.ndarray],
    ylabel: str = "cumulative regret",
) -> Axes:
    """A thin line for every run: where runs end in different cycles, a band would hide it.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
    checkpoints : array
        Rounds.
    runs : dict
        Agent's name -> runs x checkpoints, such as the `curves` of a summary.
    ylabel : str

    Returns
    -------
    matplotlib.axes.Axes

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> fig, ax = plt.subplots()
    >>> ax = single_runs(ax, [1, 50, 100], {"SARSA": np.array([[0, 1, 2], [0, 3, 6]])})
    >>> len(ax.lines), ax.get_legend_handles_labels()[1]
    (2, ['SARSA'])
    >>> plt.close(fig)
    """
    for name, each in runs.items():
        colour, line, _ = style(name, runs)
        lines = ax.plot(checkpoints, each.T, line, color=colour, linewidth=0.7, alpha=0.6)
        lines[0].set_label(name)
    _over_rounds(ax, ylabel)
    return ax


def boxes(
    ax: Axes, final: Mapping[str, ArrayLike], ylabel: str = "cumulative regret"
) -> Axes:
    """A box per agent with the mean marked, as in the paper.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
    final : dict
        Agent's name -> one number a run.
    ylabel : str

    Returns
    -------
    matplotlib.axes.Axes

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> fig, ax = plt.subplots()
    >>> boxes(ax, {"SARSA": [30, 31, 35], "Q-learning": [29, 30, 40]}).get_ylabel()
    'cumulative regret'
    >>> plt.close(fig)
    """
    parts = ax.boxplot(
        list(final.values()), tick_labels=list(final), showmeans=True, patch_artist=True,
        widths=0.6, medianprops={"color": ink()}, flierprops={"markersize": 2},
        meanprops={"marker": "o", "markerfacecolor": ink(), "markeredgecolor": ink(),
                   "markersize": 4},
    )
    for box, name in zip(parts["boxes"], final, strict=True):
        box.set(facecolor=style(name, final)[0], alpha=0.6)
    _lean(ax)
    ax.set(ylabel=ylabel, title="Regret at the end (dot: mean)")
    ax.yaxis.set_major_formatter(EngFormatter(sep=""))
    return ax


def rates(ax: Axes, estimates: Mapping[str, Estimate]) -> Axes:
    """A bar per agent with its interval.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
    estimates : dict
        Agent's name -> Estimate of a share.

    Returns
    -------
    matplotlib.axes.Axes

    Examples
    --------
    >>> import rb_core as rb
    >>> import matplotlib.pyplot as plt
    >>> fig, ax = plt.subplots()
    >>> len(rates(ax, {"SARSA": rb.wilson(3, 10), "Q-learning": rb.wilson(9, 10)}).patches)
    2
    >>> plt.close(fig)
    """
    names = list(estimates)
    shares = np.array([estimates[name].value for name in names])
    ends = np.hstack([estimates[name].ends for name in names])
    ax.bar(names, shares, color=[style(name, names)[0] for name in names], alpha=0.6, width=0.6)
    ax.errorbar(names, shares, yerr=ends, fmt="none", ecolor=ink(), capsize=3)
    _lean(ax)
    ax.set(ylabel="share of runs, 95% interval", ylim=(0, 1.05), title="Ends in an optimal policy?")
    return ax


def three_panels(
    results: Mapping[str, Summary], title: str, log: bool | None = None
) -> Figure:
    """The paper's figure of one experiment: curves, boxes, rates.

    Parameters
    ----------
    results : dict
        Agent's name -> Summary, all of the same problem.
    title : str
    log : bool, optional
        Whether regret is drawn on a logarithmic scale; if nothing is said, where one agent's median
        is more than ten times another's, which would lie on the axis otherwise.

    Returns
    -------
    matplotlib.figure.Figure

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> import rb_core as rb
    >>> summaries, _ = rb.results("small-bernoulli-discounted")
    >>> fig = three_panels(summaries, "The small problem")
    >>> len(fig.axes)
    3
    >>> plt.close(fig)
    """
    fig = _titled(title, 8.5, 7)
    axes = fig.subplot_mosaic([["curves", "curves"], ["boxes", "rates"]])
    for kind, ax in axes.items():
        _panel(ax, kind, results)
    ends = [each.quantiles[2, -1] for each in results.values()]
    if log if log is not None else max(ends) > FLAT * min(ends) > 0:
        _logarithmic(axes["curves"], results.values())
        _logarithmic(axes["boxes"])
    else:
        axes["boxes"].set_ylim(bottom=0)  # as the bars beside them
    axes["curves"].legend(loc="upper left", bbox_to_anchor=(1, 1), frameon=False)
    return fig


def side_by_side(
    results: Mapping[str, Mapping[str, Summary]],
    kind: str,
    title: str,
    columns: int = 2,
    hide: Collection[str] = (),
    log: bool = False,
) -> Figure:
    """Small multiples: one kind of panel for several experiments of the same length.

    Boxes are drawn on a logarithmic scale, because the agents' regrets differ by orders. Agents are
    named below the lowest row only, unless panels hold different ones.

    Parameters
    ----------
    results : dict
        Title of a panel -> {agent's name: Summary}.
    kind : {"curves", "runs", "boxes", "rates"}
        Runs are those whose curves are kept, one by one.
    title : str
    columns : int
    hide : collection of str
        Agents to leave out.
    log : bool
        Curves and runs on a logarithmic scale, too, from a hundredth of the rounds on: for agents
        that lose so much that the others would lie on the axis.

    Returns
    -------
    matplotlib.figure.Figure

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> import rb_core as rb
    >>> summaries, _ = rb.results("small-bernoulli-discounted")
    >>> fig = side_by_side({"one": summaries, "other": summaries}, "rates", "Twice")
    >>> [ax.get_title() for ax in fig.axes]
    ['one', 'other']
    >>> plt.close(fig)
    """
    results = {panel: {name: each for name, each in summaries.items() if name not in hide}
               for panel, summaries in results.items()}
    rows = -(-len(results) // columns)
    over_rounds = kind in ("curves", "runs")
    names_differ = not over_rounds and len({tuple(each) for each in results.values()}) > 1
    height = 0.7 + (2.7 if over_rounds or names_differ else 2.4) * rows
    fig = _titled(title, 7.5, height)
    grid = fig.subplots(rows, columns, sharex=over_rounds, sharey="row", squeeze=False)
    for ax, (name, each) in zip(grid.flat, results.items(), strict=False):
        _panel(ax, kind, each)
        ax.set_title(name)
        ax.label_outer()
        if names_differ:
            ax.tick_params(labelbottom=True)
        if kind == "boxes":
            _logarithmic(ax)
        elif log and over_rounds:
            _logarithmic(ax, [each for shown in results.values() for each in shown.values()])
    if over_rounds:
        lines: dict[str, Artist] = {}  # of all panels: the first may lack an agent that another has
        for ax in grid.flat:
            handles, names = ax.get_legend_handles_labels()
            lines |= dict(zip(names, handles, strict=True))
        legend = fig.legend(list(lines.values()), list(lines), loc="outside lower center", ncols=3,
                            frameon=False)
        if kind == "runs":
            plt.setp(legend.get_lines(), linewidth=1.6, alpha=1)  # thin lines have no colour there
    for ax in grid.flat[len(results) :]:
        ax.remove()
    return fig


def timetable(ax: Axes, found: Schedule, bandit: RecoveringBandit) -> Axes:
    """A schedule as a timetable: a line an arm, a column a round, and the state in each pull.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
    found : Schedule
    bandit : RecoveringBandit
        Whose schedule it is: a pull is darker the more it pays.

    Returns
    -------
    matplotlib.axes.Axes

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> import rb_core as rb
    >>> fig, ax = plt.subplots()
    >>> bandit = rb.setting("10-hetero", "peaked")
    >>> len(timetable(ax, rb.schedule(bandit, effort=0.01), bandit).texts)
    4
    >>> plt.close(fig)
    """
    used = sorted({arm for arm, _ in found.cycle})
    means = np.full((len(used), len(found.cycle)), np.nan)
    size = min(9, 500 / len(found.cycle))
    for i, (arm, state) in enumerate(found.cycle):
        means[used.index(arm), i] = bandit.means[arm, state - 1]
        ax.text(i, used.index(arm), str(state), ha="center", va="center", size=size,
                color="white")
    low = np.nanmin(means) - 0.3 * np.ptp(bandit.means)  # so that white reads well on all of it
    ax.imshow(means, cmap="Blues", vmin=low, vmax=np.nanmax(means), aspect="auto")
    ax.set_yticks(range(len(used)), [f"arm {arm + 1}" for arm in used])
    ax.set_xticks(range(0, len(found.cycle), max(len(found.cycle) // 10, 1)))
    ax.set_xticklabels([str(int(at) + 1) for at in ax.get_xticks()])
    ax.set(xlabel="round of the cycle", title=f"{found.average:.4f} a round, at most "
           f"{found.gap:.2%} from the best (numbers: states)")
    return ax


def brief(cycle: str) -> str:
    """A cycle for tables and legends: of five pulls or more, repeated ones are counted.

    Parameters
    ----------
    cycle : str
        As in the `endings` of a summary.

    Examples
    --------
    >>> brief("A10 A9 A9 A9 A8")
    'A10 3×A9 A8'
    """
    if len(cycle.split()) < 5:
        return cycle
    runs = [(pull, len(list(same))) for pull, same in groupby(cycle.split())]
    return " ".join(f"{length}×{pull}" if length > 2 else " ".join(length * [pull])
                    for pull, length in runs)


def alt_text(results: Mapping[str, Summary]) -> str:
    """What the three panels show, in words.

    Parameters
    ----------
    results : dict
        Agent's name -> Summary.

    Examples
    --------
    >>> import rb_core as rb
    >>> summaries, _ = rb.results("small-bernoulli-discounted")
    >>> alt_text({"SS-SARSA": summaries["SS-SARSA"]}).endswith("and 100%.")
    True
    """
    said = [f"{name} {np.median(each.regret):,.0f} and {each.rate.value:.0%}"
            for name, each in results.items()]
    return f"Median regret at the end and share of runs that end optimally: {'; '.join(said)}."


def _titled(title: str, width: float, height: float) -> Figure:
    """An empty figure with its title, whose panels will make room for each other."""
    fig = plt.figure(figsize=(width, height), layout="constrained")
    fig.suptitle(title)
    return fig


def _panel(ax: Axes, kind: str, results: Mapping[str, Summary]) -> Axes:
    if kind == "curves":
        checkpoints = next(iter(results.values())).checkpoints
        bands = {name: each.quantiles[[0, 2, 4]] for name, each in results.items()}
        return curves(ax, checkpoints, bands)
    if kind == "runs":
        kept = {name: each.curves for name, each in results.items() if each.curves is not None}
        return single_runs(ax, next(iter(results.values())).checkpoints, kept)
    if kind == "boxes":
        return boxes(ax, {name: each.regret for name, each in results.items()})
    return rates(ax, {name: each.rate for name, each in results.items()})


def _over_rounds(ax: Axes, ylabel: str) -> None:
    ax.set(xlabel="round", ylabel=ylabel)
    ax.xaxis.set_major_formatter(EngFormatter(sep=""))
    ax.yaxis.set_major_formatter(EngFormatter(sep=""))
    ax.margins(x=0)


def _early(summary: Summary) -> float:
    """Median regret after a hundredth of the rounds."""
    rounds = summary.checkpoints
    return float(summary.quantiles[2][np.searchsorted(rounds, rounds[-1] / 100)])


def ink() -> str:
    """The colour of text and other marks that belong to no agent.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> with plt.rc_context():
    ...     use_style()
    ...     ink()
    '#70757D'
    """
    return str(plt.rcParams["text.color"])


def _logarithmic(ax: Axes, over_rounds: Iterable[Summary] = ()) -> None:
    """Regrets that differ by orders, numbered at 1, 2 and 5; curves from where they have one."""
    ax.set_yscale("log")
    ax.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    ax.yaxis.set_major_formatter(EngFormatter(sep=""))
    ax.yaxis.set_minor_formatter(NullFormatter())
    early = [lost for lost in map(_early, over_rounds) if lost > 0]
    if early:
        ax.set_ylim(bottom=min(early))


def _lean(ax: Axes) -> None:
    plt.setp(ax.get_xticklabels(), rotation=30, ha="right", rotation_mode="anchor")
