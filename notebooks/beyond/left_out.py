"""What PlanUCB leaves out for the sake of speed, and what that costs: part of `make beyond`.

Planning exactly for more joint states, or searching with a beam twice as deep or as wide, would
only change numbers that are read when a run begins. Both ways play the same runs: PlanUCB draws no
random numbers, and the rewards of a run come from the same stream. Their seed is 17, which chose
nothing. Writes notebooks/beyond/left_out.json.
"""

import datetime
import json
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from unittest.mock import patch

import numpy as np

import rb_core as rb
from rb_core.agents import plan_ucb
from rb_core.engine.blocks import maker_of
from rb_core.engine.files import replacing
from rb_core.lab.race import reference
from rb_core.simulation import cores

OUT = Path(__file__).with_suffix(".json")
SEED, ROUNDS = 17, 100_000
EXACT, DEEP, WIDE = "exact up to 20,000 states", "a beam twice as deep", "a beam twice as wide"
OTHERWISE = {EXACT: {"MOST_STATES": 20_000}, DEEP: {"DEPTH": 4}, WIDE: {"WIDTH": 32}}
SIX = {f"6-Homo, {shape}": [rb.setting("6-homo", shape, "normal")]
       for shape in ("increasing", "peaked")}
FIFTY = {f"{kind} 50 x 20": [rb.family(kind, 50, 20, 700 + i, "normal") for i in range(20)]
         for kind in ("rising", "peaked")}
CASES = [(EXACT, SIX, 60), (DEEP, SIX, 60), (WIDE, SIX, 60), (DEEP, FIFTY, 1), (WIDE, FIFTY, 1)]


def losses(bandits, sims, workers):
    """What every run lost, and nanoseconds a round."""
    lost, start = [], time.process_time()
    with ThreadPoolExecutor(workers) as executor:
        for bandit in bandits:
            runs = rb.simulate(bandit, rb.PlanUCB(), ROUNDS, sims, SEED, executor=executor)
            lost += list(1 - runs.total / (ROUNDS * reference(bandit)))
    return np.array(lost), (time.process_time() - start) / len(lost) / ROUNDS * 1e9


def main(workers):
    rows, plain = [], {}
    for what, bandits, sims in CASES:
        for name, each in bandits.items():
            rb.simulate(each[0], rb.PlanUCB(), 1_000, 1)  # now all is compiled
            plain[name] = plain.get(name) or losses(each, sims, workers)
            with patch.multiple(plan_ucb, **OTHERWISE[what]):
                other = losses(each, sims, workers)
            rows.append({
                "what": what, "bandits": name, "runs": len(other[0]),
                "loss": plain[name][0].mean(), "loss otherwise": other[0].mean(),
                "difference": rb.bootstrap(other[0] - plain[name][0], np.mean),
                "nanoseconds": round(plain[name][1]), "nanoseconds otherwise": round(other[1]),
            })
            print(rows[-1], flush=True)
    about = {"date": datetime.date.today().isoformat(), "seed": SEED, "rounds": ROUNDS,
             "made by": maker_of(rb.PlanUCB)._asdict(), "rows": rows}
    with replacing(OUT) as part:
        part.write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else cores())
