"""`make bench`: how fast the compiled agents are, against C and against NumPy, in one run.

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
from tests.bench import c_agents
from tests.strategies import listed_agents
from tests.witness import plain_run

RESULTS = Path(__file__).parents[2] / "book" / "benchmark.json"
SIZES = {"K = 6, s_max = 3": (6, 3), "K = 6, s_max = 6": (6, 6), "K = s_max = 10": (10, 10)}
ROUNDS, REPEATS = 100_000, 15
GAMMA = 0.99999


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
            "numpy": np.__version__, "numba": numba.__version__, "rb_core": code(),
        },
    }
    RESULTS.write_text(json.dumps(report, indent=1) + "\n")
    show(report)


def code():
    """A short name for the code of all agents."""
    stamps = [maker_of(type(agent)).code for agent in listed_agents(GAMMA).values()]
    return hashlib.sha256(" ".join(stamps).encode()).hexdigest()[:16]


def speed(size, shape, library, rounds=ROUNDS, repeats=REPEATS):
    """Nanoseconds a round of every agent: compiled, in C, and as the NumPy class.

    An agent that is not there in C has no number for it.
    """
    bandit = rb.RecoveringBandit(np.tile(np.linspace(0.1, 0.6, shape[1]), (shape[0], 1)))
    for name, agent in listed_agents(GAMMA).items():
        simulate_block(Job(bandit, agent, rounds, 1.0, seed=0, first=0, count=1))  # compiles
        seconds = {"compiled": [], "C": [], "NumPy": []}
        for repeat in range(repeats):
            job = Job(bandit, agent, rounds, 1.0, seed=0, first=repeat, count=1)
            compiled, earned = timed(simulate_block, job)
            seconds["compiled"].append(compiled / rounds)
            if type(agent).__name__ in library:
                in_c, (_, same, _) = timed(c_agents.play, library, bandit, agent, rounds, 0, repeat)
                if abs(earned.undiscounted[0, -1] - same) > 1e-6:
                    raise SystemExit(f"{name}: the compiled agent and the C one differ.")
                seconds["C"].append(in_c / rounds)
            if repeat == 0:  # once is enough: it takes seconds
                slow, _ = timed(plain_run, bandit, agent, rounds)
                seconds["NumPy"].append(slow / rounds)
        ns = {key: min(values) * 1e9 for key, values in seconds.items() if values}
        in_c = ns.get("C")
        yield {"size": size, "agent": name, "compiled": round(ns["compiled"], 1),
               "C": in_c and round(in_c, 1), "NumPy": round(ns["NumPy"], 1),
               "times C": in_c and round(ns["compiled"] / in_c, 2),
               "times faster than NumPy": round(ns["NumPy"] / ns["compiled"])}


def timed(function, *arguments):
    start = time.perf_counter()
    result = function(*arguments)
    return time.perf_counter() - start, result


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
        cells = ["-" if cell is None else cell for cell in row]
        print("".join(f"{cell:>26}" if i > 1 else f"{cell:<18}" for i, cell in enumerate(cells)))
    for part in ("scaling", "start"):
        for name, value in report[part].items():
            print(f"{name}: {value}")


if __name__ == "__main__":
    main()
