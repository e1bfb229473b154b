"""The grader's commands and their options."""

import argparse
import os
import sys
import time
from pathlib import Path

import sandbox
from assignment import assignments
from course import ROOT, CourseError, release, release_through_exchange, release_variants
from downloads import NoDownload, unpack
from gradebook import most_points
from grading import grade, new_folder
from nbgrader.utils import parse_utc
from report import write_report
from student import Limits
from totals import write_for_import, write_totals
from tqdm import tqdm


def main(arguments=None):
    options = parser().parse_args(arguments)
    try:
        options.command(options)
    except (CourseError, NoDownload, sandbox.NoSandbox) as error:
        print(f"grader: {error}", file=sys.stderr)
        return 2
    return 0


def parser():
    top = argparse.ArgumentParser(prog="grader", description="Hand out and grade assignments.")
    top.add_argument("--root", type=Path, default=ROOT, help="the course's folder (course)")
    commands = top.add_subparsers(required=True)

    command = commands.add_parser("release", help="make the students' notebooks and the keys")
    command.add_argument("--variant", metavar="STUDENTS", action="append", default=[],
                         help="notebooks with numbers of their own for these students: names, or "
                              "a file with one on each line")
    command.add_argument("--exchange", action="store_true",
                         help="let the release for all carry everybody's own numbers, as "
                              "nbgrader's exchange has one release only")
    command.add_argument("--seed", type=int, help="of all variants (the course's own)")
    command.add_argument("--only", metavar="ASSIGNMENT", choices=assignments())
    command.set_defaults(command=make_release)

    command = commands.add_parser("grade", help="grade hand-ins, and write a report")
    command.add_argument("hand_ins", type=Path, help="a folder with STUDENT/ASSIGNMENT/"
                         "ASSIGNMENT.ipynb in it, or a zip file from Moodle or Canvas")
    command.add_argument("--only", metavar="ASSIGNMENT", choices=assignments(),
                         help="the assignment of a zip file, if that cannot be seen")
    command.add_argument("--due", metavar="TIME", type=due_time,
                         help="lists hand-ins with a later time stamp")
    command.add_argument("--workers", type=int, default=os.cpu_count(), help="at the same time")
    command.add_argument("--seconds", type=int, default=Limits.seconds, help="for a question (20)")
    command.add_argument("--gigabytes", type=float, default=Limits.gigabytes,
                         help="of memory for a question (1)")
    command.add_argument("--no-sandbox", action="store_true",
                         help="run students' code unprotected if there is no sandbox")
    command.set_defaults(command=make_grades)
    return top


def due_time(text):
    """The text, if it says a time: nobody wants to hear that it does not after an hour's work."""
    try:
        parse_utc(text)
    except ValueError:
        said = f"{text!r} is no time; one is written as 2026-03-01 12:00"
        raise argparse.ArgumentTypeError(said) from None
    return text


def make_release(options):
    options.root.mkdir(mode=0o700, parents=True, exist_ok=True)  # not for other accounts
    names = [options.only] if options.only else assignments()
    release(options.root, names)
    print(f"For students: {options.root / 'release'}. The keys: {options.root / 'solution'}.")
    students = [name for text in options.variant for name in students_in(text)]
    if students:
        release_variants(options.root, names, students, options.seed)
        print(f"For {len(students)} students alone: {options.root / 'variants'}.")
    if options.exchange:
        release_through_exchange(options.root, names)
        print("The release carries the numbers of all who have numbers of their own.")


def students_in(text):
    """The students named in a text: the lines of a file of that name, or else the words."""
    if os.path.isfile(text):  # also for a list that is too long to be a name
        return [line.strip() for line in Path(text).read_text().splitlines() if line.strip()]
    return text.split()


def make_grades(options):
    caged = sandbox.available()
    if not sandbox.is_possible():
        raise sandbox.NoSandbox
    if not caged and not options.no_sandbox:
        ask()
    options.root.mkdir(mode=0o700, parents=True, exist_ok=True)  # not for other accounts
    folder, who, aside = handed_in(options)
    start = time.perf_counter()
    limits = Limits(options.seconds, options.gigabytes, caged)
    rows, run, notes = grade(options.root, folder, limits, options.workers,
                             lambda done, count: tqdm(done, total=count, unit="hand-in"))
    points = write_totals(run, options.root, options.due)
    made = write_for_import(run, who, points, most_points(options.root))
    page = write_report(run / "report.html", options.root, rows, [*aside, *notes])
    for line in [*aside, *notes]:
        print(line)
    for path in made:
        print(f"For import: {path}.")
    print(f"{len({row[:2] for row in rows})} hand-ins in {time.perf_counter() - start:.0f} seconds"
          f"{'' if caged else ', without a sandbox'}.\n"
          f"Grade list: {run / 'grades.csv'}. Report: {page}.")


def handed_in(options):
    """The folder of hand-ins; for a download, unpacked: also who is who, and what is left aside."""
    if options.hand_ins.is_dir():
        return options.hand_ins, {}, []
    if not options.hand_ins.exists():
        raise CourseError(f"There is no folder or zip file {str(options.hand_ins)!r}.")
    folder = new_folder(options.root / "handed_in")
    return folder, *unpack(options.hand_ins, folder, options.only)


def ask():
    """Whether to go on without a sandbox: the teacher decides, never the absence of an answer."""
    print(f"{sandbox.NoSandbox()}\nStudents' code could then read, change and send whatever you "
          f"can.", file=sys.stderr)
    if not sys.stdin.isatty():
        raise CourseError("Not graded; --no-sandbox goes on all the same.")
    if input("Grade without a sandbox? [y/N] ").strip().lower() != "y":
        raise CourseError("Not graded.")
