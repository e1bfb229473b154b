"""A student's notebook without a course's folder: what the book gives for download.

By the steps of nbgrader's own command, which would need a gradebook to write to.
"""

from assignment import source
from nbgrader.preprocessors import (
    ClearHiddenTests,
    ClearMarkScheme,
    ClearOutput,
    ClearSolutions,
    ComputeChecksums,
    LockCells,
)

# What a student reads who runs a test before there is an answer.
STUB = '# YOUR CODE HERE\nraise NotImplementedError("write your answer in place of this line")'
STEPS = (ClearSolutions, LockCells, ComputeChecksums, ClearOutput, ClearHiddenTests,
         ClearMarkScheme, ComputeChecksums)


def student_notebook(name):
    """The notebook of an assignment with nothing of a solution or a hidden test in it."""
    notebook, resources = source(name), {"nbgrader": {"notebook": name}}
    for step in STEPS:
        options = {"code_stub": {"python": STUB}} if step is ClearSolutions else {}
        notebook, resources = step(**options).preprocess(notebook, resources)
    return notebook
