"""`make beyond`: PlanUCB on the paper's experiments, and everybody on random families.

Runs what the store lacks of the 36 experiments at the paper's size, and of four suites of random
bandits: about an hour on one core from nothing. The results lie in notebooks/beyond, apart from the
paper's: a file for each experiment, which `rb verify` checks, and one table of all races with what
made it. An agent that a suite gains later adds its column, and nothing else is computed again.
"""

import csv
import datetime
import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import rb_core as rb
from rb_core.engine.files import replacing
from rb_core.lab.race import SUITES, Cell
from rb_core.simulation import cores

TOP = Path(__file__).parents[1]
OUT = TOP / "notebooks" / "beyond"
RACES = TOP / "_build" / "beyond"
ENTERED = ("small", "large", "small-long", "large-long")
DIGITS = 6  # of a loss: its interval over tables is never finer


def main(workers: int) -> None:
    with ThreadPoolExecutor(workers) as executor:
        rb.reproduce("beyond", out=OUT, executor=executor, say=print)
        for suite in ENTERED:
            print(f"Suite {suite}: {len(list(SUITES[suite].cells()))} cells.", flush=True)
            rb.race(suite, out=RACES, executor=executor, store=rb.Store())
    write(*table(ENTERED, RACES))


def table(suites, folder):
    """The losses of all suites, a row for each table and run; and what made them."""
    losses, made = {}, {"suites": {}, "made by": {}, "core seconds": {}}
    for suite in suites:
        cells = {str(cell): (suite, *cell) for cell in SUITES[suite].cells()}
        with open(folder / f"{suite}.csv", encoding="utf-8") as file:
            for row in csv.DictReader(file):
                key = *cells[row["cell"]], int(row["table"]), int(row["run"])
                losses.setdefault(key, {})[row["agent"]] = round(float(row["loss"]), DIGITS)
        about = json.loads((folder / f"{suite}.json").read_text("utf-8"))
        made["suites"][suite] = about["suite"]
        for agent, maker in about["made by"].items():
            maker.pop("agent")  # its discount depends on the rounds
            made["made by"][agent] = maker
        made["core seconds"] |= about["core seconds"]
    return losses, made


def write(losses, made):
    agents = list(made["made by"])
    with replacing(OUT / "families.csv") as part, open(part, "w", encoding="utf-8") as file:
        lines = csv.writer(file, lineterminator="\n")
        lines.writerow(["suite", *Cell._fields, "table", "run", *agents])
        for key in sorted(losses):
            lines.writerow([*key, *(losses[key].get(agent, "") for agent in agents)])
    head = ["git", "rev-parse", "HEAD"]
    about = {
        "date": datetime.date.today().isoformat(),
        "commit": subprocess.run(head, cwd=TOP, capture_output=True, text=True).stdout.strip(),
        **made,
    }
    with replacing(OUT / "families.json") as part:
        part.write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else cores())
