"""No way round a question: what a student's process says is data, and little of it."""

import judge
import pytest
import sandbox
from assignment import Assignment, Question
from student import Limits, Students

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
    with Students(Limits(seconds=15)) as students, students.new() as student:
        student.ask("run", code)
        assert student.ask("value", "answer") <= most


@pytest.mark.parametrize("harm", [
    "os.kill(os.getppid(), signal.SIGKILL)", "os.kill(os.getppid(), signal.SIGSTOP)",
    "os.kill(-1, signal.SIGKILL)",
    "[open(f'/tmp/{i}', 'wb').write(bytes(9**7)) for i in range(99)]",
])
@pytest.mark.timeout(200)
def test_harm_to_the_cage_costs_its_own_question(harm):
    two = Assignment("tiny", {}, {"q1": QUESTION, "q2": QUESTION}, None)
    bad = f"import os, signal\ntry:\n    {harm}\nfinally:\n    double = None"
    found = judge.judge(two, {"q1": [(True, bad)], "q2": [(True, QUESTION.reference)]}, LIMITS)
    assert [each.points for each in found] == [0, 3]


WRITE = """
import os
answer, kept = os.listdir("/tmp"), 1
os.makedirs("/tmp/a/b/c")
for path in ("/tmp/mine", "/tmp/a/b/c/mine"):
    open(path, "w").write("x")
os.symlink("/usr", "/tmp/a/link")
"""


def test_one_question_cannot_look_at_another():
    with Students(Limits()) as students:
        with students.new() as student:
            student.ask("run", WRITE)
            first = student.ask("value", "answer")  # Python's own place, if that is in /tmp
        with students.new() as student:
            student.ask("run", "import os\nanswer = [os.listdir('/tmp'), 'kept' in dir()]")
            assert student.ask("value", "answer") == [first, False]
            student.ask("run", """
answer = []
for name in ("mem", "maps", "environ"):
    try:
        open(f"/proc/{os.getppid()}/{name}", "rb").read(1)
        answer.append(name)
    except OSError:
        pass
""")
            assert student.ask("value", "answer") == []
