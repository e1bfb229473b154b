"""What PlanUCB leaves out for the sake of speed, and what that costs: part of `make beyond`.

Planning exactly from the beginning on, or never for many joint states, or searching with a beam
twice as deep or as wide, would only change numbers that are read when a run begins; improving the
cycle of every plan by annealing is an agent of its own here. All play the same runs: PlanUCB draws
no random numbers, and the rewards of a run come from the same stream. Their seed is 17, which chose
nothing. Writes notebooks/beyond/left_out.json, and goes on where it stopped.
"""

import datetime
import json
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

import numpy as np

import rb_core as rb
from rb_core.agents import plan_ucb
from rb_core.agents.plan_ucb import PlanUCBMemory, plan_anew
from rb_core.engine.blocks import maker_of
from rb_core.engine.compiled import lean_kernel
from rb_core.engine.files import replacing
from rb_core.lab.race import reference
from rb_core.scheduling import HOT
from rb_core.search import Cycle, anneal, cycle_average, cycle_room
from rb_core.simulation import cores

OUT = Path(__file__).with_suffix(".json")
SEED = 17
EXACT, NEVER = "exact from the beginning on", "no exact plan for 3,007 states"
DEEP, WIDE = "a beam twice as deep", "a beam twice as wide"
ANNEALED = "5,000 moves of annealing a plan"
OTHERWISE = {EXACT: {"AT_ONCE": 20_000}, NEVER: {"PATIENCE": 10**6}, DEEP: {"DEPTH": 4},
             WIDE: {"WIDTH": 32}}
MOVES, HEAT = 5_000, HOT[0]
SIX = {f"6-Homo, {shape}": [rb.setting("6-homo", shape, "normal")]
       for shape in ("increasing", "peaked")}
FREE, FIFTY = ({f"{kind} {K} x {s_max}": [rb.family(kind, K, s_max, 700 + i, "normal")
                                          for i in range(20)] for kind in kinds}
               for K, s_max, kinds in ((6, 6, ("rising", "peaked", "free")),
                                       (50, 20, ("rising", "peaked"))))
SHORT, LONG = 100_000, 1_000_000
CASES = [(EXACT, SIX, 60, SHORT), (NEVER, SIX, 60, SHORT), (EXACT, FREE, 2, SHORT),
         (NEVER, FREE, 2, LONG), (DEEP, SIX, 60, SHORT), (WIDE, SIX, 60, SHORT),
         (ANNEALED, SIX, 60, SHORT), (DEEP, FIFTY, 1, SHORT), (WIDE, FIFTY, 1, SHORT),
         (ANNEALED, FIFTY, 1, SHORT)]


class Annealed(rb.PlanUCB):
    """PlanUCB whose every plan is improved by annealing."""

    def init(self, arms, s_max, rounds):
        plain = super().init(arms, s_max, rounds)
        return AnnealedMemory(plain, cycle_room(arms, len(plain.path), 0))


class AnnealedMemory(NamedTuple):
    plain: PlanUCBMemory
    cycle: Cycle

    def act(self, t, state, rng):
        plain = self.plain
        if (plain.wait[0] != 0 or t >= plain.wait[2]) and t >= plain.wait[1]:
            plan_anew(plain, t, state)
            polish(plain, self.cycle)
        at = plain.place[0]
        plain.place[0] = at + 1 if at + 1 < plain.place[2] else plain.place[1]
        return plain.path[at]

    def learn(self, t, state, arm, reward, next_state):
        self.plain.learn(t, state, arm, reward, next_state)


@lean_kernel
def polish(plain, cycle):
    """Annealing from the cycle of the plan; what is better takes its place."""
    start, end = plain.place[1], plain.place[2]
    own = cycle_average(plain.upper, plain.path, start, end, plain.beam.last)
    for i in range(start, end):
        cycle.arms[i - start] = plain.path[i]
    cycle.length[0] = end - start
    low = high = plain.cells[0]
    for each in plain.cells:
        low, high = min(low, each), max(high, each)
    hot = HEAT * (high - low)
    if hot > 0.0 and anneal(cycle, plain.upper, MOVES, hot, hot / 50) > own + 1e-9:
        for i in range(cycle.length[1]):
            plain.path[i] = cycle.best[i]
        plain.place[0], plain.place[1], plain.place[2] = 0, 0, cycle.length[1]


def losses(agent, bandits, sims, rounds, workers):
    """What every run lost, and nanoseconds a round."""
    lost, start = [], time.process_time()
    with ThreadPoolExecutor(workers) as executor:
        for bandit in bandits:
            runs = rb.simulate(bandit, agent, rounds, sims, SEED, executor=executor)
            lost += list(1 - runs.total / (rounds * reference(bandit)))
    return np.array(lost), (time.process_time() - start) / len(lost) / rounds * 1e9


def said_of_code():
    """Who made the rows: PlanUCB, as it is and with other constants, and what anneals its plans."""
    return {"made by": maker_of(rb.PlanUCB)._asdict(),
            "annealed by": maker_of(Annealed)._asdict(), "constants": OTHERWISE}


def main(workers):
    made = said_of_code()
    kept = json.loads(OUT.read_text("utf-8")) if OUT.exists() else {}
    rows, plain = kept["rows"] if made.items() <= kept.items() else [], {}
    for what, bandits, sims, rounds in CASES:
        for name, each in bandits.items():
            if any((row["what"], row["bandits"], row["rounds"]) == (what, name, rounds)
                   for row in rows):
                continue
            agent = Annealed() if what == ANNEALED else rb.PlanUCB()
            for some in (rb.PlanUCB(), agent):
                rb.simulate(each[0], some, 1_000, 1)  # now all is compiled
            plain[name, rounds] = plain.get((name, rounds)) or losses(
                rb.PlanUCB(), each, sims, rounds, workers)
            with patch.dict(vars(plan_ucb), OTHERWISE.get(what, {})):
                other = losses(agent, each, sims, rounds, workers)
            rows.append({
                "what": what, "bandits": name, "runs": len(other[0]), "rounds": rounds,
                "loss": plain[name, rounds][0].mean(), "loss otherwise": other[0].mean(),
                "difference": rb.bootstrap(other[0] - plain[name, rounds][0], np.mean),
                "nanoseconds": round(plain[name, rounds][1]),
                "nanoseconds otherwise": round(other[1]),
            })
            print(rows[-1], flush=True)
            about = {"date": datetime.date.today().isoformat(), "seed": SEED, **made,
                     "rows": rows}
            with replacing(OUT) as part:
                part.write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else cores())
