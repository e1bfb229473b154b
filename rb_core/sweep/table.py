"""What a sweep takes, and what comes out of it: one table with a row for each simulation."""

import json
import math
from importlib.util import find_spec
from typing import NamedTuple

import pandas as pd

from rb_core.blocks import checkpoints
from rb_core.cost import jobs_seconds
from rb_core.errors import InputError
from rb_core.files import replacing
from rb_core.metrics import is_optimal, regret
from rb_core.notebook import NOTEBOOKS, execute, read
from rb_core.planning import optimum
from rb_core.reproduce import jobs_of, made_with, runs_of
from rb_core.sources import source_of
from rb_core.summary import cycles

SUMMARY = NOTEBOOKS / "sweeps" / "summary.ipynb"
RESULTS = ("agent", "simulation", "reward", "regret", "optimal", "ending")
BYTES_A_ROW = 100  # of the table as text


class Plan(NamedTuple):
    """What a sweep takes: blocks of simulations, of which `todo` are not there yet."""

    blocks: int
    todo: list
    seconds: float  # on one core, measured
    store_bytes: int  # at most
    runs: int
    rows: int

    def said(self, workers):
        """All of it in words."""
        return (
            f"{self.runs:,} runs, {self.blocks:,} blocks, {len(self.todo):,} of them to compute\n"
            f"time: {duration(self.seconds)} of one core, {duration(self.seconds / workers)} with "
            f"{workers} workers\n"
            f"disk: up to {size(self.store_bytes)} in the store, about "
            f"{size(self.rows * BYTES_A_ROW)} for a table of {self.rows:,} rows"
        )


def duration(seconds):
    """Seconds in words."""
    if seconds < 90:
        return f"{seconds:.0f} seconds"
    return f"{seconds / 60:,.0f} minutes" if seconds < 5400 else f"{seconds / 3600:,.1f} hours"


def size(count):
    """Bytes in words."""
    return f"{count / 1e6:,.1f} MB" if count < 1e9 else f"{count / 1e9:,.1f} GB"


def jobs_of_sweep(sweep):
    """The blocks of a sweep, each once."""
    return list(dict.fromkeys(
        job for run in sweep.runs for job in jobs_of(run, run.agent, sweep.sims, sweep.seed)
    ))


def plan(sweep, todo):
    """What is before us if the blocks `todo` are still to be computed."""
    runs = len(sweep.runs)
    return Plan(len(jobs_of_sweep(sweep)), todo, jobs_seconds(todo), sum(map(block_bytes, todo)),
                runs, runs * sweep.sims)


def block_bytes(job):
    """The size of a block's file before it is compressed, which is the most that it can take."""
    tail = min(3 * job.bandit.s_max, job.rounds)
    numbers = 8 * (2 * len(checkpoints(job.rounds)) + tail) + 4 * (tail + job.bandit.arms)
    return job.count * numbers + 4 * len(job.name) + 2500  # headers of seven arrays


def table_of(sweep, store):
    """One row a simulation, from the stored blocks of all runs; and the seconds that they took."""
    problems = {}
    for run in sweep.runs:
        problems.setdefault((run.bandit, run.rounds, run.gamma), []).append(run)
    parts, seconds = {}, 0.0
    for problem, runs in problems.items():
        best = optimum(*problem)
        for run in runs:
            found, took = runs_of(run, run.agent, sweep.sims, store, sweep.seed)
            seconds += took
            parts[run] = pd.DataFrame({
                "agent": run.name,
                **{column(key): dict(run.values).get(key, math.nan) for key in sweep.parameters},
                "simulation": range(sweep.sims),
                "reward": found.cumulative[:, -1],
                "regret": regret(found, best)[:, -1],
                "optimal": is_optimal(found, best).astype(int),
                "ending": cycles(found),
            })
    return pd.concat([parts[run] for run in sweep.runs], ignore_index=True), seconds


def column(parameter):
    """The heading of a parameter: its name, unless a result has it, like the law of rewards."""
    return f"{parameter} (given)" if parameter in RESULTS else parameter


def check_target(path):
    """Refuse, before anything runs, a file that could not be written in the end."""
    for folder in path.parents:
        if folder.exists() and not folder.is_dir():
            raise InputError(f"{str(folder)!r} is no folder: results go into one.")
    if path.suffix == ".parquet" and find_spec("pyarrow") is None:
        raise InputError('--parquet needs pyarrow: pip install "rb-core[parquet]".')


def write_table(table, path):
    """Write the table as the file's name says: .csv or .parquet."""
    with replacing(path) as part:
        if path.suffix == ".parquet":
            table.to_parquet(part, index=False)
        else:
            table.to_csv(part, index=False)


def write_provenance(sweep, seconds, path):
    """Keep, beside the table, what made it: the sweep's own text, versions, code of own agents."""
    sources = {run.name: source_of(type(run.agent)) for run in sweep.runs}
    made = {
        "command": f"rb sweep {sweep.name}.yml",
        "sweep": sweep.text.splitlines(),
        "runs": len(sweep.runs),
        "simulations": sweep.sims,
        "seed": sweep.seed,
        "own agents": {name: source for name, source in sources.items() if source},
        **made_with(),
        "core seconds": round(seconds, 1),
    }
    with replacing(path) as part:
        part.write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")


def write_summary(table, path):
    """Execute the summary notebook on the table beside it."""
    execute(read(SUMMARY), SUMMARY.stem, {"table": table.name}, path, path.parent.absolute(), 600,
            progress=False)
