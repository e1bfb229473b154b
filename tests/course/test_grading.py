"""A class in which everything happens, graded as a teacher does it: by nbgrader, in the cage.

Of wrong answers and other styles here is one of each, to see that the gradebook gets what the judge
has found; all of them are in test_mistakes.py.
"""

import copy
import csv
import subprocess
import sys

import nbformat
import pytest
import sandbox
from assignment import assignments, grade_id_of, read
from student import Limits
from student_notebook import student_notebook

from tests.conftest import TOP
from tests.course import GRADER, hand_ins
from tests.course.big_class import WITH_OWN_NUMBERS
from tests.course.cheats import DEATHS, cheats
from tests.course.secrets import leaks, secrets, texts_below
from tests.rotation import drawn

NAMES = assignments()
OWN = drawn(WITH_OWN_NUMBERS, 2)  # all of them in `make class`
SECONDS = 20  # for a question: plenty for a right answer, even on a busy machine


def write(folder, student, name, notebook, codes):
    notebook = copy.deepcopy(notebook)
    for cell in notebook.cells:
        cell.source = codes.get(grade_id_of(cell), cell.source)
    place = folder / student / name
    place.mkdir(parents=True)
    nbformat.write(notebook, place / f"{name}.ipynb")


def grader(*arguments):
    command = [sys.executable, str(GRADER), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=1700, check=False)


@pytest.fixture(scope="session")
def course(tmp_path_factory):
    """Everything released, and a key for each assignment, in an empty folder."""
    root = tmp_path_factory.mktemp("course")
    done = grader("--root", root, "release", *(f"--variant={each}" for each in OWN))
    assert done.returncode == 0, done.stderr
    return root


def notebook_of(root, kind, name):
    return nbformat.read(root / kind / name / f"{name}.ipynb", as_version=4)


@pytest.fixture(scope="session")
def grades(course, tmp_path_factory):
    """The grade list of a class in which everything happens: (student, assignment) -> rows."""
    if not sandbox.available():
        pytest.skip("needs bubblewrap (bwrap) and user namespaces")
    folder = tmp_path_factory.mktemp("handed-in")
    for name in NAMES:
        key, empty = (notebook_of(course, kind, name) for kind in ("solution", "release"))
        write(folder, "key", name, key, {})
        write(folder, "empty", name, empty, {})
        for student in OWN:  # graded with the student's own numbers
            write(folder, student, name, key, {})
        wrong, style = hand_ins.of(name).WRONG[0], hand_ins.of(name).STYLES[0]
        write(folder, "wrong", name, key, {wrong.question: wrong.code})
        write(folder, "style", name, key, style.code)
        for kind, codes in cheats(name).items():
            write(folder, kind, name, empty, codes)
        for death, code in DEATHS.items():
            write(folder, death.replace(" ", "-"), name, key, {"q1": code})
    write(folder, "loop", NAMES[0], notebook_of(course, "solution", NAMES[0]),
          {"q1": "while True:\n    pass"})
    (folder / "garbage" / NAMES[0]).mkdir(parents=True)
    (folder / "garbage" / NAMES[0] / f"{NAMES[0]}.ipynb").write_text("{nonsense")
    done = grader("--root", course, "grade", folder, "--seconds", SECONDS)
    assert done.returncode == 0, done.stderr
    found = {}
    with open(course / "graded" / "001" / "grades.csv", newline="") as file:
        for row in csv.DictReader(file):
            found.setdefault((row["student"], row["assignment"]), {})[row["test"]] = row
    return found


def lost(rows):
    """The tests that did not get their points, with what became of them."""
    return {test: f"{row['status']}: {row['message']}" for test, row in rows.items()
            if float(row["points"]) < float(row["most"])}


@pytest.mark.parametrize("name", NAMES)
def test_the_key_gets_full_marks(grades, name):
    assert lost(grades["key", name]) == {}


@pytest.mark.parametrize("name", NAMES)
def test_the_key_gets_full_marks_with_a_students_own_numbers(grades, name):
    assert [lost(grades[student, name]) for student in OWN] == [{}] * len(OWN)


@pytest.mark.parametrize("name", NAMES)
def test_the_empty_release_gets_nothing(grades, name):
    rows = grades["empty", name]
    assert {row["status"] for row in rows.values()} == {"not answered"}
    assert sum(float(row["points"]) for row in rows.values()) == 0


@pytest.mark.parametrize("name", NAMES)
def test_a_mistake_loses_its_points_and_another_style_none(grades, name):
    assert set(lost(grades["wrong", name])) == set(hand_ins.of(name).WRONG[0].loses)
    assert lost(grades["style", name]) == {}


@pytest.mark.parametrize("kind", ["tests-overwritten", "always-right", "patched", "from-core"])
@pytest.mark.parametrize("name", NAMES)
def test_cheating_gets_nothing(grades, name, kind):
    won = {test: row for test, row in grades[kind, name].items() if float(row["points"])}
    assert won == {}


@pytest.mark.parametrize("death", DEATHS)
@pytest.mark.parametrize("name", NAMES)
def test_a_death_costs_its_own_question_and_is_named(grades, name, death):
    rows = grades[death.replace(" ", "-"), name]
    assert {row["status"] for test, row in rows.items() if test.startswith("q1_")} == {death}
    assert all(test.startswith("q1_") for test in lost(rows)), lost(rows)


def test_an_endless_loop_costs_its_own_question_and_is_named(grades):
    rows = grades["loop", NAMES[0]]
    assert {row["status"] for test, row in rows.items() if test.startswith("q1_")} == {"time limit"}
    assert all(test.startswith("q1_") for test in lost(rows)), lost(rows)


def test_a_file_that_is_no_notebook_is_named(grades):
    assert {row["status"] for row in grades["garbage", NAMES[0]].values()} == {"unreadable"}


def test_the_gradebook_says_what_the_grade_list_says(grades, course):
    from nbgrader.api import Gradebook

    with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as book:
        for (student, name), rows in grades.items():
            if student == "garbage":
                continue
            submission = book.find_submission(name, student)
            kept = {grade.name: grade.auto_score for notebook in submission.notebooks
                    for grade in notebook.grades if grade.name != "explain"}
            assert kept == {test: float(row["points"]) for test, row in rows.items()}


def test_written_answers_wait_for_the_teacher(grades, course):
    from nbgrader.api import Gradebook

    with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as book:
        for name in NAMES:
            for student, waits in (("key", True), ("empty", False)):
                grade = book.find_grade("explain", name, name, student)
                assert grade.needs_manual_grade == waits
                assert grade.max_score > 0


@pytest.mark.parametrize("page", ["teach", "study"])
def test_the_pages_state_the_limits_that_hold(page):
    text = (TOP / "book" / f"{page}.md").read_text()
    assert f"{Limits.seconds} seconds and {Limits.gigabytes:g} GB" in text


def test_the_report_shows_every_question_and_who_died(grades, course):
    page = (course / "graded" / "001" / "report.html").read_text()
    for name in NAMES:
        assert f"<h2>{name}</h2>" in page
        for question in read(name).questions.values():
            assert all(f"<td>{test}<" in page for test, _, _ in question.tests)
    died = page[page.index("Hand-ins that died"):]
    assert "loop" in died
    assert "garbage" in died
    assert "src=\"http" not in page


def test_nothing_secret_is_in_what_students_get(course):
    assert all(len(secrets(name)) >= 10 for name in NAMES)
    for kind in ("release", "variants"):
        for path, text in texts_below(course / kind):
            assert leaks(text) == set(), path


@pytest.mark.parametrize("name", NAMES)
def test_the_book_gives_students_what_nbgrader_would(course, name):
    ours, theirs = student_notebook(name), notebook_of(course, "release", name)
    assert [cell.source for cell in ours.cells] == [cell.source for cell in theirs.cells]
    assert [cell.metadata for cell in ours.cells] == [cell.metadata for cell in theirs.cells]


def test_a_leak_would_be_found(course):
    for name in NAMES:
        key = notebook_of(course, "solution", name)
        assert leaks("\n".join(cell.source for cell in key.cells)), name
