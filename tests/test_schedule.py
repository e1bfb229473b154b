"""Tests that need the same costly thing run in one process."""

from tests.schedule import group


def test_what_needs_the_book_is_one_group():
    names = ["tests/book/test_visits.py::test_a", "tests/book/test_downloads.py::test_b[x]"]
    assert {group(name) for name in names} == {"book"}


def test_a_notebook_and_the_hand_ins_for_an_assignment_are_groups():
    cell = "notebooks/01_recovering_bandits.ipynb::Cell "
    assert group(f"{cell}0") == group(f"{cell}1") == "notebooks/01_recovering_bandits.ipynb"
    mistake = "tests/course/test_mistakes.py::test_a_mistake"
    assert group(f"{mistake}[2_planning-0]") == group(f"{mistake}[2_planning-11]")
    assert group(f"{mistake}[2_planning-0]") != group(f"{mistake}[3_visitation-0]")


def test_all_others_are_by_themselves():
    name = "tests/test_cli.py::test_a[1]"
    assert group(name) == name
