"""`make mutants`: every listed fault in the package must be seen by the test that it names.

    python -m tests.mutants [WORD]

With a word, only mutants that have it in their file, change or killer, and nothing is written.
"""

import json
import platform
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from queue import SimpleQueue

import numba
import numpy as np

from rb_core.simulation import cores
from tests.mutants.listed import MUTANTS, RESULTS, TOP, stamps
from tests.mutants.runner import FAILED, PASSED, copied, faulty, outcome

# Kept: compiled code lies there under the stamp of its source, so nobody finds that of a mutant.
CACHE = TOP / "_build" / "mutants"


def main(word="") -> int:
    chosen = [each for each in MUTANTS if word in f"{each.file} {each.change} {each.killer}"]
    start = time.time()
    with tempfile.TemporaryDirectory() as folder:
        sound, found = judged(chosen, Path(folder))
    seconds, killed = round(time.time() - start), sum(said == FAILED for said in found.values())
    print(f"{killed} of {len(found)} mutants killed in {seconds} seconds.")
    if killed < len(found) or not sound:
        return 1
    if not word:
        write(found, seconds)
    return 0


def judged(mutants, folder):
    """Whether all killers pass without a fault, and what each says of its mutants."""
    copies = SimpleQueue()
    for i in range(cores()):
        copies.put(copied(TOP, folder / f"copy{i}"))

    def without_fault(tests):
        with taken(copies) as copy:
            said = outcome(copy, tests, CACHE)
        if said != PASSED:
            print(f"Without any fault, one of {', '.join(tests)}: {said}.", flush=True)
        return said

    def with_fault(mutant):
        with taken(copies) as copy, faulty(copy, mutant):
            said = outcome(copy, [mutant.killer], CACHE)
        if said != FAILED:
            print(f"Survived: {mutant.file}: {mutant.change}", flush=True)
            print(f"  {mutant.killer}: {said}.", flush=True)
        return said

    killers = sorted({mutant.killer for mutant in mutants})
    by_file = [list(tests) for _, tests in groupby(killers, lambda test: test.split("::")[0])]
    with ThreadPoolExecutor(cores()) as executor:
        sound = all(said == PASSED for said in executor.map(without_fault, by_file))
        found = dict(zip(mutants, executor.map(with_fault, mutants), strict=True))
    return sound, found


@contextmanager
def taken(copies):
    copy = copies.get()
    try:
        yield copy
    finally:
        copies.put(copy)


def write(found, seconds):
    """Keep the outcome for the status page."""
    report = {
        "made": {
            "command": "make mutants", "date": time.strftime("%Y-%m-%d"), "code": stamps(),
            "python": platform.python_version(), "numpy": np.__version__,
            "numba": numba.__version__,
        },
        "mutants": len(found), "killed": len(found), "seconds": seconds,
        "each": [{"file": each.file, "change": each.change, "killer": each.killer}
                 for each in found],
    }  # fmt: skip
    RESULTS.write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:2]))
