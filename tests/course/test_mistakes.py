"""Every mistake loses its points and no others, and right answers in another style lose none.

They go to the judge as they are, without nbgrader and cage: what those do is in test_grading.py.
"""

import os

import judge
import pytest
from assignment import as_python, assignments, read
from student import Limits

from tests.course import hand_ins
from tests.course.quick_student import quick_students

NAMES = assignments()
# One mistake never ends; a right answer takes a tenth of a second.
LIMITS = Limits(seconds=5, caged=False)
# Which cases hidden tests draw; another secret must change no outcome.
SECRET = os.environ.get("COURSE_SECRET", "a secret")


def every(kind):
    """All hand-ins of a kind; tests/schedule.py knows their assignment by their names."""
    return [
        pytest.param(name, hand_in, id=f"{name}-{i}")
        for name in NAMES
        for i, hand_in in enumerate(getattr(hand_ins.of(name), kind))
    ]


@pytest.fixture(scope="module", autouse=True)
def attempts_are_quick_and_made_once():
    """Most hand-ins begin with the key's answers: the same attempts have the same outcome."""
    made, attempt = {}, judge.attempt

    def once(assignment, question, before, cells, students):
        what = (assignment.name, question.name, *map(tuple, before), "then", *cells)
        if what not in made:
            made[what] = attempt(assignment, question, before, cells, students)
        return made[what]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(judge, "attempt", once)
        patch.setattr(judge, "Students", quick_students)
        yield


def lost(name, changes):
    """The tests that a hand-in with these answers, and otherwise the key's, gets no points for."""
    assignment = read(name, SECRET)
    key = {question: each.reference for question, each in assignment.questions.items()}
    answers = {question: [(True, as_python(code))] for question, code in (key | changes).items()}
    found = judge.judge(assignment, answers, LIMITS)
    return {each.test: each.message for each in found if each.points < each.most}


@pytest.mark.parametrize("name", NAMES)
def test_there_are_two_wrong_answers_and_another_style_for_every_question(name):
    about = hand_ins.of(name)
    for question in read(name).questions:
        assert sum(wrong.question == question for wrong in about.WRONG) >= 2, question
        assert any(question in style.code for style in about.STYLES), question


@pytest.mark.parametrize(("name", "wrong"), every("WRONG"))
def test_a_mistake_loses_its_points_and_no_others(name, wrong):
    found = lost(name, {wrong.question: wrong.code})
    assert set(found) == set(wrong.loses), (wrong.mistake, found)


@pytest.mark.parametrize(("name", "style"), every("STYLES"))
def test_another_style_gets_full_marks(name, style):
    assert lost(name, style.code) == {}, style.style
