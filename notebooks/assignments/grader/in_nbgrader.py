"""nbgrader's step of running a notebook, replaced by judging it question by question."""

from pathlib import Path

import nbformat
from assignment import NUMBERS, grade_id_of, read
from course import numbers_of, verdicts_on
from judge import RIGHT
from nbgrader.preprocessors import NbGraderPreprocessor
from student import Limits


class QuestionByQuestion(NbGraderPreprocessor):
    """Puts the verdict on each test into its cell, where SaveAutoGrades looks for failures."""

    def preprocess(self, nb, resources):
        about = resources["nbgrader"]
        student, root = about["student"], Path(about["db_url"].removeprefix("sqlite:///")).parent
        numbers = numbers_of(root, about["assignment"], student)
        assignment = read(about["assignment"]).with_numbers(numbers)
        # `make grade` has judged already; here that happens only if nbgrader is called by itself.
        judged = verdicts_on(root, assignment, student, nb, Limits())
        verdicts = {verdict.test: verdict for verdict in judged}
        for cell in nb.cells:
            if grade_id_of(cell) == NUMBERS:
                cell.source = assignment.given[NUMBERS]
            verdict = verdicts.get(grade_id_of(cell))
            if verdict is not None and verdict.status != RIGHT:
                line = f"{verdict.status}: {verdict.message}"
                cell.outputs = [nbformat.v4.new_output(
                    "error", ename=verdict.status, evalue=verdict.message, traceback=[line])]
        return nb, resources
