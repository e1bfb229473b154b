"""What costs nobody a point: to time a cell, a scratch cell, a busy machine, an iterator."""

import json

import grading
import judge
import model_answer
import nbformat
import pytest
import variants
from assignment import (
    NUMBERS,
    Assignment,
    Question,
    answers,
    as_python,
    assignments,
    grade_id_of,
    read,
    source,
)
from collect import HandIn
from course import (
    CourseError,
    assignment_for,
    release_through_exchange,
    release_variants,
    variants_given,
)
from judge import Verdict
from nbformat.v4 import new_code_cell
from student import Limits, Student

from tests.course.quick_student import QuickStudents, quick_students

LIMITS = Limits(seconds=5, caged=False)
TEST = "assert [int(x) for x in doubled([1, 2])] == [2, 4]\nassert list(doubled([])) == []"
QUESTIONS = {
    "q1": Question("q1", "def doubled(xs): return [2 * x for x in xs]", [("q1_test", 2, TEST)]),
    "q2": Question("q2", "four = doubled([2])[0]", [("q2_test", 1, "assert four == 4")]),
}
TINY = Assignment("tiny", {}, QUESTIONS, None)
RIGHT = {name: [(True, question.reference)] for name, question in QUESTIONS.items()}


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(judge, "Students", quick_students)
    # By the clock here: a sleeping cell takes none of the processor's time.
    monkeypatch.setattr(QuickStudents, "student", Student)


def statuses(changes):
    return [each.status for each in judge.judge(TINY, RIGHT | changes, LIMITS)]


@pytest.mark.parametrize("above", ["%%time", "%%timeit -n 1", "%%capture out", "%%time\n%%capture",
                                   "\n%%time", "%matplotlib inline", "!pip list", "?print"])
def test_magic_above_an_answer_does_no_harm(above):
    code = as_python(f"{above}\n{QUESTIONS['q1'].reference}")
    assert statuses({"q1": [(True, code)]}) == ["right", "right"]


def test_a_timed_line_is_run():
    assert statuses({"q2": [(True, as_python("%time four = doubled([2])[0]"))]}) == ["right"] * 2


def test_a_slow_scratch_cell_costs_nothing():
    slow = (False, "import time\ntime.sleep(60)")
    assert statuses({"q2": [slow, *RIGHT["q2"]]}) == ["right", "right"]
    assert statuses({"q1": [*RIGHT["q1"], slow]}) == ["right", "right"]


def test_a_helper_above_an_answer_counts():
    helper = (False, "def twice(x):\n    return 2 * x")
    answer = (True, "def doubled(xs):\n    return [twice(x) for x in xs]")
    assert statuses({"q1": [helper, answer]}) == ["right", "right"]


def test_time_that_earlier_answers_take_is_theirs(monkeypatch):
    begun = []
    again = Student.has_time_again
    monkeypatch.setattr(Student, "has_time_again", lambda self: begun.append(1) or again(self))
    before = [["1"], ["2"], ["3"]]
    judge.attempt(TINY, QUESTIONS["q2"], before, ["four = 4"], quick_students(LIMITS))
    assert len(begun) == 1 + 3 + 1  # the start, each question before, the question itself


@pytest.mark.parametrize("how", [
    "map(lambda x: 2 * x, xs)", "deque(2 * x for x in xs)", "(2 * x for x in xs)",
    "{i: 2 * x for i, x in enumerate(xs)}.values()", "np.array(xs) * 2",
    "[Fraction(2 * x) for x in xs]", "[Decimal(2 * x) for x in xs]",
    "pd.Series(xs, dtype=float) * 2", "filter(None, [2 * x for x in xs])",
    "(np.array(xs) * 2).astype(object)",
])
def test_what_the_visible_test_takes_the_hidden_one_takes(how):
    code = ("from collections import deque\nfrom decimal import Decimal\n"
            "from fractions import Fraction\nimport numpy as np\n"
            + ("import pandas as pd\n" if "pd." in how else "")
            + f"def doubled(xs):\n    return {how}")
    space = {}
    exec(code, space)
    exec(TEST, space)  # as in the student's own notebook
    assert statuses({"q1": [(True, code)]})[0] == "right"


def test_what_is_not_taken_says_why():
    code = "class Box: pass\ndef doubled(xs):\n    return Box()"
    (found, _) = judge.judge(TINY, RIGHT | {"q1": [(True, code)]}, LIMITS)
    assert "a Box is not plain data" in found.message


def test_an_answer_elsewhere_is_told_more_than_not_implemented():
    code = "def doubled(xs):\n    raise NotImplementedError()"
    (found, _) = judge.judge(TINY, RIGHT | {"q1": [(True, code)]}, LIMITS)
    assert found.status == "not answered"
    assert "is it in the cell that was meant for it?" in found.message


@pytest.mark.parametrize("name", assignments())
def test_cells_added_anywhere_belong_to_the_question_where_they_stand(name):
    assignment, notebook = read(name), source(name)
    for place in reversed(range(len(notebook.cells) + 1)):
        notebook.cells.insert(place, new_code_cell(f"scratch = {place}"))
    found = answers(assignment, notebook)
    for question in assignment.questions:
        assert sum(is_answer for is_answer, _ in found[question]) == 1


def test_verdicts_are_kept_but_what_died_is_judged_again(tmp_path, monkeypatch):
    given = []
    monkeypatch.setattr(grading, "answers", lambda *_: {})
    monkeypatch.setattr(grading, "judge", lambda *_: given.pop())
    ask = [tmp_path, TINY, "ada", None, LIMITS]
    slow, right = Verdict("q1_test", 0, 2, "time limit", "x"), Verdict("q1_test", 2, 2, "right", "")
    given += [[right], [slow]]
    assert grading.verdicts_on(*ask) == [slow]
    assert grading.verdicts_on(*ask) == [right]
    assert grading.verdicts_on(*ask) == [right]  # kept: there is nothing left to give


def with_variant(root, student="ada", name="1_reachable_states"):
    place = root / "release" / name
    place.mkdir(parents=True)
    nbformat.write(source(name), place / f"{name}.ipynb")
    release_variants(root, [name], [student])
    return name


def test_a_variant_that_is_gone_is_an_error(tmp_path):
    name = with_variant(tmp_path)
    own = assignment_for(tmp_path, name, "ada").given["given_numbers"]
    assert own != assignment_for(tmp_path, name, "bob").given["given_numbers"]
    list_ = tmp_path / "variants" / "given.json"
    whole = json.loads(list_.read_text())
    list_.write_text(json.dumps(whole | {"students": {"bob": [name]}}))
    with pytest.raises(CourseError, match="ada has numbers of their own"):
        assignment_for(tmp_path, name, "ada")
    list_.unlink()
    with pytest.raises(CourseError, match="is gone"):
        variants_given(tmp_path)


def test_variants_are_not_made_with_two_seeds(tmp_path):
    name = with_variant(tmp_path)
    with pytest.raises(CourseError, match="seed"):
        release_variants(tmp_path, [name], ["bob"], seed=7)


def numbers_noted(root, student, notebook, folder):
    assignment = assignment_for(root, "1_reachable_states", student)
    return grading.on_numbers(root, assignment, HandIn(student, assignment.name, folder), notebook)


def test_numbers_that_are_not_the_students_are_noted(tmp_path):
    name = with_variant(tmp_path)
    (note,) = numbers_noted(tmp_path, "ada", source(name), tmp_path)
    assert note.endswith("but the standard ones")
    assert numbers_noted(tmp_path, "bob", source(name), tmp_path) == []
    own = nbformat.read(tmp_path / "variants" / "ada" / name / f"{name}.ipynb", as_version=4)
    assert numbers_noted(tmp_path, "ada", own, tmp_path) == []
    (note,) = numbers_noted(tmp_path, "bob", own, tmp_path)
    assert note.endswith("but those of ada")


def test_the_exchange_gives_everybody_their_own_numbers(tmp_path, monkeypatch):
    name = with_variant(tmp_path)
    release_through_exchange(tmp_path, [name])
    release_variants(tmp_path, [name], ["carol"])  # later, and not given out again
    place = tmp_path / "release" / name
    notebook = nbformat.read(place / f"{name}.ipynb", as_version=4)
    (cell,) = [cell for cell in notebook.cells if grade_id_of(cell) == NUMBERS]
    monkeypatch.chdir(place)
    for student, whose in (("ada", "ada"), ("bob", "bob"), ("carol", "bob")):
        monkeypatch.setenv("JUPYTERHUB_USER", student)
        seen, meant = {}, {}
        exec(cell.source, seen)
        exec(assignment_for(tmp_path, name, whose).given[NUMBERS], meant)
        assert {key: seen[key] for key in meant if key != "__builtins__"} == {
            key: value for key, value in meant.items() if key != "__builtins__"}
    assert numbers_noted(tmp_path, "ada", notebook, place) == []
    assert numbers_noted(tmp_path, "bob", notebook, place) == []
    (note,) = numbers_noted(tmp_path, "carol", notebook, place)
    assert note.endswith("but the standard ones")
    for bad in ("[1]", "{", "", '{"": []}'):
        (place / variants.TABLE).write_text(bad)
        numbers_noted(tmp_path, "ada", notebook, place)  # and nothing breaks
    assert "exec(" not in (tmp_path / "variants" / "carol" / name / f"{name}.ipynb").read_text()
    assert not (tmp_path / "variants" / "carol" / name / variants.TABLE).exists()


@pytest.mark.parametrize("name", assignments())
def test_model_answers_carry_the_students_own_numbers(name):
    standard = model_answer.filled_in(read(name))
    assert "<<" not in standard
    assert "computed" not in standard.split("\n")[1]
    own = read(name).with_numbers(variants.cell(variants.numbers(name, "ada", 1)))
    has_numbers = name != "1_reachable_states"  # whose answer is the same for everybody
    assert (model_answer.filled_in(own) != standard) == has_numbers
