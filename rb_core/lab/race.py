"""Races: agents on named suites of random bandits, run and kept like everything else.

A suite is data: which families, sizes and reward laws, how many rounds, how many tables of each and
how many runs on a table. What an agent loses is measured against the exact optimum where that can
be computed, and against the bound that no policy exceeds elsewhere.
"""

import csv
import datetime
import io
import json
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor
from dataclasses import asdict, dataclass
from functools import cache
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np
from tqdm import tqdm

from rb_core.agents import AGENTS
from rb_core.bandit import RecoveringBandit
from rb_core.checks import InputError, choice, shown
from rb_core.conformance import check_agent
from rb_core.engine.blocks import Job, SignedBlock, maker_of
from rb_core.engine.files import check_writable, replacing
from rb_core.engine.streams import canonical_text
from rb_core.families import family
from rb_core.metrics import Estimate, mean_interval
from rb_core.planning import optimum
from rb_core.problem import Problem, paper_gamma
from rb_core.reachable import reachable_states
from rb_core.scheduling import upper_bound
from rb_core.simulation import Keeper, jobs_of, run_jobs

EXACT = 5000  # reachable joint states up to which losses are measured against the optimum
COMPETITORS = ("1RGP-UCB", "2RGP-UCB", "PeriodicUCB")  # published elsewhere
ALWAYS = (
    "PlanUCB", "1RGP-TS", "2RGP-TS", "SS-SARSA", "SS-SARSA (sep.)", *COMPETITORS, "RandomPull")
TABULAR = ("SARSA", "Q-learning")  # a row of values for each joint state: only where these are few


@dataclass(frozen=True)
class Suite:
    """A closed list of problems, and who is compared on them.

    Attributes
    ----------
    families : tuple of str
    sizes : tuple of (arms, s_max)
    rewards : tuple of str
    rounds : tuple of int
    tables : int
        Random tables of each, seeds `seed`, `seed` + 1, ...
    runs : int
        Of each agent on each table.
    agents : tuple of str
    seed : int

    Examples
    --------
    >>> len(list(SUITES["classroom"].cells()))
    12
    """

    families: tuple[str, ...]
    sizes: tuple[tuple[int, int], ...]
    rewards: tuple[str, ...]
    rounds: tuple[int, ...]
    tables: int
    runs: int
    agents: tuple[str, ...]
    seed: int

    def cells(self) -> Iterator["Cell"]:
        """All problems but for their tables.

        Examples
        --------
        >>> str(next(SUITES["classroom"].cells()))
        'rising 4x5 bernoulli, 10,000 rounds'
        """
        for name, size, reward, rounds in product(
                self.families, self.sizes, self.rewards, self.rounds):
            yield Cell(name, *size, reward, rounds)


class Cell(NamedTuple):
    """Problems that differ only in their tables."""

    family: str
    arms: int
    s_max: int
    reward: str
    rounds: int

    def bandit(self, seed: int) -> RecoveringBandit:
        """The table number `seed`."""
        return family(self.family, self.arms, self.s_max, seed, self.reward)

    def __str__(self) -> str:
        return f"{self.family} {self.arms}x{self.s_max} {self.reward}, {self.rounds:,} rounds"


OURS = ("rising", "peaked", "free")
PUBLISHED = ("gaussian", "exponential", "blocking", "concave")
LAWS = ("bernoulli", "normal")
SUITES = {
    "classroom": Suite(OURS, ((4, 5), (6, 6)), LAWS, (10_000,), 5, 2, (*ALWAYS, *TABULAR), 100),
    "published": Suite(PUBLISHED, ((6, 6), (10, 10)), LAWS, (100_000,), 10, 2, ALWAYS, 200),
    "small": Suite(OURS, ((4, 5), (6, 6)), LAWS, (10_000, 100_000), 20, 10,
                   (*ALWAYS, *TABULAR), 300),
    "large": Suite(OURS, ((20, 10), (50, 20)), LAWS, (10_000, 100_000), 20, 10, ALWAYS, 400),
    "small-long": Suite(OURS, ((4, 5), (6, 6)), LAWS, (1_000_000,), 20, 2,
                        (*ALWAYS, *TABULAR), 500),
    "large-long": Suite(OURS, ((20, 10), (50, 20)), LAWS, (1_000_000,), 20, 2, ALWAYS, 600),
}


class Loss(NamedTuple):
    """What one run lost: the share of the best long-run average that its rounds lack."""

    cell: str
    agent: str
    table: int
    run: int
    loss: float


@dataclass(frozen=True)
class Race:
    """What came out of a race.

    Attributes
    ----------
    suite : str
    losses : list of Loss
        One for each run.

    Examples
    --------
    >>> found = Race("mine", [Loss("a", "X", 0, 0, 0.1), Loss("a", "X", 1, 0, 0.3)])
    >>> found.board()["a"]["X"].value
    0.2
    """

    suite: str
    losses: list[Loss]

    def board(self) -> dict[str, dict[str, Estimate]]:
        """Mean loss of each agent in each cell, least first, with a 95% interval over tables.

        Examples
        --------
        >>> found = Race("mine", [Loss("a", "X", 0, 0, 0.1), Loss("a", "Y", 0, 0, 0.05)])
        >>> list(found.board()["a"])
        ['Y', 'X']
        """
        by: dict[str, dict[str, dict[int, list[float]]]] = {}
        for each in self.losses:
            tables = by.setdefault(each.cell, {}).setdefault(each.agent, {})
            tables.setdefault(each.table, []).append(each.loss)
        return {cell: dict(sorted(((agent, _mean(list(tables.values())))
                                   for agent, tables in agents.items()),
                                  key=lambda item: item[1].value))
                for cell, agents in by.items()}


def _mean(tables: list[list[float]]) -> Estimate:
    """The mean over tables; runs on one table count as one, for they share its luck."""
    return mean_interval([np.mean(each) for each in tables])


@cache
def reference(bandit: RecoveringBandit) -> float:
    """The best long-run average, or what no policy exceeds where that is too much to compute."""
    if reachable_states(bandit.arms, bandit.s_max) <= EXACT:
        return optimum(bandit, 1).average
    return upper_bound(bandit)


def reference_said(bandit: RecoveringBandit) -> dict[str, float]:
    """The same, and which of the two it is."""
    exact = reachable_states(bandit.arms, bandit.s_max) <= EXACT
    return {"optimum" if exact else "bound": reference(bandit)}


def references(suite: Suite) -> dict[str, dict[str, list[float]]]:
    """The optimum, or the bound, of each table of each cell."""
    found: dict[str, dict[str, list[float]]] = {}
    for each, table in product(suite.cells(), range(suite.tables)):
        for kind, value in reference_said(each.bandit(suite.seed + table)).items():
            found.setdefault(str(each), {}).setdefault(kind, []).append(value)
    return found


def race(
    suite: str,
    agents: Mapping[str, object] | None = None,
    out: str | Path | None = None,
    executor: Executor | None = None,
    store: Keeper | None = None,
    progress: bool = False,
    say: Callable[[str], object] = lambda text: None,
) -> Race:
    """Run all agents of a suite, and your own, or what is missing of that in the store.

    Parameters
    ----------
    suite : {"classroom", "published", "small", "large", "small-long", "large-long"}
    agents : dict, optional
        Agents of your own by name, besides.
    out : path, optional
        A folder for SUITE.csv, a line for each run, and SUITE.json, what made them and
        the optimum, or the bound, of each table.
    executor : concurrent.futures.Executor, optional
    store : Store, optional
        Has what was computed before, and keeps what is new.
    progress : bool
        Show a progress bar, if standard error is a terminal.
    say : function, optional
        Is told in words what there is to run, once all of that can be run.

    Returns
    -------
    Race

    Examples
    --------
    >>> import rb_core as rb
    >>> rb.race("classrooms")
    Traceback (most recent call last):
    ...
    rb_core.checks.InputError: There is no suite 'classrooms': did you mean 'classroom'?
    """
    chosen = SUITES[choice("suite", suite, SUITES)]
    if not isinstance(agents or {}, Mapping):
        raise InputError(f"agents must be a dict, names to agents, not {shown(agents)}.")
    for name, agent in (agents or {}).items():
        if not isinstance(name, str) or name in AGENTS:
            raise InputError(f"{name!r} is an agent of the book's, or no name: give another one.")
        for size in chosen.sizes:  # compiled code does not notice that an array is too short
            check_agent(agent, *size)
    if out is not None:
        out = Path(out)
        check_writable(out)
    say(f"{suite}: {len(list(chosen.cells()))} cells, {chosen.tables} tables of each, "
        f"{chosen.runs} runs of an agent on a table")
    jobs = entries(chosen, agents or {})
    losses: list[Loss] = []
    makers: dict[str, dict[str, str]] = {}
    seconds: dict[str, dict[str, float]] = {}
    for job, signed in tqdm(run_jobs(jobs, executor, store), total=len(jobs), unit="block",
                            disable=None if progress else True):
        maker = maker_of(type(job.agent))._asdict() | {"agent": canonical_text(job.agent)}
        for cell, name, table in jobs[job]:
            took = seconds.setdefault(str(cell), {})
            took[name] = took.get(name, 0.0) + signed.seconds
            makers[name] = maker
            losses += losses_of(job, signed, cell, name, table)
    found = Race(suite, sorted(losses))
    if out is not None:
        _write(found, {"suite": asdict(chosen), "references": references(chosen),
                       "made by": makers, "core seconds": seconds}, out)
    return found


def entries(suite: Suite, agents: Mapping[str, object]) -> dict[Job, list[tuple[Cell, str, int]]]:
    """All simulations of a suite: for which cell, by whom, and on which of its tables.

    Equal agents under several names share their simulations.
    """
    jobs: dict[Job, list[tuple[Cell, str, int]]] = {}
    for cell in suite.cells():
        own = {name: AGENTS[name].make(paper_gamma(cell.rounds)) for name in suite.agents}
        for table, (name, agent) in product(range(suite.tables), {**own, **agents}.items()):
            problem = Problem(cell.bandit(suite.seed + table), cell.rounds)
            for job in jobs_of(problem, agent, suite.runs, suite.seed):
                jobs.setdefault(job, []).append((cell, name, table))
    return jobs


def losses_of(job: Job, signed: SignedBlock, cell: Cell, name: str, table: int) -> list[Loss]:
    """What each run of a block lost."""
    best = job.rounds * reference(job.bandit)
    return [Loss(str(cell), name, table, run, 1 - total / best)
            for run, total in enumerate(signed.block.undiscounted[:, -1].tolist(), job.first)]


def _write(found: Race, made: dict, out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    made = {"date": datetime.date.today().isoformat(), **made}
    text = io.StringIO()
    lines = csv.writer(text, lineterminator="\n")
    lines.writerow(Loss._fields)
    lines.writerows(found.losses)
    for suffix, content in ((".csv", text.getvalue()), (".json", json.dumps(made, indent=1))):
        with replacing(out / f"{found.suite}{suffix}") as part:
            part.write_text(content, encoding="utf-8")
