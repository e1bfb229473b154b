"""Recompute rows of tables of losses, those of races and of notebooks/beyond/families.csv, and
compare."""

import csv
import json
from collections.abc import Iterable, Sequence
from concurrent.futures import Executor
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

from rb_core.agents import AGENTS
from rb_core.checks import InputError, choice, failures_of
from rb_core.engine.blocks import Job, Maker, maker_of
from rb_core.lab.race import SUITES, Cell, losses_of, reference_said
from rb_core.lab.reproduce import other_versions
from rb_core.problem import Problem, paper_gamma
from rb_core.simulation import one_job, run_jobs

DIGITS = 6  # of a loss in a table with a column for each agent


class Row(NamedTuple):
    """What a table says that one run lost."""

    suite: str
    cell: Cell
    agent: str
    table: int
    run: int
    loss: float

    def __str__(self) -> str:
        return f"{self.agent}, {self.cell}, table {self.table}, run {self.run}"

    def job(self) -> Job:
        """The run, from nothing but its address."""
        seed, rounds = SUITES[self.suite].seed, self.cell.rounds
        agent = AGENTS[self.agent].make(paper_gamma(rounds))
        problem = Problem(self.cell.bandit(seed + self.table), rounds)
        return one_job(problem, agent, seed, self.run, 1)


class Table(NamedTuple):
    """A table of losses: its rows by agent, and what is worth knowing besides."""

    name: str
    rows: dict[str, list[Row]]
    references: dict[str, dict[str, list[float]]]  # cell: the optimum or the bound of each table
    digits: int | None  # to which losses are rounded
    remarks: list[str]


def is_table(path: Path) -> bool:
    """Whether a CSV file has beside it what made its losses."""
    said = path.with_suffix(".json")
    return path.suffix == ".csv" and said.exists() and '"suite' in said.read_text("utf-8")


def read_table(path: Path) -> Table:
    """What a table says; one that says nonsense of itself, or was made by other code, is an
    InputError."""
    with failures_of(f"Reading {path.name}"):
        about = json.loads(path.with_suffix(".json").read_text("utf-8"))
        remarks, wide = _check_claims(path, about), "suites" in about
        with open(path, newline="", encoding="utf-8") as file:
            lines = csv.DictReader(file)
            found = list(_wide(lines, about["made by"]) if wide else _long(lines, path.stem))
        cells = {name: set(SUITES[name].cells()) for name in {row.suite for row in found}}
    rows: dict[str, list[Row]] = {}
    for row in found:
        rows.setdefault(row.agent, []).append(row)
        suite = SUITES[row.suite]
        if row.cell not in cells[row.suite] or row.table not in range(suite.tables) or (
                row.run not in range(suite.runs)):
            raise InputError(f"{path.name}: {row} is no run of its suite.")
    if len({row[:-1] for row in found}) < len(found):
        raise InputError(f"{path.name} has two rows of one run.")
    remarks += [f"{path.name}: {name} is no agent of the book's, and was not run again."
                for name in rows if name not in AGENTS]
    return Table(path.name, {name: rows[name] for name in rows if name in AGENTS},
                 about.get("references", {}), DIGITS if wide else None, remarks)


def _check_claims(path: Path, about: dict[str, Any]) -> list[str]:
    """Whether suites and code are those of here. Returns what is worth knowing."""
    for name, said in (about.get("suites") or {path.stem: about["suite"]}).items():
        here = json.loads(json.dumps(asdict(SUITES[choice("suite", name, SUITES)])))
        if {**said, "agents": 0} != {**here, "agents": 0}:
            raise InputError(f"{path.name} was made with another suite {name} than that of here.")
    makers = {name: Maker(*(each[key] for key in Maker._fields))
              for name, each in about["made by"].items() if name in AGENTS}
    return list(dict.fromkeys(
        said for name, maker in makers.items()
        for said in check_code(path.name, name, maker, type(AGENTS[name].make(0.9)))))


def check_code(file: str, name: str, maker: Maker, kind: type) -> list[str]:
    """Refuse what other code has made. Returns what is worth knowing."""
    here = maker_of(kind)
    if maker.code != here.code:
        raise InputError(
            f"{file}: {name} was made by other code ({maker.code}, here {here.code})."
        )
    return [f"Made with {said}." for said in other_versions(maker, here)]


def _long(lines: Iterable[dict[str, str]], suite: str) -> Iterable[Row]:
    cells = {str(cell): cell for cell in SUITES[suite].cells()}
    for line in lines:
        yield Row(suite, cells[line["cell"]], line["agent"], int(line["table"]), int(line["run"]),
                  float(line["loss"]))


def _wide(lines: Iterable[dict[str, str]], agents: Iterable[str]) -> Iterable[Row]:
    for line in lines:
        cell = Cell(*(kind(line[key]) for key, kind in Cell.__annotations__.items()))
        for name in agents:
            if line[name]:
                yield Row(line["suite"], cell, name, int(line["table"]), int(line["run"]),
                          float(line[name]))


def compare_rows(table: Table, rows: Sequence[Row], executor: Executor | None = None) -> int:
    """How many numbers were compared; the first one that comes out differently is an InputError."""
    said: dict[Job, list[Row]] = {}
    for row in rows:  # equal agents under two names share their runs
        said.setdefault(row.job(), []).append(row)
    for job, signed in run_jobs(said, executor):
        for row in said[job]:
            again = losses_of(job, signed, row.cell, row.agent, row.table)[0].loss
            if row.loss != (again if table.digits is None else round(again, table.digits)):
                raise InputError(
                    f"{table.name}: {row} comes out with another loss than the file has.")
            kept = table.references.get(str(row.cell), {})
            best = {kind: each[row.table : row.table + 1] for kind, each in kept.items()}
            if best and best != {
                    kind: [value] for kind, value in reference_said(job.bandit).items()}:
                raise InputError(
                    f"{table.name}: {row} comes out with another reference than the file has.")
    return len(rows) + sum(str(row.cell) in table.references for row in rows)
