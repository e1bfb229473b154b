"""What an assignment says about itself: points, time, needs, hidden tests, and what is missing."""

import importlib.util
import re

import pytest
from assignment import assignments, grade_id_of, read
from student_notebook import student_notebook

from tests.conftest import TOP

NAMES = assignments()
STUDY = (TOP / "book" / "study.md").read_text()


def texts(name):
    return [cell.source for cell in read(name).notebook.cells if cell.cell_type == "markdown"]


def points(name):
    """What each question is worth, by its number; the written one is the last."""
    assignment = read(name)
    found = [sum(most for _, most, _ in each.tests) for each in assignment.questions.values()]
    (written,) = [cell for cell in assignment.notebook.cells if grade_id_of(cell) == "explain"]
    return [*found, written.metadata.nbgrader.points]


@pytest.mark.parametrize("name", NAMES)
def test_every_heading_states_its_points(name):
    heads = re.findall(r"^## (\d+)\. .*\((\d+) points", "\n".join(texts(name)), re.MULTILINE)
    worth = points(name)
    assert [(int(number), int(most)) for number, most in heads] == [*enumerate(worth, start=1)]
    assert sum(worth) == 20
    said = rf"20: \w+ questions with {20 - worth[-1]}, .* with {worth[-1]} \|"
    assert re.search(said, texts(name)[0])


@pytest.mark.parametrize("name", NAMES)
def test_the_first_cell_says_what_to_expect(name):
    first = texts(name)[0]
    assert "| Belongs to | You need | Time | Points |" in first
    assert "The tests that you see are not all there are" in first
    assert "NumPy" in first
    assert "Matplotlib" in first


@pytest.mark.parametrize("name", NAMES)
def test_the_students_page_has_every_assignment_with_its_time(name):
    (time,) = re.findall(rf"{name}\.ipynb>`: .*; (.+)$", STUDY, re.MULTILINE)
    assert f"about {time}" in texts(name)[0]


@pytest.mark.parametrize("name", NAMES)
def test_an_answer_that_is_missing_is_told_in_words(name):
    space, stubs = {"__name__": "__main__"}, 0
    for cell in student_notebook(name).cells:
        if cell.metadata.get("nbgrader", {}).get("solution") and cell.cell_type == "code":
            stubs += 1
            line = re.search(r"raise NotImplementedError.*", cell.source)[0]
            with pytest.raises(NotImplementedError, match="write your answer"):
                exec(line, space)
    assert stubs == len(read(name).questions)


def needs_the_project():
    """The cell of the last assignment that looks for the project."""
    (code,) = [cell.source for cell in student_notebook("7_experiment").cells
               if cell.id == "look-project"]
    return code


def test_the_experiment_finds_the_project():
    exec(needs_the_project(), {})


def test_the_experiment_says_what_it_lacks(monkeypatch, tmp_path):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(AssertionError, match="clone the project, run `make venv` in it"):
        exec(needs_the_project(), {})
    elsewhere = importlib.util.spec_from_file_location("rb_core", tmp_path / "a" / "__init__.py")
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: elsewhere)
    with pytest.raises(AssertionError, match="comes with the clone only"):
        exec(needs_the_project(), {})


def test_other_assignments_need_no_project():
    for name in NAMES[:-1]:
        shown = "\n".join(cell.source for cell in student_notebook(name).cells)
        assert "rb_core" not in shown, name
