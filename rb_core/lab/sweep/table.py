"""What a sweep takes, and what comes out of it: one table with a row for each simulation."""

import json
import math
from collections import Counter
from collections.abc import Collection
from concurrent.futures import Executor
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd

from rb_core.checks import InputError, choice, shown
from rb_core.engine.blocks import Job, Maker, checkpoints
from rb_core.engine.files import check_writable, replacing
from rb_core.lab.cost import jobs_seconds
from rb_core.lab.notebooks import NOTEBOOKS, execute, read
from rb_core.lab.store import Store
from rb_core.metrics import Estimate, is_optimal, regret, wilson
from rb_core.planning import optimum
from rb_core.problem import Problem
from rb_core.simulation import block_name, collect, jobs_of
from rb_core.summary import by_frequency, cycles

if TYPE_CHECKING:
    from rb_core.lab.sweep import Combination, Sweep

SUMMARY = files(__package__) / "summary.ipynb"
COLUMNS = ("agent", "simulation", "reward", "regret", "optimal", "ending")
# Of a table with a row for each combination: what its simulations have in common.
CONDENSED = ("agent", "simulations", "mean regret", "sd of regret", "5% of regret",
             "50% of regret", "95% of regret", "optimal", "ending", "ended so")
BYTES_A_ROW = 100  # of the table as text


class SweepTable(NamedTuple):
    """What came out of a sweep, or the part of it that :meth:`where` returns.

    Attributes
    ----------
    rows : pandas.DataFrame
        One for each simulation; the column `ending` is the cycle at the end.
    made : dict
        What made them: the sweep's text, versions and costs.

    Examples
    --------
    >>> import rb_core as rb
    >>> rows, made = rb.read_swept("steps")
    >>> made["command"], list(rows.columns[-3:])
    ('rb sweep steps.yml', ['regret', 'optimal', 'ending'])
    """

    rows: pd.DataFrame
    made: dict[str, Any]

    def where(self, **values: object) -> "SweepTable":
        """The simulations in which columns, such as `agent` or a parameter, have these values.

        Parameters
        ----------
        **values
            Column = value.

        Examples
        --------
        >>> import rb_core as rb
        >>> found = rb.read_swept("steps").where(t0=50, s_max=6, shape="peaked")
        >>> len(found.rows), found.rate.value
        (1000, 0.0)
        """
        rows = self.rows
        for name, value in values.items():
            rows = rows[rows[choice("column", name, rows.columns)] == value]
        if rows.empty:
            said = ", ".join(f"{name}={shown(value)}" for name, value in values.items())
            raise InputError(f"No simulation of this table has {said}.")
        return self._replace(rows=rows)

    @property
    def regret(self) -> np.ndarray:
        """Regret at the end, one a simulation."""
        return self.rows["regret"].to_numpy()

    @property
    def optimal(self) -> np.ndarray:
        """Whether they ended in an optimal policy, one a simulation."""
        return self.rows["optimal"].to_numpy(bool)

    @property
    def endings(self) -> list[tuple[str, int]]:
        """What they ended in, most frequent first: (cycle, how many) pairs."""
        return by_frequency(Counter(self.rows["ending"]))

    @property
    def rate(self) -> Estimate:
        """Share that ended in an optimal policy, with its interval; of condensed tables, too."""
        sims = self.rows["simulations"] if self._is_condensed else np.ones(len(self.rows))
        return wilson(int(self.rows["optimal"].sum()), int(sims.sum()))

    @property
    def mean_regret(self) -> Estimate:
        """Of all, with the interval of a normal law; of one row of a condensed table, too."""
        if self._is_condensed:
            (row,) = self.rows.to_dict("records")
            mean, sd, sims = row["mean regret"], row["sd of regret"], row["simulations"]
        else:
            mean, sd, sims = self.regret.mean(), self.regret.std(), len(self.regret)
        half = 1.96 * sd / math.sqrt(sims)
        return Estimate(mean, mean - half, mean + half)

    @property
    def _is_condensed(self) -> bool:
        return "simulations" in self.rows


class Plan(NamedTuple):
    """What a sweep takes.

    Attributes
    ----------
    blocks : int
        Of simulations.
    todo : list
        Those that are not in the store yet.
    seconds : float
        What they take on one core, measured.
    store_bytes : int
        What they take in the store, at most.
    combinations : int
        Of an agent and a problem.
    rows : int
        Of the table.

    Examples
    --------
    >>> Plan(blocks=2, todo=[], seconds=0.0, store_bytes=0, combinations=2, rows=40).rows
    40
    """

    blocks: int
    todo: list[Job]
    seconds: float
    store_bytes: int
    combinations: int
    rows: int

    def said(self, workers: int) -> str:
        """All of it in words.

        Parameters
        ----------
        workers : int

        Examples
        --------
        >>> print(Plan(2, [], 0.0, 0, combinations=2, rows=40).said(workers=2))
        2 combinations, 2 blocks, 0 of them to compute
        time: 0 seconds of one core, 0 seconds with 2 workers
        disk: up to 0.0 MB in the store, about 0.0 MB for a table of 40 rows
        """
        return (
            f"{self.combinations:,} combinations, {self.blocks:,} blocks, {len(self.todo):,} of "
            f"them to compute\n"
            f"time: {duration(self.seconds)} of one core, {duration(self.seconds / workers)} with "
            f"{workers} workers\n"
            f"disk: up to {size(self.store_bytes)} in the store, about "
            f"{size(self.rows * BYTES_A_ROW)} for a table of {self.rows:,} rows"
        )


def duration(seconds: float) -> str:
    """Seconds in words."""
    if seconds < 90:
        return f"{seconds:.0f} seconds"
    return f"{seconds / 60:,.0f} minutes" if seconds < 5400 else f"{seconds / 3600:,.1f} hours"


def size(count: int) -> str:
    """Bytes in words."""
    return f"{count / 1e6:,.1f} MB" if count < 1e9 else f"{count / 1e9:,.1f} GB"


def jobs_of_sweep(sweep: "Sweep") -> list[Job]:
    """The blocks of a sweep, each once."""
    return list(dict.fromkeys(
        job for each in sweep.combinations
        for job in jobs_of(each.problem, each.agent, sweep.sims, sweep.seed)
    ))


def plan(sweep: "Sweep", todo: list[Job]) -> Plan:
    """What is before us if the blocks `todo` are still to be computed."""
    combinations = len(sweep.combinations)
    rows = combinations * (sweep.sims if sweep.rows == "simulations" else 1)
    return Plan(len(jobs_of_sweep(sweep)), todo, jobs_seconds(todo), sum(map(block_bytes, todo)),
                combinations, rows)


def block_bytes(job: Job) -> int:
    """The size of a block's file before it is compressed, which is the most that it can take."""
    tail = min(3 * job.bandit.s_max, job.rounds)
    numbers = 8 * (2 * len(checkpoints(job.rounds)) + tail) + 4 * (tail + job.bandit.arms)
    return job.count * numbers + 4 * len(block_name(job)) + 2500  # headers of seven arrays


def table_of(sweep: "Sweep", store: Store, executor: Executor | None = None) -> SweepTable:
    """One row a simulation or a combination, from the stored blocks, and where they come from."""
    problems: dict[Problem, list[Combination]] = {}
    for each in sweep.combinations:
        problems.setdefault(each.problem, []).append(each)
    parts, seconds, makers = {}, 0.0, {}
    for problem, combinations in problems.items():
        best = optimum(problem.bandit, problem.rounds, problem.gamma)
        for each in combinations:
            found, makers[each.name], took = collect(problem, each.agent, sweep.sims, sweep.seed,
                                                     executor=executor, store=store)
            seconds += took
            measured = {
                "simulation": range(sweep.sims),
                "reward": found.cumulative[:, -1],
                "regret": regret(found, best)[:, -1],
                "optimal": is_optimal(found, best).astype(int),
                "ending": cycles(found),
            }
            parts[each] = pd.DataFrame({
                "agent": each.name,
                **{column(key): dict(each.values).get(key, math.nan) for key in sweep.parameters},
                **(measured if sweep.rows == "simulations" else condensed(measured)),
            })
    rows = pd.concat([parts[each] for each in sweep.combinations], ignore_index=True)
    return SweepTable(rows, _provenance(sweep, makers, seconds))


def condensed(measured: dict[str, Any]) -> dict[str, list]:
    """What simulations have in common, as columns of one row."""
    lost = measured["regret"]
    ending, times = by_frequency(Counter(measured["ending"]))[0]
    values = (len(lost), lost.mean(), lost.std(), *np.quantile(lost, [0.05, 0.5, 0.95]),
              measured["optimal"].sum(), ending, times)
    return {name: [value] for name, value in zip(CONDENSED[1:], values, strict=True)}


def column(parameter: str) -> str:
    """The heading of a parameter: its name, unless a result has it, like the law of rewards."""
    return f"{parameter} (given)" if parameter in COLUMNS else parameter


def check_target(path: Path, inputs: Collection[Path]) -> None:
    """Refuse, before anything runs, a table that could not be written in the end, or not safely."""
    check_writable(path.parent)
    if path.suffix == ".parquet" and find_spec("pyarrow") is None:
        raise InputError('Parquet needs pyarrow: pip install "rb-core[parquet]".')
    beside = path.with_suffix(".json")
    for each in (path, beside):
        if each.resolve() in inputs or (each.exists() and _made(beside) is None):
            raise InputError(
                f"{str(each)!r} was not made by a sweep and would be overwritten: results need "
                f"another folder."
            )


def write(found: SweepTable, path: Path) -> Path | None:
    """Write the table as the file's name says, .csv or .parquet, and what made it beside it.

    Returns the path of a notebook of figures, which is written there, too, if there is a row for
    each simulation.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    # First, because a table without it would not be known for one of a sweep.
    with replacing(path.with_suffix(".json")) as part:
        part.write_text(json.dumps(found.made, indent=1) + "\n", encoding="utf-8")
    save = found.rows.to_parquet if path.suffix == ".parquet" else found.rows.to_csv
    with replacing(path) as part:
        save(part, index=False)
    if "simulations" in found.rows:
        return None
    summary = path.with_name(f"{path.stem}-summary.ipynb")
    template = read(SUMMARY)
    template.metadata.pop("made_from", None)  # that of the outputs which it was committed with
    execute(template, SUMMARY.name, {"table": path.name}, summary, path.parent.absolute(), 600,
            progress=False)
    return summary


def read_swept(path: str | Path) -> SweepTable:
    """The table that a sweep has written, and where it comes from.

    Parameters
    ----------
    path : path or str
        The table, .csv or .parquet, with its .json beside it; or the name of one of the book's own
        sweeps, such as "steps".

    Returns
    -------
    SweepTable
        `rows`, a DataFrame with a row for each simulation: agent, parameters, number of the
        simulation, reward, regret, whether it ended optimally (1 or 0), and the cycle at the end
        (`ending`), or with a row for each combination of so many `simulations`; and `made`, a dict
        of the sweep's text, versions and costs. `where` chooses among the rows.

    Examples
    --------
    >>> import rb_core as rb
    >>> len(rb.read_swept("steps").rows)
    12000
    """
    path = Path(path)
    if path == Path(path.stem):
        path = NOTEBOOKS / "sweeps" / f"{path}.csv"
    try:
        made = _made(path.with_suffix(".json"))
        rows = pd.read_parquet(path) if path.suffix == ".parquet" else pd.read_csv(path)
        is_condensed = made is not None and made.get("rows") == "combinations"
        whole = (made is not None
                 and len(rows) == made["runs"] * (1 if is_condensed else made["simulations"])
                 and {*(CONDENSED if is_condensed else COLUMNS)} <= {*rows.columns})
    except (OSError, ValueError, KeyError, TypeError):  # whatever pandas says of other files
        whole = False
    if not whole or made is None:
        raise InputError(f"{str(path)!r} is no table of a sweep, or it is damaged.")
    return SweepTable(rows, made)


def _made(path: Path) -> dict[str, Any] | None:
    """What a sweep says of its table in the file at `path`; None if no sweep has written it."""
    try:
        made = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return made if isinstance(made, dict) and "sweep" in made else None


def _provenance(sweep: "Sweep", makers: dict[str, Maker], seconds: float) -> dict[str, Any]:
    """What made a table: the sweep's own text, and for each agent the code and versions."""
    return {
        "command": f"rb sweep {sweep.name}.yml",
        "sweep": sweep.text.splitlines(),
        "runs": len(sweep.combinations),
        "simulations": sweep.sims,
        "seed": sweep.seed,
        "made by": {name: maker._asdict() for name, maker in makers.items()},
        "core seconds": round(seconds, 1),
        **({} if sweep.rows == "simulations" else {"rows": sweep.rows}),
    }
