"""Instructions a round, counted by callgrind: they do not depend on who else uses the machine.

    python -m tests.bench.instructions

Two lengths of the same simulation are counted, so that what happens once drops out. That takes for
granted that work is proportional to rounds; PlanUCB's is not, for it plans less and less often, and
in which rounds depends on how many there are: it is left out. The processor that valgrind imitates
has fewer vector instructions than the real one: what counts are ratios.
"""

import ctypes
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.bench import c_library, floors

TOP = Path(__file__).parents[2]
SIZES = {"K = 6, s_max = 6": (6, 6), "K = s_max = 10": (10, 10)}
WITHOUT = {"PlanUCB"}
ROUNDS = (20_000, 40_000)  # long enough for the loop that is compiled for its number of arms
HEADER = Path("/usr/include/valgrind/callgrind.h")


def counted():
    """Instructions a round by (size, agent, "compiled" or "floor"); none without valgrind."""
    if shutil.which("valgrind") is None or not HEADER.exists():
        return {}
    with tempfile.TemporaryDirectory() as folder:
        options = ["--tool=callgrind", "--instr-atstart=no", "--collect-atstart=no",
                   f"--callgrind-out-file={folder}/out"]
        # Kept between calls: compiling takes a minute an agent under valgrind.
        environment = os.environ | {"NUMBA_CACHE_DIR": str(TOP / "_build" / "valgrind")}
        subprocess.run(["valgrind", *options, sys.executable, "-m", __spec__.name, "count", folder],
                       cwd=TOP, env=environment, check=True, capture_output=True)
        parts = sorted(Path(folder).glob("out.*"), key=lambda path: int(path.suffix[1:]))
        return a_round(dict(map(read, parts)))


def a_round(totals):
    """Instructions a round, from those of two lengths."""
    first, second = ROUNDS
    more = {name: totals[name, second] - totals[name, first]
            for name, rounds in totals if rounds == first}
    found = {tuple(json.loads(name)): each / (second - first) for name, each in more.items()}
    assert min(found.values()) > 0, found
    return found


def read(path):
    """The (name, rounds) of one measurement, and its instructions."""
    text = path.read_text()
    name, rounds = re.search(r"Client Request: (.*) @(\d+)", text).groups()
    return (name, int(rounds)), int(re.search(r"^totals: (\d+)", text, re.MULTILINE)[1])


def count(folder):
    """What runs under valgrind: every agent and its floor, between two marks."""
    import numpy as np

    import rb_core as rb
    from rb_core.engine.blocks import Job, simulate_block
    from tests.strategies import measured_agents

    # Valgrind knows none of the vectors of 512 bits.
    marks, floor_of = c_library.load("marks.c", folder), floors.load(folder, "-mno-avx512f")
    marks.end.argtypes = [ctypes.c_char_p]

    def mark(play, *name):
        play(min(ROUNDS))  # compiles
        for rounds in ROUNDS:
            marks.begin()
            play(rounds)
            marks.end(f"{json.dumps(name)} @{rounds}".encode())

    for size, (arms, s_max) in SIZES.items():
        bandit = rb.RecoveringBandit(np.tile(np.linspace(0.1, 0.6, s_max), (arms, 1)))
        for name, agent in measured_agents(0.99999).items():
            if name in WITHOUT:
                continue
            mark(lambda rounds, agent=agent, bandit=bandit:
                 simulate_block(Job(bandit, agent, rounds, 1.0, 0, 0, 1)), size, name, "compiled")
            if name in floor_of:
                walk = floors.walk(rb.trace(bandit, agent, max(ROUNDS)).arms, arms, s_max)
                mark(lambda rounds, name=name, bandit=bandit, walk=walk:
                     floor_of[name](0, bandit.means, rounds, walk), size, name, "floor")


if __name__ == "__main__":
    if sys.argv[1:2] == ["count"]:
        count(sys.argv[2])
    else:
        for name, instructions in counted().items():
            print(*name, round(instructions))
