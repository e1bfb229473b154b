"""A sweep: a YAML file of agents and parameters, read and checked whole, as a list of
combinations of an agent and a problem."""

import math
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import cache, partial
from itertools import product
from pathlib import Path
from typing import Any

from tqdm import tqdm

from rb_core.bandit import RecoveringBandit
from rb_core.checks import MOST_ROUNDS, InputError, choice, number, numeral, whole
from rb_core.evaluation import SIMULATIONS
from rb_core.lab.store import Store
from rb_core.lab.sweep import bandits
from rb_core.lab.sweep.agents import Agents
from rb_core.lab.sweep.table import (
    Plan,
    SweepTable,
    check_target,
    jobs_of_sweep,
    plan,
    read_swept,
    table_of,
    write,
)
from rb_core.lab.sweep.texts import mapping, read, several, single
from rb_core.problem import Problem, paper_gamma
from rb_core.simulation import MOST_SIMS, block_name, check_problem, run_jobs

__all__ = ["EXAMPLE", "Combination", "Sweep", "read_sweep", "read_swept", "sweep"]

EXAMPLE = """\
# A sweep for `rb sweep`: every agent with every combination of the values in the grid.
base: small-bernoulli-discounted  # an experiment, from `rb list`; or a bandit of your own:
                                  #   {K: 6, s_max: 6, shape: peaked, reward: bernoulli}
                                  #   {table: rewards.csv, reward: normal, variance: 0.5}
agents: [SS-SARSA, 1RGP-TS]       # as in the figures; or yours, as "mymodule:MyAgent"
grid:                             # or  list: [{t0: 500, explore: 0.1}, ...]; or both: each item
  t0: [50, 500, 5000]             # of the list with each combination of the grid
  explore: [0.05, 0.1, 0.2]
sims: 20
# rows: combinations              # of the table: by default simulations, one each
rounds: 10_000
# gamma: 0.999                    # of the evaluation, and of agents if the grid has no other
# seed: 0
"""

KEYS = ("base", "agents", "grid", "list", "sims", "rounds", "gamma", "seed", "rows")
ROWS = ("simulations", "combinations")
MOST_COMBINATIONS = 10_000
MOST_ROWS = 1_000_000  # of the table: it is held in memory


@dataclass(frozen=True)
class Combination:
    """One agent on one problem.

    Attributes
    ----------
    name : str
        What tables and figures call the agent.
    agent : an agent with its parameters
    problem : Problem
    values : tuple of (parameter, value)
        What the sweep's parameters are in it, if they apply.

    Examples
    --------
    >>> import rb_core as rb
    >>> rb.read_sweep(EXAMPLE).combinations[0].values
    (('t0', 50.0), ('explore', 0.05))
    """

    name: str
    agent: object
    problem: Problem
    values: tuple[tuple[str, Any], ...]


@dataclass(frozen=True)
class Sweep:
    """What a sweep file asks for.

    Attributes
    ----------
    name, text : str
        Of the file.
    combinations : tuple of Combination
        Each agent on each problem, once.
    parameters : tuple of str
        What is varied.
    sims, seed : int
    inputs : tuple of paths
        The files that it was read from.
    rows : str
        What has a row in the table: each of the "simulations", or of the "combinations".

    Examples
    --------
    >>> import rb_core as rb
    >>> rb.read_sweep(EXAMPLE).parameters
    ('t0', 'explore')
    """

    name: str
    text: str
    combinations: tuple[Combination, ...]
    parameters: tuple[str, ...]
    sims: int
    seed: int
    inputs: tuple[Path, ...] = ()
    rows: str = ROWS[0]


def sweep(
    asked: "str | Path | Sweep",
    out: str | Path | None = None,
    store: Store | None = None,
    executor: Executor | None = None,
    parquet: bool = False,
    dry_run: bool = False,
    progress: bool = False,
    say: Callable[[str], object] = lambda text: None,
) -> SweepTable | Plan:
    """Run every agent with every combination of parameters that a sweep asks for.

    Parameters
    ----------
    asked : path, str or Sweep
        A file (``rb sweep --example`` prints one), its text of several lines, or what
        :func:`read_sweep` made of either.
    out : path, optional
        Folder for the table, its provenance and a notebook of figures; by default results-NAME.
    store : Store, optional
        Of finished blocks, of which none is computed again; by default the one in the user's cache.
    executor : concurrent.futures.Executor, optional
        Who does the work; by default threads, one for each core of this machine.
    parquet : bool
        Write the table as Parquet, not as CSV.
    dry_run : bool
        Check everything, compute and write nothing, and return what is to be done.
    progress : bool
        Show a progress bar, if standard error is a terminal.
    say : function, optional
        Is told in words what there is to do, and what was written.

    Returns
    -------
    SweepTable
        `rows`, a DataFrame with a row for each simulation (or each combination, if the sweep asks
        for that), and `made`, where they come from; or a Plan of a dry run.

    Examples
    --------
    >>> import rb_core as rb
    >>> text = "base: small-bernoulli-discounted\\nagents: RandomPull\\nsims: 4\\nrounds: 500"
    >>> rb.sweep(text, dry_run=True).combinations
    1
    """
    chosen = asked if isinstance(asked, Sweep) else read_sweep(asked)
    ending = "parquet" if parquet else "csv"
    target = Path(out or f"results-{chosen.name}", f"{chosen.name}.{ending}")
    check_target(target, chosen.inputs)
    store, jobs = store or Store(), jobs_of_sweep(chosen)
    todo = [job for job in jobs if block_name(job) not in store]
    if dry_run:
        return plan(chosen, todo)
    say(f"{len(chosen.combinations)} combinations, {len(jobs)} blocks, {len(todo)} of them to "
        f"compute.")
    for _ in tqdm(run_jobs(todo, executor, store), total=len(todo), unit="block",
                  disable=None if progress else True):
        pass
    found = table_of(chosen, store, executor)
    summary = write(found, target)
    figures = f", figures in {summary.name}" if summary else ""
    say(f"{len(found.rows):,} rows in {target}{figures}.")
    return found


def read_sweep(source: str | Path) -> Sweep:
    """The sweep in a file, or in a text of several lines; any fault in it is an InputError.

    Parameters
    ----------
    source : path or str

    Returns
    -------
    Sweep

    Examples
    --------
    >>> import rb_core as rb
    >>> len(rb.read_sweep(EXAMPLE).combinations)
    10
    """
    path, text, content = read(source)
    for key in content:
        choice(f"key in {path.name}", key, KEYS)
    if "base" not in content:
        raise InputError(f"{path.name} needs a base: an experiment or a bandit of your own.")
    seed = whole("seed", numeral("seed", content.get("seed", "0")), 0)
    sims = whole("sims", numeral("sims", content.get("sims", str(SIMULATIONS))), 1, MOST_SIMS)
    rows = choice("kind of rows", single("rows", content.get("rows", ROWS[0])), ROWS)
    points = points_of(content)
    swept = tuple(dict.fromkeys(key for point in points for key in point if key != "agent"))
    base = bandits.base_fields(content["base"], swept)
    base |= {key: content[key] for key in ("rounds", "gamma") if key in content}
    folder = path.parent.resolve()
    agents = Agents(content, points, folder)
    of_problem = {*bandits.PARAMETERS, "rounds"}
    for key in swept:
        choice("parameter", key, sorted(of_problem | agents.known))
        if key not in of_problem:
            agents.check_that_some_have(key)
    pairs = agents.with_points(points)
    check_size(len(pairs))
    # Kept for this call only: the tables behind the bandits may change.
    bandit_of = cache(partial(bandits.bandit_and_parameters, folder))
    # An agent that lacks a parameter is the same for all its values, and runs once.
    found = dict.fromkeys(combination_of(agents, name, point, base, swept, bandit_of)
                          for name, point in pairs)
    check_size(len(found), sims if rows == ROWS[0] else 1)
    tables = [folder / each["table"] for each in (base, *points) if "table" in each]
    inputs = tuple(each.resolve() for each in (path, *tables))
    return Sweep(path.stem, text, tuple(found), swept, sims, seed, inputs, rows)


def points_of(content: dict[str, Any]) -> list[dict[str, Any]]:
    """The combinations of values that are asked for, as they are written."""
    items = [mapping("An item of the list", item)
             for item in (several(content, "list") if "list" in content else [{}])]
    for item in items:
        for key, value in item.items():
            single(key, value)
    grid = mapping("The grid", content.get("grid", {}))
    if "agent" in grid or "agents" in grid:
        raise InputError("Agents are no part of the grid: name them under agents.")
    for key in grid:
        if any(key in item for item in items):
            raise InputError(f"{key} is in the grid and in the list: it needs one place.")
    axes = {key: several(grid, key) for key in grid}
    check_size(len(items) * math.prod(map(len, axes.values())))
    return [item | dict(zip(axes, values, strict=True))
            for item in items for values in product(*axes.values())]


def check_size(combinations: int, sims: int = 1) -> None:
    """Refuse what would not fit."""
    if combinations > MOST_COMBINATIONS:
        raise InputError(f"A sweep has at most {MOST_COMBINATIONS:,} combinations, and this one "
                         f"{combinations:,}.")
    if combinations * sims > MOST_ROWS:
        raise InputError(
            f"{combinations:,} combinations with {sims:,} simulations each are more than the "
            f"{MOST_ROWS:,} rows that a table may have: make it several sweeps."
        )


def combination_of(
    agents: Agents,
    name: str,
    point: dict[str, Any],
    base: dict[str, Any],
    swept: tuple[str, ...],
    bandit_of: Callable[[tuple], tuple[RecoveringBandit, dict[str, Any]]],
) -> Combination:
    """One agent at one point."""
    texts = {key: single(key, value) for key, value in point.items()}
    fields = base | texts
    if fields["rounds"] is None:
        raise InputError("rounds are needed, because the base is no experiment.")
    rounds = whole("rounds", numeral("rounds", fields["rounds"]), 2, MOST_ROUNDS)
    # The gamma of a point is an agent's own; the evaluation's is the same for all.
    gamma = paper_gamma(rounds) if base["gamma"] is None else numeral("gamma", base["gamma"])
    gamma = number("gamma", gamma, 0, 1, open_low=True)
    bandit, used = bandit_of(tuple(
        (key, fields[key]) for key in ("means", *bandits.PARAMETERS) if key in fields
    ))
    agent = agents.with_values(name, texts, gamma)
    check_problem(bandit, agent, rounds)
    used = {"rounds": rounds} | used | {
        key: getattr(agent, key) for key in agents.parameters(name)
    }
    values = tuple((key, used[key]) for key in swept if key in used)
    return Combination(agents.labels[name], agent, Problem(bandit, rounds, gamma), values)
