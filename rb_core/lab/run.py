"""One experiment: all its agents, and a user's own beside them."""

from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from rb_core.bandit import RecoveringBandit
from rb_core.checks import MOST_ROUNDS, InputError, whole
from rb_core.conformance import check_agent
from rb_core.engine.files import replacing
from rb_core.evaluation import SIMULATIONS, Experiment, experiment
from rb_core.metrics import Estimate
from rb_core.planning import optimum
from rb_core.scheduling import Schedule
from rb_core.simulation import MOST_SIMS, Keeper, check_problem
from rb_core.summary import Summary, measure

if TYPE_CHECKING:
    import pandas


def run(
    name: str,
    sims: int = SIMULATIONS,
    rounds: int | None = None,
    seed: int = 0,
    agents: Mapping[str, object] | None = None,
    executor: Executor | None = None,
    store: Keeper | None = None,
    progress: bool = False,
    done: Callable[[str, Summary], object] = lambda name, summary: None,
) -> dict[str, Summary]:
    """Run all agents of one experiment.

    Parameters
    ----------
    name : str
        Its name, from :func:`experiments`.
    sims, rounds, seed : int
        By default the paper's simulations and rounds.
    agents : dict, optional
        Agents of your own by name, besides.
    executor : concurrent.futures.Executor, optional
        Who does the work; by default threads, one for each core of this machine.
    store : Store, optional
        Has what was computed before, and keeps what is new.
    progress : bool
        Show a progress bar, if standard error is a terminal.
    done : function, optional
        Is called with an agent's name and summary as soon as it is there.

    Returns
    -------
    dict
        Agent's name -> Summary.

    Examples
    --------
    >>> import rb_core as rb
    >>> found = rb.run("small-bernoulli-discounted", sims=2, rounds=1000)
    >>> list(found)[0], found["SS-SARSA"].regret.shape
    ('SS-SARSA', (2,))
    """
    chosen, sims = sized(name, rounds), whole("sims", sims, 1, MOST_SIMS)
    seed, everybody = whole("seed", seed, 0), dict(chosen.agents)
    for own, agent in (agents or {}).items():
        if own in everybody:
            raise InputError(f"{own!r} is an agent of the book's already: give yours another name.")
        check_agent(agent, chosen.bandit.arms, chosen.bandit.s_max)
        check_problem(chosen.bandit, agent, chosen.rounds)
        everybody[own] = agent
    best = optimum(chosen.bandit, chosen.rounds, chosen.gamma)
    found = {}
    for each, agent in everybody.items():
        found[each] = measure(chosen.problem, agent, best, sims, seed, executor, store,
                              progress).summary
        done(each, found[each])
    return found


def sized(name: str, rounds: int | None = None) -> Experiment:
    """An experiment by its name, with other rounds if they are given."""
    chosen = experiment(name)
    if rounds is None:
        return chosen
    return replace(chosen, rounds=whole("rounds", rounds, 2, MOST_ROUNDS))


def median_regret(summary: Summary) -> Estimate:
    """The median regret at the end, with the 5% and 95% quantiles of the runs."""
    low, middle, high = summary.quantiles[[0, 2, 4], -1]
    return Estimate(float(middle), float(low), float(high))


def draw(summaries: Mapping[str, Summary], title: str, path: Path) -> str:
    """Draw the three panels of an experiment into a file; returns what they show, in words."""
    from rb_core import figures  # here, because it takes a moment to load

    with replacing(path) as part:
        figures.three_panels(summaries, title).savefig(part, format=path.suffix[1:], dpi=150)
    return figures.alt_text(summaries)


def draw_timetable(found: Schedule, bandit: RecoveringBandit, path: Path) -> None:
    """Draw a schedule into a file."""
    import matplotlib.pyplot as plt  # here, because they take a moment to load

    from rb_core import figures

    used = len({arm for arm, _ in found.cycle})
    wide, high = min(3 + 0.25 * len(found.cycle), 16), 1.5 + 0.3 * used
    fig, ax = plt.subplots(figsize=(max(wide, 6.5), high), layout="constrained")
    figures.timetable(ax, found, bandit)
    with replacing(path) as part:
        fig.savefig(part, format=path.suffix[1:], dpi=150)
    plt.close(fig)


def table(summaries: Mapping[str, Summary]) -> "pandas.DataFrame":
    """The agents of an experiment, one a row: regret, rate of optimal policy, cycle at the end.

    Parameters
    ----------
    summaries : dict
        Agent's name -> Summary, as :func:`run` and :func:`results` return them.

    Returns
    -------
    pandas.DataFrame

    Examples
    --------
    >>> import rb_core as rb
    >>> summaries, _ = rb.results("small-bernoulli-discounted")
    >>> rb.table(summaries).loc["SS-SARSA", "optimal [95% interval]"]
    '100.0% [99.6%, 100.0%]'
    """
    import pandas as pd  # here, because they take a moment to load

    from rb_core import figures

    return pd.DataFrame({
        name: {
            "regret: median [5%, 95%]": f"{median_regret(each):,.0f}",
            "mean regret": f"{each.regret.mean():,.0f}",
            "optimal [95% interval]": f"{each.rate:.1%}",
            "cycles at the end": ", ".join(
                f"{figures.brief(cycle)} ({count / len(each.regret):.1%})"
                for cycle, count in each.endings[:2]),
        }
        for name, each in summaries.items()
    }).T.rename_axis("agent")
