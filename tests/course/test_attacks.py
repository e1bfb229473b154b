"""No way round a question: what a student's process says is data, and little of it."""

import subprocess

import judge
import pytest
import sandbox
from assignment import Assignment, Question
from student import Limits, Student

from tests.course.attacks import ATTACKS, GREEDY

pytestmark = pytest.mark.skipif(
    not sandbox.available(), reason="needs bubblewrap (bwrap) and user namespaces"
)

# Its test uses what a cheat would like to replace, and asks for something cheap to get wrong.
TEST = """
cases = sorted(enumerate([1, 2, 3, 5]))
for number, x in cases:
    got = double(x)
    assert not isinstance(got, bool), "a truth value is no number"
    assert int(got) == float(got) == abs(2 * x), f"double({x}) gave {got}"
for x in range(10, 20):
    assert double(x) == 2 * x, f"double({x}) is {2 * x}"
"""
QUESTION = Question("q1", "def double(x):\n    return 2 * x", [("q1_test", 3, TEST)])
TINY = Assignment("tiny", {"given_setup": "import numpy as np"}, {"q1": QUESTION}, None)
LIMITS = Limits(seconds=3)


def verdict(code):
    (found,) = judge.judge(TINY, {"q1": [(True, code)]}, LIMITS)
    return found


def test_a_right_answer_gets_the_points():
    assert verdict(QUESTION.reference).points == 3


@pytest.mark.parametrize("attack", ATTACKS)
@pytest.mark.timeout(60)
def test_an_attack_gets_no_point_and_is_named(attack):
    found = verdict(ATTACKS[attack])
    assert found.points == 0, found
    assert found.status != "right"
    assert found.message.strip()
    assert len(found.message) < 3000
    found.message.encode()  # can be written down


@pytest.mark.parametrize("what", GREEDY)
def test_nobody_gets_more_than_their_share(what):
    code, most = GREEDY[what]
    with Student(Limits(seconds=15)) as student:
        student.ask("run", code)
        assert student.ask("value", "answer") <= most


def test_nothing_of_a_student_is_left_when_the_question_is_over():
    with Student(Limits()) as student:
        student.ask("run", "import os\nos.environ['MARK'] = 'x'")
        number = student.process.pid
    left = subprocess.run(["ps", "-o", "pid=", "--ppid", str(number)], capture_output=True,
                          text=True, check=False)
    assert left.stdout.strip() == ""
