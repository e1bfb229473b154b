"""`make bench`: how fast the compiled agents are, in one run: against what a round must cost
(floors.c), against C, against NumPy, and against the first edition.

Times are minima over interleaved repeats, and what counts are ratios within one run: absolute
times differ between machines and from minute to minute. The table goes to the terminal and, with
its provenance, to book/benchmark.json, which the status page of the book shows.
"""

import hashlib
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numba
import numpy as np

import rb_core as rb
from rb_core.engine.blocks import Job, maker_of, simulate_block
from rb_core.simulation import cores
from tests.bench import c_agents, first_edition, floors, instructions
from tests.strategies import measured_agents
from tests.witness import plain_run

RESULTS = Path(__file__).parents[2] / "book" / "benchmark.json"
SIZES = {"K = 6, s_max = 3": (6, 3), "K = 6, s_max = 6": (6, 6), "K = s_max = 10": (10, 10)}
ROUNDS, REPEATS = 100_000, 15
GAMMA = 0.99999


def main():
    with tempfile.TemporaryDirectory() as folder, first_edition.running(folder) as before:
        library, floor_of = c_agents.load(folder), floors.load(folder)
        table = [row for size, shape in SIZES.items()
                 for row in speed(size, shape, library, floor_of, before)]
        scaled = scaling(folder)
    report = {
        "speed": table,
        "instructions": by_agent(instructions.counted()),
        "scaling": scaled,
        "start": start_up(),
        "decisions a second": round(decisions_a_second()),
        "made": {
            "command": "make bench", "date": time.strftime("%Y-%m-%d"), "cores": cores(),
            "processor": processor(), "python": platform.python_version(),
            "numpy": np.__version__, "numba": numba.__version__, "rb_core": code(),
        },
    }
    RESULTS.write_text(json.dumps(report, indent=1) + "\n")
    show(report)


def by_agent(counts):
    """Instructions a round, a row an agent."""
    rows = {}
    for (size, name, what), count in counts.items():
        row = rows.setdefault((size, name), {"size": size, "agent": name})
        row[what] = round(count)
    return list(rows.values())


def code():
    """A short name for the code of all agents."""
    stamps = [maker_of(type(agent)).code for agent in measured_agents(GAMMA).values()]
    return hashlib.sha256(" ".join(stamps).encode()).hexdigest()[:16]


def speed(size, shape, library, floor_of, before, rounds=ROUNDS, repeats=REPEATS):
    """Nanoseconds a round of every agent, in all the ways that there are of it."""
    bandit = rb.RecoveringBandit(np.tile(np.linspace(0.1, 0.6, shape[1]), (shape[0], 1)))
    for name, agent in measured_agents(GAMMA).items():
        ways = ways_to_play(bandit, name, agent, rounds, library, floor_of, before)
        seconds = {way: [] for way in ways}
        for repeat in range(-1, repeats):  # the first one compiles
            for way, play in ways.items():
                if way != "NumPy" or repeat == 0:  # of which one is enough: it takes seconds
                    seconds[way] += [play(max(repeat, 0))] * (repeat >= 0)
        ns = {way: min(each) / rounds * 1e9 for way, each in seconds.items()}
        row = {way: round(ns[way], 1) if way in ns else None for way in WAYS}
        times = {f"times {way}": round(ns["compiled"] / ns[way], 2) if way in ns else None
                 for way in WAYS[1:-1]}
        yield {"size": size, "agent": name, **row, **times}


WAYS = ("compiled", "floor", "first edition", "C", "NumPy")


def ways_to_play(bandit, name, agent, rounds, library, floor_of, before):
    """Functions that play simulation number i and return the seconds that it took."""

    def compiled(i):
        seconds, earned[i] = timed(simulate_block, Job(bandit, agent, rounds, 1.0, 0, i, 1))
        return seconds

    def in_c(i):
        seconds, (_, same, _) = timed(c_agents.play, library, bandit, agent, rounds, 0, i)
        if abs(earned[i].undiscounted[0, -1] - same) > 1e-6:
            raise SystemExit(f"{name}: the compiled agent and the C one differ.")
        return seconds

    earned, ways = {}, {"compiled": compiled}
    if name in floor_of:
        arms = rb.trace(bandit, agent, rounds).arms
        walk = floors.walk(arms, *bandit.means.shape)
        ways["floor"] = lambda i: timed(floor_of[name], i, bandit.means, rounds, walk)[0]
    if before is not None and type(agent).__name__ in first_edition.AGENTS:
        ways["first edition"] = lambda i: before(repr(agent), bandit.means.tolist(), rounds, i)
    if type(agent).__name__ in library:
        ways["C"] = in_c
    ways["NumPy"] = lambda i: timed(plain_run, bandit, agent, rounds)[0]
    return ways


def timed(function, *arguments):
    start = time.perf_counter()
    result = function(*arguments)
    return time.perf_counter() - start, result


def decisions_a_second(rounds=ROUNDS):
    """Choices, each with its observation, of a player with ten arms who plans while learning."""
    rewards = np.random.default_rng(0).random(rounds).tolist()

    def decide():
        player = rb.Player(rb.PlanUCB(), 10, 10, rounds=rounds)
        for reward in rewards:
            player.choose()
            player.observe(reward)

    return rounds / min(timed(decide)[0] for _ in range(5))


def scaling(folder):
    """Ratios of times. Ten times the work should take ten times as long, and two threads should do
    twice the work of one where memory fits the cores' own caches; where it does not, as much as two
    walks through memory that do nothing but wait for it."""
    small, large = rb.SSSarsa(0.999999), rb.Sarsa(0.999999)

    def best_of(repeats, rounds, sims, threads, agent=small):
        with ThreadPoolExecutor(threads) as executor:
            return min(timed(rb.simulate, rb.setting("10-homo"), agent, rounds, sims, 0, 1.0,
                             executor)[0] for _ in range(repeats))

    def walks(threads):
        return min(floors.memory_walk(folder, 32, 1_000_000, threads) for _ in range(5))

    two = min(2, cores())
    once = best_of(5, 100_000, 8, 1)
    return {
        "10 times the rounds": round(best_of(3, 1_000_000, 8, 1) / once, 2),
        "10 times the simulations": round(best_of(3, 100_000, 80, 1) / once, 2),
        "2 threads instead of 1: SS-SARSA": round(
            best_of(5, 100_000, 80, 1) / best_of(5, 100_000, 80, two), 2),
        "2 threads instead of 1: SARSA, whose tables outgrow the caches": round(
            best_of(5, 300_000, 16, 1, large) / best_of(5, 300_000, 16, two, large), 2),
        "2 threads instead of 1: walks through 32 MB each": round(
            two * walks(1) / walks(two), 2),
    }


def start_up():
    """Seconds from the call to the first round in a new process, with the disk cache warm."""
    program = (
        "import time, rb_core as rb; b = rb.setting('6-homo'); a = rb.SSSarsa(0.9);"
        "t = time.perf_counter(); rb.simulate(b, a, 1, 1); print(time.perf_counter() - t)"
    )
    call = [sys.executable, "-c", program]
    seconds = [float(subprocess.run(call, capture_output=True, text=True, check=True).stdout)
               for _ in range(4)]
    return {"first round, seconds": round(min(seconds[1:]), 2)}


def processor():
    if os.path.exists("/proc/cpuinfo"):
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":")[1].strip()
    return platform.processor() or platform.machine()


def show(report):
    print("Nanoseconds a round, minimum of interleaved repeats")
    for row in [list(report["speed"][0]), *(each.values() for each in report["speed"])]:
        cells = ["-" if cell is None else cell for cell in row]
        print("".join(f"{cell:>20}" if i > 1 else f"{cell:<18}" for i, cell in enumerate(cells)))
    for row in report["instructions"]:
        print("instructions a round:", *(f"{key} {value}" for key, value in row.items()))
    for part in ("scaling", "start"):
        for name, value in report[part].items():
            print(f"{name}: {value}")
    print(f"decisions a second of a player: {report['decisions a second']:,}")


if __name__ == "__main__":
    main()
