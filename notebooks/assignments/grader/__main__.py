"""Hand out and grade the course's assignments:  python notebooks/assignments/grader COMMAND."""

import argparse
import os
import sys
import time
from pathlib import Path

import sandbox
import variants
from assignment import assignments
from course import ROOT, CourseError, grade, release, release_variant
from report import write_report
from student import Limits
from tqdm import tqdm


def main(arguments=None):
    options = parser().parse_args(arguments)
    try:
        options.command(options)
    except (CourseError, sandbox.NoSandbox) as error:
        print(f"grader: {error}", file=sys.stderr)
        return 2
    return 0


def parser():
    top = argparse.ArgumentParser(prog="grader", description="Hand out and grade assignments.")
    top.add_argument("--root", type=Path, default=ROOT, help="the course's folder (_build/course)")
    commands = top.add_subparsers(required=True)

    command = commands.add_parser("release", help="make the students' notebooks and the keys")
    command.add_argument("--variant", metavar="STUDENT", action="append", default=[],
                         help="notebooks with numbers of this student's own; may be repeated")
    command.add_argument("--seed", type=int, default=variants.SEED, help="of all variants")
    command.add_argument("--only", metavar="ASSIGNMENT", choices=assignments())
    command.set_defaults(command=make_release)

    command = commands.add_parser("grade", help="grade hand-ins, and write a report")
    command.add_argument("folder", type=Path, help="STUDENT/ASSIGNMENT/ASSIGNMENT.ipynb in it")
    command.add_argument("--workers", type=int, default=os.cpu_count(), help="at the same time")
    command.add_argument("--seconds", type=int, default=Limits.seconds, help="for a question (20)")
    command.add_argument("--gigabytes", type=float, default=Limits.gigabytes,
                         help="of memory for a question (1)")
    command.add_argument("--no-sandbox", action="store_true",
                         help="run students' code unprotected if there is no sandbox")
    command.set_defaults(command=make_grades)
    return top


def make_release(options):
    options.root.mkdir(parents=True, exist_ok=True)
    names = [options.only] if options.only else assignments()
    release(options.root, names)
    print(f"For students: {options.root / 'release'}. The keys: {options.root / 'solution'}.")
    for student in options.variant:
        release_variant(options.root, names, student, options.seed)
        print(f"For {student} alone: {options.root / 'variants' / student}.")


def make_grades(options):
    if not options.folder.is_dir():
        raise CourseError(f"There is no folder {str(options.folder)!r}.")
    options.root.mkdir(parents=True, exist_ok=True)
    caged = sandbox.available()
    if not caged and not options.no_sandbox:
        ask()
    start = time.perf_counter()
    limits = Limits(options.seconds, options.gigabytes, caged)
    count = sum(path.is_dir() for path in options.folder.glob("*/*"))
    rows = grade(options.root, options.folder, limits, options.workers,
                 lambda done: tqdm(done, total=count, unit="hand-in"))
    page = write_report(options.root / "report.html", rows)
    print(f"{count} hand-ins in {time.perf_counter() - start:.0f} seconds"
          f"{'' if caged else ', without a sandbox'}.\n"
          f"Grade list: {options.root / 'grades.csv'}. Report: {page}.")


def ask():
    """Whether to go on without a sandbox: the teacher decides, never the absence of an answer."""
    print(f"{sandbox.NoSandbox()}\nStudents' code could then read, change and send whatever you "
          f"can.", file=sys.stderr)
    if not sys.stdin.isatty():
        raise CourseError("Not graded; --no-sandbox goes on all the same.")
    if input("Grade without a sandbox? [y/N] ").strip().lower() != "y":
        raise CourseError("Not graded.")


if __name__ == "__main__":
    sys.exit(main())
