"""Make the course's notebooks for students, which the page for students gives for download."""

import sys
from pathlib import Path

import nbformat

TOP = Path(__file__).parents[2]
PLACE = TOP / "_build" / "assignments"


def write(app, config):
    sys.path.append(str(TOP / "notebooks" / "assignments" / "grader"))
    from assignment import assignments
    from student_notebook import student_notebook

    PLACE.mkdir(parents=True, exist_ok=True)
    for name in assignments():
        nbformat.write(student_notebook(name), PLACE / f"{name}.ipynb")


def setup(app):
    app.connect("config-inited", write)
    return {"parallel_read_safe": True}
