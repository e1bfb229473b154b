"""nbgrader's own steps, replaced by ours: a hand-in is restored, and judged question by question.

So its formgrader's button gives the same points as `make grade`.
"""

import os
from pathlib import Path

import apart
import hand_in
import nbformat
import sandbox
from assignment import NUMBERS, grade_id_of
from course import assignment_for, released
from gradebook import JUST_JUDGED
from grading import kept_verdicts, patience, verdicts_on
from judge import RIGHT
from nbgrader.preprocessors import NbGraderPreprocessor
from restore import restored
from student import Limits


def course_of(resources):
    """The course's folder, the assignment's name and the student's."""
    about = resources["nbgrader"]
    root = Path(about["db_url"].removeprefix("sqlite:///")).parent
    return root, about["assignment"], about["student"]


class Restored(NbGraderPreprocessor):
    """Puts back what was deleted or changed of the cells that we gave."""

    def preprocess(self, nb, resources):
        root, name, _ = course_of(resources)
        return restored(released(root, name), hand_in.in_order(nb)), resources


def judged(what):
    return verdicts_on(*what, Limits())


class QuestionByQuestion(NbGraderPreprocessor):
    """Puts the verdict on each test into its cell, where SaveAutoGrades looks for failures."""

    def preprocess(self, nb, resources):
        root, name, student = course_of(resources)
        assignment = assignment_for(root, name, student)
        found = None
        if os.environ.get(JUST_JUDGED) == "True":
            found = kept_verdicts(root, assignment, student, nb)
        if found is None:
            if not sandbox.available():
                raise sandbox.NoSandbox
            found = apart.call(judged, (root, assignment, student, nb), patience(Limits()))
        verdicts = {verdict.test: verdict for verdict in found}
        for cell in nb.cells:
            if grade_id_of(cell) == NUMBERS:
                cell.source = assignment.given[NUMBERS]
            verdict = verdicts.get(grade_id_of(cell))
            if verdict is not None and verdict.status != RIGHT:
                line = f"{verdict.status}: {verdict.message}"
                cell.outputs = [nbformat.v4.new_output(
                    "error", ename=verdict.status, evalue=verdict.message, traceback=[line])]
        return nb, resources
