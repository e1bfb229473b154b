"""`make beyond`: PlanUCB on the paper's experiments, and everybody on random families.

    .venv/bin/python notebooks/beyond/families.py          runs what is missing, writes all
    .venv/bin/python notebooks/beyond/families.py kept     runs nothing, writes what the store has

From nothing it is two and a half hours on one core. What is written already, by the code that an
agent has now, is not computed again, nor what the store has: an agent that a suite gains later adds
its column. Cheap cells come first, and cells that cost the same go on table by table, so that a run
that was interrupted has compared everybody on the same tables. The results lie beside this file,
apart from the paper's: a file for each experiment, which `rb verify` checks, and one table of all
families with what made it.
"""

import csv
import datetime
import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path
from typing import NamedTuple

import rb_core as rb
from rb_core.agents import AGENTS
from rb_core.engine.blocks import maker_of
from rb_core.engine.files import replacing
from rb_core.lab.cost import seconds_per_round
from rb_core.lab.race import COMPETITORS, SUITES, Cell, entries, losses_of
from rb_core.simulation import block_name, cores, run_jobs

OUT = Path(__file__).parent
LOSSES, ABOUT = OUT / "families.csv", OUT / "families.json"
ENTERED = ("small", "large", "small-long", "large-long")
DIGITS = 6  # of a loss: its interval over tables is never finer


def main(workers: int) -> None:
    store, found = rb.Store(), written()
    with ThreadPoolExecutor(workers) as executor:
        rb.reproduce("beyond", out=OUT, store=store, executor=executor, say=print)
        jobs = all_entries()
        todo = [job for job in in_order(jobs)
                if not found.has(job, *jobs[job]) and block_name(job) not in store]
        print(f"{len(todo)} blocks of the families to compute.", flush=True)
        for done, _ in enumerate(run_jobs(todo, executor, store), 1):
            if done % 100 == 0:
                print(f"{done} done.", flush=True)
    write(found, store)


class Found(NamedTuple):
    """What is known of the families."""

    losses: dict  # (suite, cell, table, run): the loss of each agent, by its name
    makers: dict  # name: the code and the versions that made its losses
    seconds: dict  # cell: core seconds, by name
    cost: dict  # nanoseconds a round of PlanUCB with many arms, if they were measured

    def has(self, job, suite, cell, name, table):
        return all(name in self.losses.get((suite, *cell, table, run), {})
                   for run in range(job.first, job.first + job.count))

    def add(self, job, signed, suite, cell, name, table):
        for each in losses_of(job, signed, cell, name, table):
            row = self.losses.setdefault((suite, *cell, table, each.run), {})
            row[name] = round(each.loss, DIGITS)
        self.makers[name] = signed.maker._asdict()
        took = self.seconds.setdefault(str(cell), {})
        took[name] = round(took.get(name, 0) + signed.seconds, 2)


def written() -> Found:
    """What lies beside this file and was made by the code that the agents have now."""
    if not ABOUT.exists():
        return Found({}, {}, {}, {})
    about = json.loads(ABOUT.read_text("utf-8"))
    makers = {name: maker for name, maker in about["made by"].items()
              if maker["code"] == maker_of(type(AGENTS[name].make(0.9))).code}
    seconds = {cell: {name: took for name, took in each.items() if name in makers}
               for cell, each in about["core seconds"].items()}
    kinds = {"suite": str, **Cell.__annotations__, "table": int, "run": int}
    with open(LOSSES, encoding="utf-8") as file:
        losses = {tuple(kind(row[key]) for key, kind in kinds.items()):
                  {name: float(row[name]) for name in makers if row[name]}
                  for row in csv.DictReader(file)}
    cost = about["nanoseconds a round"] if "PlanUCB" in makers else {}
    return Found(losses, makers, seconds, cost)


def all_entries():
    """All simulations of the suites: (suite, cell, agent's name, table) of each job."""
    return {job: (suite, *about) for suite in ENTERED
            for job, (about,) in entries(SUITES[suite], {}).items()}


def in_order(jobs):
    """The jobs by what their cells cost, and then table by table.

    Of what is dear, the second half of the tables and then the competitors come last.
    """
    def cost(job):
        suite, cell, name, table = jobs[job]
        size = cell.arms * cell.s_max * cell.rounds
        later = size >= 10**8 and (name in COMPETITORS, 2 * table >= SUITES[suite].tables)
        return later or (False, False), size, table
    return sorted(jobs, key=cost)


def write(found: Found, store: rb.Store) -> None:
    """All losses, with those that the store has besides: a row a run, a column an agent."""
    for job, about in all_entries().items():
        signed = None if found.has(job, *about) else store.get(block_name(job))
        if signed is not None:
            found.add(job, signed, *about)
    named = [name for suite in ENTERED for name in SUITES[suite].agents]  # in the suites' order
    found = found._replace(makers={name: found.makers[name] for name in dict.fromkeys(named)
                                   if name in found.makers})
    # A table counts once everybody has played on it; competitors may come later.
    own = {suite: set(SUITES[suite].agents) - set(COMPETITORS) for suite in ENTERED}
    losses = {key: row for key, row in found.losses.items() if own[key[0]] <= set(row)}
    with replacing(LOSSES) as part, open(part, "w", encoding="utf-8") as file:
        lines = csv.writer(file, lineterminator="\n")
        lines.writerow(["suite", *Cell._fields, "table", "run", *found.makers])
        for key in sorted(losses):
            lines.writerow([*key, *(losses[key].get(name, "") for name in found.makers)])
    head = ["git", "rev-parse", "HEAD"]
    about = {
        "date": datetime.date.today().isoformat(),
        "commit": subprocess.run(head, cwd=OUT, capture_output=True, text=True).stdout.strip(),
        "suites": {name: asdict(SUITES[name]) for name in ENTERED},
        "made by": found.makers,
        "core seconds": found.seconds,
        "nanoseconds a round": found.cost or {"100x30": cost_of_large_plans()},
    }
    with replacing(ABOUT) as part:
        part.write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")


def cost_of_large_plans(rounds=100_000):
    """Nanoseconds a round of PlanUCB with 100 arms and s_max 30, one bandit of each family."""
    return {kind: round(seconds_per_round(rb.family(kind, 100, 30, seed=700, reward="normal"),
                                          rb.PlanUCB(), rounds) * 1e9)
            for kind in ("rising", "peaked", "free")}


if __name__ == "__main__":
    if sys.argv[1:] == ["kept"]:
        write(written(), rb.Store())
    else:
        main(int(sys.argv[1]) if len(sys.argv) > 1 else cores())
