"""PlanUCB once more, on seeds that were fixed when its code was final: part of `make beyond`.

From when on it plans exactly was decided last, when results of an earlier version on the seeds of
the other files here were known. So the paper's experiments with discount are played again, and
random tables of the one size in families.csv where that decision matters, on seeds that nobody had
looked at. Writes confirm.json beside this file, and goes on where it stopped.

    .venv/bin/python notebooks/beyond/confirm.py [WORKERS]
"""

import datetime
import json
import sys
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path

import rb_core as rb
from rb_core.agents import AGENTS
from rb_core.engine.blocks import maker_of
from rb_core.engine.files import replacing
from rb_core.lab.race import ALWAYS, LAWS, OURS, TABULAR, Cell, Suite, reference
from rb_core.simulation import cores

OUT = Path(__file__).with_suffix(".json")
SEED, SIMS = 19, 1_000
LEARNERS = (*ALWAYS, *TABULAR)
SUITES = (Suite(OURS, ((6, 6),), LAWS, (100_000,), 20, 10, LEARNERS, 800),
          Suite(OURS, ((6, 6),), LAWS, (1_000_000,), 20, 2, LEARNERS, 900))


def experiment(name: str, executor: Executor) -> dict:
    """Mean regret of PlanUCB in an experiment of the paper, and how many runs end optimally."""
    chosen = rb.experiment(name)
    best = rb.optimum(chosen.bandit, chosen.rounds, chosen.gamma)
    runs = rb.simulate(chosen.bandit, rb.PlanUCB(), chosen.rounds, SIMS, SEED, gamma=chosen.gamma,
                       executor=executor)
    return {"regret": rb.mean_interval(rb.regret(runs, best)[:, -1]),
            "optimal": int(rb.is_optimal(runs, best).sum())}


def cell(suite: Suite, which: Cell, executor: Executor | None = None, tables=None) -> dict:
    """The mean loss of every learner on each table of a cell."""
    losses = {name: [] for name in suite.agents}
    for table in range(suite.tables) if tables is None else tables:
        bandit = which.bandit(suite.seed + table)
        for name in suite.agents:
            agent = AGENTS[name].make(rb.paper_gamma(which.rounds))
            runs = rb.simulate(bandit, agent, which.rounds, suite.runs, suite.seed,
                               executor=executor)
            lost = 1 - runs.total.mean() / (which.rounds * reference(bandit))
            losses[name].append(round(float(lost), 6))
    return losses


def main(workers: int) -> None:
    makers = {name: maker_of(type(AGENTS[name].make(0.9)))._asdict() for name in LEARNERS}
    kept = json.loads(OUT.read_text("utf-8")) if OUT.exists() else {}
    found = {what: kept.get(what, {}) if kept.get("made by") == makers else {}
             for what in ("experiments", "cells")}
    with ThreadPoolExecutor(workers) as executor:
        todo = [("experiments", name, lambda name=name: experiment(name, executor))
                for name in rb.experiments(discounted=True)]
        todo += [("cells", str(each), lambda s=suite, c=each: cell(s, c, executor))
                 for suite in SUITES for each in suite.cells()]
        for what, name, compute in todo:
            if name not in found[what]:
                found[what][name] = compute()
                print(name, flush=True)
                write({"seed": SEED, "suites": [asdict(each) for each in SUITES],
                       "made by": makers} | found)


def write(about: dict) -> None:
    about = {"date": datetime.date.today().isoformat()} | about
    with replacing(OUT) as part:
        part.write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else cores())
