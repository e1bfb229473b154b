"""Settings of nbgrader for this course; `make assignments` and `make grade` use them."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "grader"))

from in_nbgrader import QuestionByQuestion, Restored
from nbgrader.converters import Autograde
from nbgrader.preprocessors import Execute
from student_notebook import STUB

c = get_config()  # noqa: F821 (traitlets provides it)
c.CourseDirectory.course_id = "recovering-bandits"
c.ExecutePreprocessor.timeout = 120
c.ClearSolutions.code_stub = {"python": STUB}
c.Autograde.sanitize_preprocessors = [Restored, *Autograde.sanitize_preprocessors.default()]
# A student's code never runs in the grader's process, nor two questions in one.
c.Autograde.autograde_preprocessors = [
    QuestionByQuestion if each is Execute else each
    for each in Autograde.autograde_preprocessors.default()
]
# In the pages that a teacher opens, students' text does nothing.
c.HTMLExporter.filters = {"markdown2html": "harmless.markdown"}
