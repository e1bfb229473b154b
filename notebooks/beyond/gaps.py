"""`make gaps`: how far schedules are from their bound, and which of the two is the loose side.

Schedules at effort 1 for large tables of three families; and small tables of the same families that
are solved exactly, with a bound and a search that take together no more arms than in large tables.
Where the gap of a large table is larger than hoped for, its bound is computed again with larger
groups, and its schedule with ten times the effort; and the arms of its cycle, with as many others
as can be solved exactly, get their own optimum and bound. About twelve minutes on one core. What is
found lies in notebooks/beyond/gaps.json, with what made it.
"""

import datetime
import json
import subprocess
from itertools import product
from pathlib import Path

import rb_core as rb
from rb_core.engine.files import replacing
from rb_core.engine.stamp import stamp
from rb_core.pricing import price_of_a_pull
from rb_core.scheduling import (
    MOVES,
    bound_by_groups,
    most_together,
    order_of_use,
    search_cycle,
    states_of,
)

OUT = Path(__file__).with_suffix(".json")
FAMILIES = ("rising", "peaked", "free")
LARGE = ((20, 10), (50, 20), (100, 30))
SOLVED = ((6, 8), (6, 9))
SEEDS = range(4000, 4005)  # none of them was looked at while the search was made
TOGETHER = 3  # arms in a group, as for s_max 20 and 30
HOPED = {"rising": 0.003, "peaked": 0.02, "free": 0.003}  # for gaps
MORE = 1_000_000  # joint states of a group, or of arms to solve, where the gap is larger than that
HARDER = 10.0  # times the effort of a schedule there
CODE = (rb.schedule, rb.family, rb.optimum, bound_by_groups, search_cycle, states_of)


def large(name, arms, s_max, seed):
    """A schedule and its bound."""
    found = rb.schedule(rb.family(name, arms, s_max, seed))
    return {"average": found.average, "bound": found.bound, "rounds": len(found.cycle),
            "arms used": len({arm for arm, _ in found.cycle})}


def solved(name, arms, s_max, seed):
    """The same where the optimum is known."""
    bandit = rb.family(name, arms, s_max, seed)
    bound = bound_by_groups(bandit.means, TOGETHER)
    cycle = search_cycle(bandit.means, bound, MOVES // 10, exact=s_max**TOGETHER)
    rewards = bandit.means[cycle, [state - 1 for state in states_of(cycle, s_max)]]
    return {"average": float(rewards.mean()), "bound": bound,
            "optimum": rb.optimum(bandit, rounds=1).average}


def tightened(name, arms, s_max, seed):
    """The bound with larger groups, which takes seconds."""
    means = rb.family(name, arms, s_max, seed).means
    return bound_by_groups(means, most_together(arms, s_max, MORE))


def few(name, arms, s_max, seed):
    """The arms of the cycle and those of most use besides, as many as can be solved exactly."""
    bandit = rb.family(name, arms, s_max, seed)
    in_cycle = dict.fromkeys(arm for arm, _ in rb.schedule(bandit).cycle)
    order = order_of_use(bandit.means, price_of_a_pull(bandit.means)[0])
    chosen = list(in_cycle | dict.fromkeys(order))[: most_together(arms, s_max, MORE)]
    assert set(in_cycle) <= set(chosen)
    means = bandit.means[chosen]
    return {"few arms": len(chosen), "their bound": bound_by_groups(means, TOGETHER),
            "their optimum": rb.optimum(rb.RecoveringBandit(means), rounds=1).average}


def main():
    """Goes on where it stopped, if the code is still the same."""
    code = stamp(*CODE)
    kept = json.loads(OUT.read_text("utf-8")) if OUT.exists() else {}
    found = {kind: kept.get(kind, []) if kept.get("code") == code else []
             for kind in ("large", "solved")}
    for kind, sizes in ((large, LARGE), (solved, SOLVED)):
        rows = found[kind.__name__]
        for name, (arms, s_max), seed in product(FAMILIES, sizes, SEEDS):
            row = {"family": name, "arms": arms, "s_max": s_max, "seed": seed}
            if not any(row.items() <= each.items() for each in rows):
                rows.append(row | kind(name, arms, s_max, seed))
                print(*rows[-1].values(), flush=True)
                write({"code": code} | found)
    for row in found["large"]:
        if 1 - row["average"] / row["bound"] > HOPED[row["family"]] and "few arms" not in row:
            table = row["family"], row["arms"], row["s_max"], row["seed"]
            row["larger groups"] = tightened(*table)
            row["more effort"] = rb.schedule(rb.family(*table), HARDER).average
            row |= few(*table)
            print(*row.values(), flush=True)
            write({"code": code} | found)


def write(found):
    head = ["git", "-C", str(OUT.parent), "rev-parse", "HEAD"]
    about = {
        "date": datetime.date.today().isoformat(),
        "commit": subprocess.run(head, capture_output=True, text=True).stdout.strip(),
    }
    with replacing(OUT) as part:
        part.write_text(json.dumps(about | found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
