"""The course: real nbgrader runs over right, wrong, strange and malicious hand-ins."""

import copy
import csv
import importlib.util
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from tests.conftest import TOP

COURSE = TOP / "notebooks" / "assignments"
GRADER = COURSE / "grader"
sys.path.append(str(GRADER))

import sandbox  # noqa: E402
from assignment import assignments, grade_id_of, read  # noqa: E402
from student import Limits  # noqa: E402

NAMES = assignments()
SECONDS = 20  # for a question: plenty for a right answer, even on a busy machine
pytestmark = [pytest.mark.classroom, pytest.mark.timeout(1800)]


def hand_ins_of(name):
    path = Path(__file__).parent / "course" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(f"hand_ins_{name}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


HAND_INS = {name: hand_ins_of(name) for name in NAMES}
WRONG = [(name, i) for name in NAMES for i in range(len(HAND_INS[name].WRONG))]
STYLES = [(name, i) for name in NAMES for i in range(len(HAND_INS[name].STYLES))]

ALWAYS_RIGHT = '''
class Yes(float):
    """Whatever it is compared with, it agrees."""
    __hash__ = None
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    __lt__ = __le__ = __gt__ = __ge__ = __eq__
    def __sub__(self, other): return Yes(0)
    __rsub__ = __abs__ = __add__ = __radd__ = __mul__ = __rmul__ = __sub__
    def __array__(self, *args, **options): return self
    def __len__(self): return 0
    def __iter__(self): return iter([self])
    def __getitem__(self, key): return self
    def __abs__(self): return self
'''
PATCHED = """
import builtins, sys
import numpy as np
np.allclose = np.array_equal = np.isclose = np.all = lambda *args, **options: True
np.testing.assert_allclose = np.testing.assert_array_equal = lambda *args, **options: None
builtins.abs = lambda value: 0
builtins.AssertionError = Exception
sys.settrace(None)
for frame in sys._current_frames().values():
    frame.f_globals["exec"] = lambda *args: None
"""
FROM_CORE = "from rb_core import *\nimport rb_core as rb\n"
DEATHS = {
    "process died": "import os\nos._exit(1)",
    "out of memory": "import numpy as np\nmuch = np.ones(10**10 // 8)",
    "syntax error": "def answer(:\n    return 1",
}


def cheat(question, preamble, value):
    """An answer that defines what is asked for and has no work in it."""
    functions = {line.split("(")[0].removeprefix("def ")
                 for line in question.reference.splitlines() if line.startswith("def ")}
    lines = [preamble]
    for name in sorted(question.names):
        if name in functions:
            lines.append(f"def {name}(*args, **options):\n    return {value}")
        else:
            lines.append(f"{name} = {value}")
    return "\n".join(lines)


def cheats(name):
    questions = read(name).questions.items()
    return {
        "tests-overwritten": {test: "pass" for _, each in questions for test, _, _ in each.tests},
        "always-right": {q: cheat(each, ALWAYS_RIGHT, "Yes(0)") for q, each in questions},
        "patched": {q: cheat(each, PATCHED, "0.0") for q, each in questions},
        "from-core": {q: FROM_CORE + each.reference for q, each in questions},
    }


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
    done = grader("--root", root, "release", "--variant", "ada", "--variant", "bob")
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
        # The key's code with the numbers of another student: graded with their own.
        write(folder, "ada", name, key, {})
        for i, wrong in enumerate(HAND_INS[name].WRONG):
            write(folder, f"wrong-{i}", name, key, {wrong.question: wrong.code})
        for i, style in enumerate(HAND_INS[name].STYLES):
            write(folder, f"style-{i}", name, key, style.code)
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
    with open(course / "grades.csv", newline="") as file:
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
def test_the_empty_release_gets_nothing(grades, name):
    rows = grades["empty", name]
    assert {row["status"] for row in rows.values()} == {"not answered"}
    assert sum(float(row["points"]) for row in rows.values()) == 0


@pytest.mark.parametrize("name", NAMES)
def test_there_are_two_wrong_answers_and_another_style_for_every_question(name):
    about = HAND_INS[name]
    for question in read(name).questions:
        assert sum(wrong.question == question for wrong in about.WRONG) >= 2, question
        assert any(question in style.code for style in about.STYLES), question


@pytest.mark.parametrize(("name", "i"), WRONG)
def test_a_mistake_loses_its_points_and_no_others(grades, name, i):
    wrong = HAND_INS[name].WRONG[i]
    found = lost(grades[f"wrong-{i}", name])
    assert set(found) == set(wrong.loses), (wrong.mistake, found)


@pytest.mark.parametrize(("name", "i"), STYLES)
def test_another_style_gets_full_marks(grades, name, i):
    assert lost(grades[f"style-{i}", name]) == {}, HAND_INS[name].STYLES[i].style


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
    page = (course / "report.html").read_text()
    for name in NAMES:
        assert f"<h2>{name}</h2>" in page
        for question in read(name).questions.values():
            assert all(f"<td>{test}<" in page for test, _, _ in question.tests)
    died = page[page.index("Hand-ins that died"):]
    assert "loop" in died
    assert "garbage" in died
    assert "src=\"http" not in page


def secrets(name):
    """Lines of solutions and hidden tests that stand nowhere else in the assignment."""
    hidden, shown = set(), set()
    for cell in read(name).notebook.cells:
        inside = False
        for line in map(str.strip, cell.source.splitlines()):
            if line.startswith(("### BEGIN", "### END")):
                inside = line.startswith("### BEGIN")
            elif len(line) >= 25:
                (hidden if inside else shown).add(line)
    return hidden - shown


def leaks(name, text):
    return {line for line in secrets(name) if line in text}


def texts_below(folder):
    """What a reader of these files can see, as plain text."""
    import html
    import re

    for path in folder.rglob("*"):
        if path.suffix == ".ipynb":
            yield path, "\n".join(c.source for c in nbformat.read(path, as_version=4).cells)
        elif path.suffix in (".html", ".md", ".txt", ".js", ".json", ".py"):
            text = path.read_text(errors="ignore")
            yield path, html.unescape(re.sub(r"<[^>]+>", "", text))


def test_nothing_secret_is_in_what_students_get(course):
    assert all(len(secrets(name)) >= 10 for name in NAMES)
    for kind in ("release", "variants"):
        for path, text in texts_below(course / kind):
            assert {line for name in NAMES for line in leaks(name, text)} == set(), path


def test_nothing_secret_is_in_the_book(book):
    seen = 0
    for path, text in texts_below(book):
        seen += 1
        assert {line for name in NAMES for line in leaks(name, text)} == set(), path
    assert seen > 100


def test_a_leak_would_be_found(course):
    name = NAMES[0]
    key = notebook_of(course, "solution", name)
    assert leaks(name, "\n".join(cell.source for cell in key.cells))
