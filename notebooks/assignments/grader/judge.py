"""Judges a hand-in, question by question, each in a process of its own."""

from typing import NamedTuple

from apart import TimeUp, processor_time
from student import FATAL, Failed, Students


class Verdict(NamedTuple):
    """What became of one test."""

    test: str
    points: float
    most: float
    status: str  # right, wrong, not answered, error, syntax error, time limit, out of memory ...
    message: str


RIGHT = "right"
DEADLY = {"out of memory", *FATAL}
ITS_OWN = {"not answered", *DEADLY}  # unless it calls an answer that is
MOST_WORDS = 2000  # letters of a message


def verdict(test, points, status, message):
    """A verdict whose message can be written down: not endless, and without half letters."""
    name, most, _ = test
    message = message[:MOST_WORDS].encode(errors="replace").decode().replace("\0", "")
    return Verdict(name, points, most, status, message)


def judge(assignment, answers, limits):
    """The verdict on each test, in the order of the notebook.

    `answers` holds for each question its cells, as (is the answer cell, code). A question is tried
    with the student's answers to those before it. If that fails, the fault may lie in one of those,
    so it is tried once more with ours in their place: nobody loses the same points twice.
    """
    with Students(limits) as students:
        return _judged(assignment, answers, students)


def _judged(assignment, answers, students):
    verdicts, before, ours = [], [], []
    for name, question in assignment.questions.items():
        cells = [code for _, code in answers[name]]
        found = attempt(assignment, question, before, cells, students)
        alone = [code for is_answer, code in answers[name] if is_answer]
        if _is_deadly(found) and alone != cells:
            # What was added to try something out must not cost the answer.
            again = attempt(assignment, question, before, alone, students)
            if not _is_deadly(again):
                found, cells = again, alone
        if _worth_another_try(found, verdicts):
            # If it died, it may have died of one of them: then without theirs.
            first = ours if _is_deadly(found) else [*before, *ours]
            again = attempt(assignment, question, first, cells, students)
            found = max(found, again, key=lambda each: sum(verdict.points for verdict in each))
        before.append([] if _is_deadly(found) else cells)
        ours.append([question.reference])
        verdicts += found
    return verdicts


def _is_deadly(found):
    return any(each.status in DEADLY for each in found)


def _worth_another_try(found, verdicts):
    """Whether a failure may go back to the answers before, on which there are `verdicts`.

    A walk over states never ends if an earlier answer does not cap them, and a question that was
    skipped says "not answered" wherever it is called.
    """
    statuses = {each.status for each in found}
    if not verdicts or statuses == {RIGHT} or statuses == {"syntax error"}:
        return False
    return not statuses <= ITS_OWN or any(each.status != RIGHT for each in verdicts)


def attempt(assignment, question, before, cells, students):
    """The verdicts on one question; `before` are lists of cells that run first, fail or not."""
    with students.new(turns=len(before) + 1) as student:
        try:
            for code in assignment.given.values():
                student.ask("run", code)
            for earlier in before:
                student.has_time_again()  # each has shown that it needs no more
                for code in earlier:
                    _run(student, code)
            student.has_time_again()
            problem = None
            for code in cells:
                problem = _run(student, code) or problem
            names = student.names(question.names)
        except Failed as failure:
            return [verdict(test, 0, failure.status, str(failure)) for test in question.tests]
        missing = question.names - set(names)
        if missing:
            listed = " and ".join(sorted(missing))
            failure = problem or Failed("not answered", f"{listed}: not defined")
            return [verdict(test, 0, failure.status, str(failure)) for test in question.tests]
        return [_tested(assignment, test, names, students.limits) for test in question.tests]


def _run(student, code):
    """Run a cell; returns its failure, unless that ended the process, which is raised."""
    try:
        student.ask("run", code)
    except Failed as failure:
        if failure.status in FATAL:
            raise
        return failure
    return None


def _tested(assignment, test, names, limits):
    name, most, code = test
    space = {"__name__": "__main__"}
    for given in assignment.given.values():
        exec(given, space)
    try:
        with processor_time(limits.seconds):
            exec(compile(code, f"<{name}>", "exec"), space | names)
    except Failed as failure:
        return verdict(test, 0, failure.status, str(failure))
    except AssertionError as wrong:
        return verdict(test, 0, "wrong", str(wrong) or "the answer is wrong")
    except TimeUp:
        return verdict(test, 0, "time limit", "the test does not come to an end with this answer")
    except Exception as unusable:  # such as the wrong shape, on which NumPy has its own words
        said = f"the answer cannot be used: {type(unusable).__name__}: {unusable}"
        return verdict(test, 0, "wrong", said)
    return verdict(test, most, RIGHT, "")
