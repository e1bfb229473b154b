"""Recompute results and compare every bit of them."""

from concurrent.futures import Executor
from dataclasses import replace
from fnmatch import fnmatch
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from rb_core.checks import InputError, choice, whole
from rb_core.evaluation import BEYOND, Experiment, experiments
from rb_core.lab.results import Results, expected_results, read_results
from rb_core.lab.verify_tables import check_code, compare_rows, is_table, read_table
from rb_core.planning import Optimum, optimum
from rb_core.simulation import Runs, one_job, run_jobs
from rb_core.summary import LEVELS, Summary, measure, summarise

# One number a simulation: a few of them can be recomputed alone.
A_RUN = ("reward", "total", "regret", "strictly_optimal", "tail_regret")


class Verified(NamedTuple):
    """What was really compared.

    Attributes
    ----------
    files, simulations, numbers : int
        How many.
    remarks : tuple of str
        What else is worth knowing, such as other versions.

    Examples
    --------
    >>> import rb_core as rb
    >>> print(rb.Verified(files=1, simulations=2, numbers=10))
    2 simulations in 1 files recomputed, 10 numbers compared: all the same.
    """

    files: int
    simulations: int
    numbers: int
    remarks: tuple[str, ...] = ()

    def __str__(self) -> str:
        counted = (f"{self.simulations:,} simulations in {self.files} files recomputed, "
                   f"{self.numbers:,} numbers compared: all the same.")
        return "\n".join([*self.remarks, counted])


def verify(
    folder: str | Path,
    only: str = "*",
    sims: int | str = 2,
    executor: Executor | None = None,
) -> Verified:
    """Recompute files of results and tables of losses, and compare; the first difference is an
    InputError.

    Parameters
    ----------
    folder : path
        With files of :func:`reproduce`, or tables of :func:`race`.
    only : str
        The files, by a pattern of their names.
    sims : int or "all"
        How many simulations of each agent in a file, chosen at random. From a few of them
        quantiles and endings cannot be told, only whether they agree with the rest of the file;
        "all" recomputes every number in it.
    executor : concurrent.futures.Executor, optional
        Who does the work; by default threads, one for each core of this machine.

    Returns
    -------
    Verified
        How much was compared.

    Examples
    --------
    >>> import rb_core as rb
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     store = rb.Store(f"{folder}/blocks")
    ...     _ = rb.reproduce("smoke", "small-normal-discounted", folder, store)
    ...     rb.verify(folder, sims=1).simulations
    6
    """
    if sims != "all":
        sims = whole("sims", sims, 1)
    paths = sorted(path for path in Path(folder).glob("*.*") if fnmatch(path.stem, only)
                   and (path.suffix == ".npz" or is_table(path)))
    if not paths:
        raise InputError(f"There are no results that match {only!r} in {str(folder)!r}.")
    done = [verify_file(path, sims, executor) for path in paths]
    remarks = tuple(dict.fromkeys(said for each in done for said in each.remarks))
    return Verified(len(paths), sum(each.simulations for each in done),
                    sum(each.numbers for each in done), remarks)


def verify_file(path: Path, sims: int | str, executor: Executor | None = None) -> Verified:
    """Recompute one file of results, or some rows of a table of losses."""
    if path.suffix == ".csv":
        return _verify_table(path, sims, executor)
    found = read_results(path)
    chosen = replace(experiments()[choice("experiment", found.experiment, experiments())],
                     rounds=whole("rounds", found.rounds, 2))
    chosen = chosen.beyond if tuple(found.agents) == BEYOND else chosen
    remarks = _check_claims(path, found, chosen)
    lacks = found.notes.get("lacks", [])
    remarks += [f"Results lack {' and '.join(lacks)}."] if lacks else []
    best = optimum(chosen.bandit, chosen.rounds, chosen.gamma)
    simulations = numbers = 0
    for name, agent in chosen.agents.items():
        said, of = found.measured[name].summary, f"{path.name}: {name}"
        _check_shapes(of, said, found.simulations, lacks, chosen, best)
        if sims == "all":
            again = measure(chosen.problem, agent, best, found.simulations, chosen.seed,
                            executor).summary
            numbers += _compare(of, said, again)
            simulations += found.simulations
        else:
            rng = np.random.default_rng()
            picked = rng.choice(found.simulations, min(int(sims), found.simulations), replace=False)
            jobs = [one_job(chosen.problem, agent, chosen.seed, int(i), 1) for i in picked]
            for job, signed in run_jobs(jobs, executor):
                runs = Runs.of_block(chosen.problem, agent, chosen.seed, signed.block)
                again = summarise(runs, best)
                numbers += _compare(f"{of}, simulation {job.first}", _row(said, job.first), again)
            simulations += len(picked)
    return Verified(1, simulations, numbers, tuple(remarks))


def _verify_table(path: Path, sims: int | str, executor: Executor | None) -> Verified:
    table, rng = read_table(path), np.random.default_rng()
    rows = [rows[i] for rows in table.rows.values() for i in rng.permutation(len(rows))[
        : None if sims == "all" else int(sims)]]
    return Verified(1, len(rows), compare_rows(table, rows, executor), tuple(table.remarks))


def _check_claims(path: Path, found: Results, chosen: Experiment) -> list[str]:
    """What a file says of itself: name, agents, seed, code. Returns what is worth knowing."""
    wanted = expected_results(chosen, found.simulations)
    if path.stem != found.experiment:
        raise InputError(f"{path.name} holds the results of {found.experiment}: it was renamed.")
    if list(found.agents) != list(wanted.agents):
        differ = sorted(set(found.agents) ^ set(wanted.agents)) or list(found.agents)
        raise InputError(f"{path.name} has not the agents of its experiment: {', '.join(differ)}.")
    for what in ("bandit", "seed", "agents"):
        if getattr(found, what) != getattr(wanted, what):
            raise InputError(f"{path.name} was made with another {what.removesuffix('s')} than the "
                             f"experiment's.")
    remarks = []
    for name, agent in chosen.agents.items():
        remarks += check_code(path.name, name, found.measured[name].maker, type(agent))
    return remarks


def _check_shapes(
    of: str, said: Summary, sims: int, lacks: list[str], chosen: Experiment, best: Optimum
) -> None:
    """Whether the parts of a summary have their lengths, and agree with each other."""
    one = summarise_one(chosen, best)
    for key in Summary._fields:
        value, like = getattr(said, key), getattr(one, key)
        if value is None and key not in lacks:
            raise InputError(f"{of}: {key} is missing.")
        if value is None or key == "endings":
            continue
        length = sims if key in A_RUN else min(sims, 50) if key == "curves" else len(like)
        shape = (length, *like.shape[1:])
        if value.dtype != like.dtype or value.shape != shape:
            raise InputError(f"{of}: {key} has the shape {value.shape}, not {shape}.")
    derived: dict[str, Any] = {
        "checkpoints": (said.checkpoints, one.checkpoints),
        "reward or regret": (said.regret, best.value - said.reward),
        "quantiles": (said.quantiles[:, -1], np.quantile(said.regret, LEVELS)),
        "endings": (sum(count for _, count in said.endings), sims),
    }
    if said.curves is not None:
        derived["curves"] = said.curves[:, -1], said.regret[:50].astype(np.float32)
    for key, (left, right) in derived.items():
        if not np.array_equal(left, right):
            raise InputError(f"{of}: {key} does not agree with the rest of the file.")


def summarise_one(chosen: Experiment, best: Optimum) -> Summary:
    """The summary of a single run that earns nothing: what shapes and types must be."""
    room = one_job(chosen.problem, None, chosen.seed, 0, 1).room()
    for part in room:
        part[:] = 0
    room.tail_start[:] = chosen.bandit.s_max
    return summarise(Runs.of_block(chosen.problem, None, chosen.seed, room), best)


def _row(said: Summary, i: int) -> Summary:
    """What a summary says of one of its runs; None where it says nothing."""
    one: dict[str, Any] = dict.fromkeys(Summary._fields)
    one |= {key: value[i : i + 1] for key in A_RUN if (value := getattr(said, key)) is not None}
    if said.curves is not None and i < len(said.curves):
        one["curves"] = said.curves[i : i + 1]
    return Summary(**one)


def _compare(of: str, said: Summary, again: Summary) -> int:
    """How many numbers were compared; the first field that differs is an InputError."""
    compared = 0
    for key in Summary._fields:
        left, right = getattr(said, key), getattr(again, key)
        if left is None:
            continue  # results of the first edition lack it
        if not (left == right if key == "endings" else np.array_equal(left, right)):
            raise InputError(f"{of} comes out with another {key} than the file has.")
        compared += np.size(left)
    return compared
