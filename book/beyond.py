"""`make beyond`: PlanUCB on the paper's experiments, and everybody on random families.

    .venv/bin/python book/beyond.py          runs what the store lacks, and writes the results
    .venv/bin/python book/beyond.py kept     writes what the store has of the families, runs nothing

From nothing it is an hour on one core. Cheap cells come first, and cells that cost the same go on
table by table, so that a run that was interrupted has compared everybody on the same tables. The
results lie in notebooks/beyond, apart from the paper's: a file for each experiment, which `rb
verify` checks, and one table of all families with what made it. An agent that a suite gains later
adds its column, and nothing else is computed again.
"""

import csv
import datetime
import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path

import rb_core as rb
from rb_core.engine.files import replacing
from rb_core.lab.cost import seconds_per_round
from rb_core.lab.race import COMPETITORS, SUITES, Cell, entries, losses_of
from rb_core.simulation import block_name, cores, run_jobs

TOP = Path(__file__).parents[1]
OUT = TOP / "notebooks" / "beyond"
ENTERED = ("small", "large", "small-long", "large-long")
DIGITS = 6  # of a loss: its interval over tables is never finer


def main(workers: int) -> None:
    store = rb.Store()
    with ThreadPoolExecutor(workers) as executor:
        rb.reproduce("beyond", out=OUT, store=store, executor=executor, say=print)
        todo = [job for job in in_order(all_entries()) if block_name(job) not in store]
        print(f"{len(todo)} blocks of the families to compute.", flush=True)
        for done, _ in enumerate(run_jobs(todo, executor, store), 1):
            if done % 100 == 0:
                print(f"{done} done.", flush=True)
    write(store)


def all_entries():
    """All simulations of the suites: (suite, cell, agent's name, table) of each job."""
    return {job: (suite, *about) for suite in ENTERED
            for job, about in entries(SUITES[suite], {}).items()}


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


def write(store: rb.Store) -> None:
    """The losses that the store has: a row for each run, a column for each agent."""
    losses, makers, seconds = {}, {}, {}
    for job, (suite, cell, name, table) in all_entries().items():
        signed = store.get(block_name(job))
        if signed is not None:
            for each in losses_of(job, signed, cell, name, table):
                row = losses.setdefault((suite, *cell, table, each.run), {})
                row[name] = round(each.loss, DIGITS)
            makers[name] = signed.maker._asdict()
            took = seconds.setdefault(str(cell), {})
            took[name] = round(took.get(name, 0) + signed.seconds, 2)
    # A table counts once everybody has played on it; competitors may come later.
    own = {suite: set(SUITES[suite].agents) - set(COMPETITORS) for suite in ENTERED}
    losses = {key: row for key, row in losses.items() if own[key[0]] <= set(row)}
    with replacing(OUT / "families.csv") as part, open(part, "w", encoding="utf-8") as file:
        lines = csv.writer(file, lineterminator="\n")
        lines.writerow(["suite", *Cell._fields, "table", "run", *makers])
        for key in sorted(losses):
            lines.writerow([*key, *(losses[key].get(name, "") for name in makers)])
    head = ["git", "rev-parse", "HEAD"]
    about = {
        "date": datetime.date.today().isoformat(),
        "commit": subprocess.run(head, cwd=TOP, capture_output=True, text=True).stdout.strip(),
        "suites": {name: asdict(SUITES[name]) for name in ENTERED},
        "made by": makers,
        "core seconds": seconds,
        "nanoseconds a round": {"100x30": cost_of_large_plans()},
    }
    with replacing(OUT / "families.json") as part:
        part.write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")


def cost_of_large_plans(rounds=100_000):
    """Nanoseconds a round of PlanUCB with 100 arms and s_max 30, one bandit of each family."""
    return {kind: round(seconds_per_round(rb.family(kind, 100, 30, seed=700, reward="normal"),
                                          rb.PlanUCB(), rounds) * 1e9)
            for kind in ("rising", "peaked", "free")}


if __name__ == "__main__":
    if sys.argv[1:] == ["kept"]:
        write(rb.Store())
    else:
        main(int(sys.argv[1]) if len(sys.argv) > 1 else cores())
