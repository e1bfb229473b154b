"""The teacher's page: what was misunderstood, who wrote the same, and nobody's HTML."""

import nbformat
import pytest
import report
import similar
from assignment import grade_id_of, read, source
from grading import COLUMNS

from tests.course import hand_ins

NAME = "1_reachable_states"
OWN = """
def {name}(values, limit):
    found = {{}}
    for place, value in enumerate(values):
        if value > limit and place not in found:
            found[place] = (value - limit) ** {power} + len(found) * {factor}
    return sorted(found.items(), key=lambda item: item[{key}], reverse={turn})
"""


def own(name, power, factor, key, turn):
    """Long enough to be somebody's own."""
    return OWN.format(name=name, power=power, factor=factor, key=key, turn=turn) * 2


def rows(*messages):
    return [("ada", NAME, "q1_test", 2, 2, "right", ""),
            *((f"s{i}", NAME, "q1_test", 0, 2, "wrong", text) for i, text in enumerate(messages))]


def test_messages_that_differ_in_numbers_are_one_idea(tmp_path):
    said = rows("move((1, 2), 0) gave (2, 2)", "something else", "move((3, 1), 1) gave (1, 1)")
    found = report.failure("q1_test", report.pd.DataFrame(said, columns=COLUMNS))
    assert found["times"] == 2
    assert found["message"].startswith("move(")
    assert found["share"] == 0.25


def test_students_words_are_escaped(tmp_path):
    said = [*rows("<script>alert(1)</script>"),
            ("<b>", NAME, "q1_test", 0, 2, "time limit", "<img src=x>")]
    page = report.write_report(tmp_path / "x.html", tmp_path, said, ["<i>note</i>"]).read_text()
    for bad in ("<script>", "<b>", "<img src=x>", "<i>"):
        assert bad not in page
    assert "&lt;script&gt;" in page


def test_copies_are_shown_and_different_answers_are_not():
    mine, other = own("f", 3, 17, 0, True), "\n".join(
        style.code.get("q4", "") for style in hand_ins.of(NAME).STYLES)
    codes = {"ada": mine, "bob": mine.replace("    ", "  ") + "# my own work\n", "carol": other}
    ours = "\n".join(question.reference for question in read(NAME).questions.values())
    codes |= {f"s{i}": ours for i in range(9)}
    found = similar.pairs(codes)
    assert [(pair.one, pair.other) for pair in found] == [("ada", "bob")]
    assert found[0].share == pytest.approx(1)


def test_our_own_answers_handed_in_are_shown_beside_ours(tmp_path):
    notebook = source(NAME)
    for student, text in (("eve", None), ("ada", own("f", 3, 17, 0, True))):
        for cell in notebook.cells:
            if grade_id_of(cell) == "q4" and text:
                cell.source = text
        place = tmp_path / "prepared" / student / NAME
        place.mkdir(parents=True)
        nbformat.write(notebook, place / f"{NAME}.ipynb")
    part = report.pd.DataFrame(
        [(student, NAME, "q1_test", 2, 2, "right", "") for student in ("ada", "eve")],
        columns=COLUMNS)
    found = report.about(tmp_path, NAME, part)["alike"]
    assert [(pair.one, pair.other) for pair in found] == [("eve", "our own answers")]


def test_what_most_have_written_says_nothing():
    same = own("f", 3, 17, 0, True)
    assert similar.pairs({f"s{i}": same for i in range(20)}) == []
