"""From a folder of hand-ins to grades: one hand-in, one outcome, whatever is in it."""

import json
import os
import shutil
from functools import partial

import apart
import hand_in
import model_answer
import nbformat
import sandbox
import secret as secrets
import variants
from assignment import (
    NUMBERS,
    answers,
    assignments,
    fingerprint,
    given_texts,
    grade_id_of,
    read,
)
from collect import UNREADABLE, NoNotebook, hand_ins, notebook_in
from course import (
    CourseError,
    assignment_for,
    has_own_numbers,
    release,
    released,
    variants_given,
    whose_numbers,
)
from gradebook import PREPARED, nbgrader, submissions
from judge import DEADLY, Verdict, judge, verdict
from nbgrader.utils import parse_utc
from restore import names, restored
from student import Limits
from tables import write_table

COLUMNS = ("student", "assignment", *Verdict._fields)
WRONG_NOTEBOOK = "wrong notebook"
MOST_BESIDE = 50_000_000  # bytes of other files that are kept for the teacher


def grade(root, folder, limits=None, workers=2, progress=lambda done, count: done):
    """Grade FOLDER/STUDENT/ASSIGNMENT/: the rows of the grade list, the run's folder, notes."""
    limits = limits or Limits()
    if limits.caged and not sandbox.available():
        raise sandbox.NoSandbox
    found, notes = hand_ins(folder)
    if not found:
        raise CourseError(f"There is no hand-in in {folder}: STUDENT/ASSIGNMENT/ASSIGNMENT.ipynb.")
    variants_given(root)  # if that is lost, nobody is graded with numbers that are not theirs
    run = new_folder(root / "graded")
    release(root, sorted({each.assignment for each in found}), keys=False)
    if (root / "gradebook.db").exists():
        shutil.copy(root / "gradebook.db", run / "gradebook-before.db")
    rows = []
    done = apart.each(partial(graded, root, limits), found, patience(limits), workers)
    for each, result in progress(done, len(found)):
        if isinstance(result, apart.Ended):
            result = without_a_chance(root, each, UNREADABLE, str(result)), []
        rows += [(each.student, each.assignment, *one) for one in result[0]]
        notes += [f"{each.student}/{each.assignment}: {text}" for text in result[1]]
    rows.sort(key=lambda row: row[:2])
    write_table(run / "grades.csv", [COLUMNS, *rows])  # first: nothing that follows can lose it
    notes += _into_the_gradebook(root, run, found)
    (run / "notes.txt").write_text("".join(f"{line}\n" for line in notes))
    return rows, run, notes


def new_folder(above):
    """The next numbered folder: what an earlier run has written stays as it is."""
    above.mkdir(parents=True, exist_ok=True)
    last = max((int(each.name) for each in above.iterdir() if each.name.isdigit()), default=0)
    (above / f"{last + 1:03}").mkdir()
    return above / f"{last + 1:03}"


def patience(limits):
    """Seconds for one hand-in: a dozen questions, each tried three times, on a busy machine."""
    return 12 * 3 * (limits.seconds + 5) + 60


def without_a_chance(root, each, status, said):
    """The verdicts on a hand-in of which nothing can be judged."""
    questions = read(each.assignment, secrets.of(root)).questions.values()
    return [verdict(test, 0, status, said) for question in questions for test in question.tests]


def graded(root, limits, each):
    """The verdicts on one hand-in, and notes on it; leaves it in order for nbgrader's turn."""
    assignment = assignment_for(root, each.assignment, each.student)
    place = root / PREPARED / each.student / each.assignment
    shutil.rmtree(place, ignore_errors=True)
    release_, notes = released(root, each.assignment), []
    try:
        path = notebook_in(each)
        original = hand_in.read(path)
        check_is_of(assignment, release_, original)
    except NoNotebook as problem:
        return without_a_chance(root, each, problem.status, str(problem)), notes
    except hand_in.Refused as problem:
        return without_a_chance(root, each, "refused", str(problem)), notes
    except Exception as error:  # whatever is wrong with a file from outside
        said = f"{type(error).__name__}: {error}"[:200]
        return without_a_chance(root, each, UNREADABLE, said), notes
    if path.stem != each.assignment:
        notes.append(f"graded {path.name!r}, the only notebook there")
    notes += on_numbers(root, assignment, each, original)
    if has_own_numbers(root, each.assignment, each.student):
        ours = root / "model_answers" / each.student / f"{each.assignment}.md"
        ours.parent.mkdir(parents=True, exist_ok=True)
        ours.write_text(model_answer.filled_in(assignment))
    notebook = restored(release_, original)
    place.mkdir(parents=True)
    notes += _copied(each.folder, place, path)
    nbformat.write(notebook, place / f"{each.assignment}.ipynb")
    return verdicts_on(root, assignment, each.student, notebook, limits), notes


def check_is_of(assignment, release_, notebook):
    """NoNotebook unless this is a notebook of the assignment, as far as can be seen."""
    texts = {cell.source.strip() for cell in notebook.cells}
    shared = {name: len(given_texts(name) & texts) for name in assignments()}
    best = max(shared, key=lambda name: (shared[name], name == assignment.name))
    if best != assignment.name:
        raise NoNotebook(WRONG_NOTEBOOK, f"this is a notebook of {best}")
    if not any(names(release_, notebook)):
        raise NoNotebook(WRONG_NOTEBOOK, "no cell of the assignment is in it")


def on_numbers(root, assignment, each, notebook):
    """A note if a notebook holds other numbers than it is graded with."""
    held = [cell.source.strip() for cell in notebook.cells if grade_id_of(cell) == NUMBERS]
    if held and held[0] == variants.FROM_TABLE:
        held = _in_table(each.folder / variants.TABLE, each.student)
    if not held or held[0] == assignment.given[NUMBERS].strip():
        return []
    whose = whose_numbers(root, assignment.name, held[0])
    said = {"": "the standard ones", None: "nobody's"}.get(whose, f"those of {whose}")
    return [f"the numbers in it are not those that this student was given, with which it is "
            f"graded, but {said}"]


def _in_table(path, student):
    """The numbers that a student has got through the exchange, if the hand-in shows them."""
    try:
        table = json.loads(hand_in.bytes_of(path))
        return [str(table.get(student, table[""])).strip()]
    except Exception:  # whatever somebody has put in its place, or nothing
        return []


def _copied(folder, place, graded_path):
    """Copy what else was handed in, for the teacher: plain files, no links, not too much."""
    notes, room = [], MOST_BESIDE
    for path in sorted(folder.iterdir()):
        is_plain = path.is_file() and not path.is_symlink() and not path.name.startswith(".")
        if path == graded_path or not is_plain:
            continue
        room -= path.stat().st_size
        if room < 0:
            notes.append("not all of its other files are kept: they are too large")
            break
        if path.name == "timestamp.txt" and not _is_time(path):
            notes.append("its time stamp cannot be read")
        else:
            shutil.copy(path, place)
    return notes


def _is_time(path):
    try:
        parse_utc(path.read_text().strip())
    except Exception:  # whatever somebody wrote into it
        return False
    return True


def verdicts_on(root, assignment, student, notebook, limits):
    """The verdicts on one hand-in: those kept, if they are on these answers, else new ones."""
    kept = kept_verdicts(root, assignment, student, notebook)
    # The machine may have been busy, or the limits others: what died is tried again.
    if kept is not None and not any(each.status in DEADLY for each in kept):
        return kept
    found = answers(assignment, notebook)
    verdicts = judge(assignment, found, limits)
    path = root / "verdicts" / student / f"{assignment.name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(f".{os.getpid()}")
    mark = fingerprint(assignment, found)
    part.write_text(json.dumps({"fingerprint": mark, "verdicts": verdicts}))
    part.replace(path)
    return verdicts


def kept_verdicts(root, assignment, student, notebook):
    """The verdicts on these answers that were kept, or None."""
    mark = fingerprint(assignment, answers(assignment, notebook))
    try:
        kept = json.loads((root / "verdicts" / student / f"{assignment.name}.json").read_text())
    except (OSError, ValueError):
        return None
    return [Verdict(*each) for each in kept["verdicts"]] if kept["fingerprint"] == mark else None


def _into_the_gradebook(root, run, found):
    """Let nbgrader take over the verdicts; notes on hand-ins that it did not take."""
    ready = [each for each in found if (root / PREPARED / each.student / each.assignment).is_dir()]
    names_ = sorted({each.assignment for each in ready})
    done = nbgrader(root, *(("autograde", name, "--create", "--force") for name in names_),
                    submitted=PREPARED, just_judged=True)
    (run / "nbgrader.log").write_text(done.stderr)
    known = submissions(root)
    return [f"{each.student}/{each.assignment}: not in nbgrader's gradebook (see {run.name}/"
            f"nbgrader.log)" for each in ready if (each.student, each.assignment) not in known]
