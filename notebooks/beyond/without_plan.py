"""What of PlanUCB's lead is the table's, and what the plan's: part of `make beyond`.

Its twin here keeps the same optimistic table, renews it by the same rule, and plans nothing: it
pulls what the table says pays most now. It plays the paper's experiments at their size, and the
tables of the suites in SUITES_ENTERED, where PlanUCB's runs lie in families.csv. Its seeds are
those of PlanUCB's runs, and chose nothing. Writes without_plan.json beside this file, and goes on
where it stopped.

    .venv/bin/python notebooks/beyond/without_plan.py [WORKERS]
"""

import datetime
import json
import sys
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import rb_core as rb
from rb_core.agents.plan_ucb import PlanUCBMemory, be_optimistic
from rb_core.engine.blocks import maker_of
from rb_core.engine.files import replacing
from rb_core.lab.race import SUITES, reference
from rb_core.simulation import cores

OUT = Path(__file__).with_suffix(".json")
SUITES_ENTERED = ("small", "large")
SEED, SIMS = 16, 1_000


@dataclass(frozen=True)
class Myopic:
    """PlanUCB's table without its plan."""

    def init(self, arms, s_max, rounds):
        return MyopicMemory(rb.PlanUCB().init(arms, s_max, rounds))


class MyopicMemory(NamedTuple):
    plain: PlanUCBMemory

    def act(self, t, state, rng):
        plain = self.plain
        arms, s_max = plain.upper.shape
        if t <= arms:
            return t - 1  # at first, every arm in turn, as PlanUCB does
        if t == arms + 1 or (
                (plain.wait[0] != 0 or t >= plain.wait[2]) and t >= plain.wait[1]):
            be_optimistic(plain, t - 1, plain.rounds)
            for a in range(arms):
                for s in range(s_max):
                    n = plain.counts[a, s]
                    plain.due[a, s] = n + 1 + n // 10
            plain.wait[0], plain.wait[1] = 0, t + s_max
            plain.wait[2] = t + (plain.rounds - t) // 2 + 1
        best = 0
        for a in range(1, arms):
            if plain.upper[a, state[a] - 1] > plain.upper[best, state[best] - 1]:
                best = a
        return best

    def learn(self, t, state, arm, reward, next_state):
        self.plain.learn(t, state, arm, reward, next_state)


def experiment(name: str, executor: Executor) -> dict:
    """Mean regret of the twin in an experiment of the paper, and how many runs end optimally."""
    chosen = rb.experiment(name)
    best = rb.optimum(chosen.bandit, chosen.rounds, chosen.gamma)
    runs = rb.simulate(chosen.bandit, Myopic(), chosen.rounds, SIMS, SEED, gamma=chosen.gamma,
                       executor=executor)
    return {"regret": rb.mean_interval(rb.regret(runs, best)[:, -1]),
            "optimal": int(rb.is_optimal(runs, best).sum())}


def cell(suite: str, which, executor: Executor) -> dict:
    """Mean loss of the twin on each table of a cell."""
    chosen, losses = SUITES[suite], []
    for table in range(chosen.tables):
        bandit = which.bandit(chosen.seed + table)
        runs = rb.simulate(bandit, Myopic(), which.rounds, chosen.runs, chosen.seed,
                           executor=executor)
        losses.append(round(float(1 - runs.total.mean() / (which.rounds * reference(bandit))), 6))
    return {"losses": losses}


def main(workers: int) -> None:
    code = maker_of(Myopic).code
    kept = json.loads(OUT.read_text("utf-8")) if OUT.exists() else {}
    found = {what: kept.get(what, {}) if kept.get("code") == code else {}
             for what in ("experiments", "cells")}
    with ThreadPoolExecutor(workers) as executor:
        todo = [("experiments", name, lambda name=name: experiment(name, executor))
                for name in rb.experiments()]
        todo += [("cells", str(each), lambda s=suite, c=each: cell(s, c, executor))
                 for suite in SUITES_ENTERED for each in SUITES[suite].cells()]
        for what, name, compute in todo:
            if name in found[what]:
                continue
            found[what][name] = compute()
            print(name, flush=True)
            about = {"date": datetime.date.today().isoformat(), "code": code, "seed": SEED}
            with replacing(OUT) as part:
                part.write_text(json.dumps(about | found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else cores())
