"""Judges a hand-in, question by question, each in a process of its own."""

from typing import NamedTuple

from student import FATAL, Failed, Student


class Verdict(NamedTuple):
    """What became of one test."""

    test: str
    points: float
    most: float
    status: str  # right, wrong, not answered, error, syntax error, time limit, out of memory ...
    message: str


RIGHT = "right"
ITS_OWN = {"not answered", "out of memory", *FATAL}  # unless it calls an answer that is


def judge(assignment, answers, limits):
    """The verdict on each test, in the order of the notebook.

    A question is tried with the student's answers to those before it. If that fails, the fault may
    lie in one of those, so it is tried once more with ours in their place: nobody loses the same
    points twice.
    """
    verdicts, earlier, deadly = [], [], set()
    for name, question in assignment.questions.items():
        before = [code for other in earlier if other not in deadly for code in answers[other]]
        found = attempt(assignment, question, before, answers[name], limits)
        if _worth_another_try(found, verdicts):
            ours = [assignment.questions[other].reference for other in earlier]
            again = attempt(assignment, question, before + ours, answers[name], limits)
            found = max(found, again, key=lambda each: sum(verdict.points for verdict in each))
        if any(each.status in FATAL or each.status == "out of memory" for each in found):
            deadly.add(name)
        earlier.append(name)
        verdicts += found
    return verdicts


def _worth_another_try(found, verdicts):
    """Whether a failure may go back to the answers before, on which there are `verdicts`.

    A walk over states never ends if an earlier answer does not cap them, and a question that was
    skipped says "not answered" wherever it is called.
    """
    statuses = {each.status for each in found}
    if not verdicts or statuses == {RIGHT} or statuses == {"syntax error"}:
        return False
    return not statuses <= ITS_OWN or any(each.status != RIGHT for each in verdicts)


def attempt(assignment, question, before, cells, limits):
    """The verdicts on one question; `before` are cells that run first, whether they fail or not."""
    with Student(limits) as student:
        try:
            for code in assignment.given.values():
                student.ask("run", code)
            for code in before:
                _run(student, code)
            problem = None
            for code in cells:
                problem = _run(student, code) or problem
            names = student.names(question.names)
        except Failed as failure:
            return [Verdict(test, 0, most, failure.status, str(failure))
                    for test, most, _ in question.tests]
        missing = question.names - set(names)
        return [_tested(assignment, test, names, missing, problem) for test in question.tests]


def _run(student, code):
    """Run a cell; returns its failure, unless that ended the process, which is raised."""
    try:
        student.ask("run", code)
    except Failed as failure:
        if failure.status in FATAL:
            raise
        return failure
    return None


def _tested(assignment, test, names, missing, problem):
    name, most, code = test
    if missing:
        listed = " and ".join(sorted(missing))
        failure = problem or Failed("not answered", f"{listed}: not defined")
        return Verdict(name, 0, most, failure.status, str(failure))
    space = {"__name__": "__main__"}
    for given in assignment.given.values():
        exec(given, space)
    try:
        exec(compile(code, f"<{name}>", "exec"), space | names)
    except Failed as failure:
        return Verdict(name, 0, most, failure.status, str(failure))
    except AssertionError as wrong:
        return Verdict(name, 0, most, "wrong", str(wrong) or "the answer is wrong")
    except Exception as unusable:  # such as the wrong shape, on which NumPy has its own words
        said = f"the answer cannot be used: {type(unusable).__name__}: {unusable}"
        return Verdict(name, 0, most, "wrong", said)
    return Verdict(name, most, most, RIGHT, "")
