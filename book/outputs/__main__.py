"""Execute the notebooks whose committed outputs are out of date, in place, and stamp them.

    .venv/bin/python book/outputs [GLOB ...]        those out of date, or of these names
    .venv/bin/python book/outputs --all [GLOB ...]  whether out of date or not
    .venv/bin/python book/outputs --check           says what is out of date, and executes nothing
"""

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor, as_completed
from fnmatch import fnmatch
from multiprocessing import get_context

from committed import notebooks, out_of_date
from execute import make
from stamp import TOP

AT_A_TIME = 2


def main():
    parser = argparse.ArgumentParser(prog="book/outputs", description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*", metavar="GLOB", help="of notebooks, as 0* or 6-homo-*")
    parser.add_argument("--all", action="store_true", help="those that are up to date, too")
    parser.add_argument("--check", action="store_true", help="only say what is out of date")
    options = parser.parse_args()
    stale = out_of_date()
    chosen = [path for path in (notebooks() if options.all else stale)
              if not options.names or any(fnmatch(path.stem, name) for name in options.names)]
    if options.check:
        for path in chosen:
            print(f"{path.relative_to(TOP)}: {', '.join(stale[path])}")
        return int(bool(chosen))
    return execute(chosen)


def execute(paths):
    """Two at a time; one that fails keeps its old outputs and does not stop the others."""
    failed = 0
    with ProcessPoolExecutor(AT_A_TIME, mp_context=get_context("spawn")) as pool:
        jobs = {pool.submit(make, path): path for path in paths}
        for job in as_completed(jobs):
            problem = job.exception()
            print(jobs[job].relative_to(TOP), f"failed: {problem}" if problem else "", flush=True)
            failed += problem is not None
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
