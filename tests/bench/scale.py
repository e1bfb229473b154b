"""How time and memory grow with arms, states and rounds, up to a thousand arms.

    .venv/bin/python -m tests.bench.scale      writes notebooks/beyond/race-scale.json, in minutes

Time is processor time, so that what else the machine does matters little; memory is what the arrays
of an agent's memory hold at the end of a run.
"""

import json
import time
from pathlib import Path

import numpy as np

import rb_core as rb
from rb_core.engine.blocks import maker_of
from rb_core.lab.race import ALWAYS
from rb_core.problem import paper_gamma

OUT = Path(__file__).parents[2] / "notebooks" / "beyond" / "race-scale.json"
ROUNDS = 10_000
BY_ARMS = [(arms, 20, ROUNDS) for arms in (10, 30, 100, 300, 1000)]
BY_STATES = [(50, s_max, ROUNDS) for s_max in (5, 10, 20, 50, 100)]
BY_ROUNDS = [(20, 10, rounds) for rounds in (1000, 10_000, 100_000, 1_000_000)]
PLANNED = [(10, 20), (100, 20), (1000, 20), (1000, 100)]
# Left out: looking two rounds ahead beyond so many pairs of arms times rounds, and tables of all
# pairs of cells beyond so many pairs, which are gigabytes.
MOST_PAIRS, MOST_CELLS = 10**9, 10**8
EFFORT = 0.01


def bytes_of(memory):
    """What the arrays of a memory hold; those that are there under two names count once."""
    found, todo = {}, list(memory)
    while todo:
        each = todo.pop()
        if isinstance(each, tuple):
            todo += each
        elif isinstance(each, np.ndarray):
            found[each.__array_interface__["data"][0]] = each.nbytes
    return sum(found.values())


def seconds(function, *arguments):
    start = time.process_time()
    result = function(*arguments)
    return time.process_time() - start, result


def measured(arms, s_max, rounds):
    """A row for each agent: nanoseconds a round, and bytes."""
    bandit = rb.family("rising", arms, s_max, seed=0)
    for name in ALWAYS:
        agent = rb.AGENTS[name].make(paper_gamma(rounds))
        if getattr(agent, "lookahead", 1) > 1 and arms**2 * rounds > MOST_PAIRS:
            continue
        if isinstance(agent, rb.SSSarsa) and (arms * s_max) ** 2 > MOST_CELLS:
            continue
        rb.trace(bandit, agent, 100)  # compiles
        took, run = seconds(rb.trace, bandit, agent, rounds)
        yield {"agent": name, "arms": arms, "s_max": s_max, "rounds": rounds,
               "nanoseconds a round": round(took / rounds * 1e9), "bytes": bytes_of(run.memory)}


def planned(arms, s_max):
    bandit = rb.family("rising", arms, s_max, seed=0)
    bound, _ = seconds(rb.upper_bound, bandit)
    search, found = seconds(rb.schedule, bandit, EFFORT)
    return {"arms": arms, "s_max": s_max, "seconds of the bound": round(bound, 3),
            "seconds of a schedule": round(search, 3), "gap": round(found.gap, 5)}


def main():
    rb.schedule(rb.family("rising", 4, 3, seed=0), EFFORT)  # compiles
    cases = {"arms": BY_ARMS, "s_max": BY_STATES, "rounds": BY_ROUNDS}
    report = {by: [row for case in sizes for row in measured(*case)]
              for by, sizes in cases.items()}
    report["planning"] = [planned(*size) for size in PLANNED]
    report["made"] = {
        "command": ".venv/bin/python -m tests.bench.scale", "date": time.strftime("%Y-%m-%d"),
        "effort": EFFORT,
        "code": {name: maker_of(type(rb.AGENTS[name].make(0.9))).code for name in ALWAYS},
    }
    OUT.write_text(json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    main()
