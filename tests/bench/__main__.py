"""`make bench`: how fast the compiled agents are, against C and against NumPy, in one run.

Times are minima over interleaved repeats, and what counts are ratios within one run: absolute
times differ between machines and from minute to minute. The table goes to the terminal and, with
its provenance, to book/benchmark.json, which the status page of the book shows.
"""

import dataclasses
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
from rb_core.blocks import simulate_block
from rb_core.compiled import source_hash
from rb_core.seeds import address, stream
from rb_core.simulate import cores
from tests import reference
from tests.bench import c_agents

RESULTS = Path(__file__).parents[2] / "book" / "benchmark.json"
SIZES = {"K = 6, s_max = 3": (6, 3), "K = 6, s_max = 6": (6, 6), "K = s_max = 10": (10, 10)}
ROUNDS, REPEATS = 100_000, 15
AGENTS = {
    "random pulls": rb.RandomPull(),
    "SS-SARSA": rb.SSSarsa(0.99999),
    "SS-SARSA (sep.)": rb.SSSarsa(0.99999, visits="separated"),
    "SARSA": rb.Sarsa(0.99999),
    "Q-learning": rb.QLearning(0.99999),
    "1RGP-TS": rb.RGPTS(1),
    "2RGP-TS": rb.RGPTS(2),
}
C_NAMES = {"RandomPull": "random_pull", "SSSarsa": "ss_sarsa", "Sarsa": "sarsa",
           "QLearning": "q_learning", "RGPTS": "rgp_ts"}


def main():
    with tempfile.TemporaryDirectory() as folder:
        library = c_agents.load(folder)
        table = [row for size, shape in SIZES.items() for row in speed(size, shape, library)]
    report = {
        "speed": table,
        "scaling": scaling(),
        "start": start_up(),
        "made": {
            "command": "make bench", "date": time.strftime("%Y-%m-%d"), "cores": cores(),
            "processor": processor(), "python": platform.python_version(),
            "numpy": np.__version__, "numba": numba.__version__, "rb_core": source_hash(),
        },
    }
    RESULTS.write_text(json.dumps(report, indent=1) + "\n")
    show(report)


def speed(size, shape, library):
    """Nanoseconds a round of every agent: compiled, in C, and as the NumPy class."""
    bandit = rb.RecoveringBandit(np.tile(np.linspace(0.1, 0.6, shape[1]), (shape[0], 1)))
    for name, agent in AGENTS.items():
        simulate_block(bandit, agent, ROUNDS, 1.0, 0, 0, 1)  # compiles
        seconds = {"compiled": [], "C": [], "NumPy": []}
        for repeat in range(REPEATS):
            compiled, earned = timed(simulate_block, bandit, agent, ROUNDS, 1.0, 0, repeat, 1)
            in_c, same = timed(play_c, library, bandit, agent, repeat)
            if abs(earned.undiscounted[0, -1] - same) > 1e-6:
                raise SystemExit(f"{name}: the compiled agent and the C one differ.")
            seconds["compiled"].append(compiled / ROUNDS)
            seconds["C"].append(in_c / ROUNDS)
            if repeat == 0:  # once is enough: it takes seconds
                slow, _ = timed(play_numpy, bandit, agent, repeat)
                seconds["NumPy"].append(slow / ROUNDS)
        ns = {key: min(values) * 1e9 for key, values in seconds.items()}
        yield {"size": size, "agent": name, **{k: round(v, 1) for k, v in ns.items()},
               "times C": round(ns["compiled"] / ns["C"], 2),
               "times faster than NumPy": round(ns["NumPy"] / ns["compiled"])}


def timed(function, *arguments):
    start = time.perf_counter()
    result = function(*arguments)
    return time.perf_counter() - start, result


def play_c(library, bandit, agent, simulation):
    parameters = dataclasses.asdict(agent)
    for only_compiled in ("refresh", "samples"):
        parameters.pop(only_compiled, None)
    rng = stream(address(bandit, agent), 0, simulation)
    function = getattr(library, C_NAMES[type(agent).__name__])
    return function(rng, bandit.means, bandit.reward, bandit.variance, ROUNDS, **parameters)[1]


def play_numpy(bandit, agent, simulation):
    plain = getattr(reference, type(agent).__name__)
    plain = plain(bandit.arms, bandit.s_max, ROUNDS, **dataclasses.asdict(agent))
    rng = stream(address(bandit, agent), 0, simulation)
    return reference.play(plain, bandit.means, bandit.reward, bandit.variance, ROUNDS, rng)


def scaling():
    """Time against rounds, simulations and threads: ratios that should be 10, 10 and `cores`."""
    bandit, agent = rb.setting("10-homo"), rb.SSSarsa(0.999999)

    def best_of(repeats, rounds, sims, threads):
        with ThreadPoolExecutor(threads) as executor:
            return min(timed(rb.simulate, bandit, agent, rounds, sims, 0, 1.0, executor)[0]
                       for _ in range(repeats))

    small = best_of(5, 100_000, 8, 1)
    return {
        "10 times the rounds": round(best_of(3, 1_000_000, 8, 1) / small, 2),
        "10 times the simulations": round(best_of(3, 100_000, 80, 1) / small, 2),
        "2 threads instead of 1": round(
            best_of(5, 100_000, 80, 1) / best_of(5, 100_000, 80, min(2, cores())), 2),
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
        print("".join(f"{cell:>26}" if i > 1 else f"{cell:<18}" for i, cell in enumerate(row)))
    for part in ("scaling", "start"):
        for name, value in report[part].items():
            print(f"{name}: {value}")


main()
