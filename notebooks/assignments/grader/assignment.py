"""An assignment as its source defines it, and a hand-in seen as answers to its questions."""

import ast
import hashlib
import re
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

import nbformat
import secret as secrets
from IPython.core.inputtransformer2 import TransformerManager

HOME = Path(__file__).parents[1]
SOURCE = HOME / "source"
NUMBERS = "given_numbers"


@dataclass
class Question:
    """One question: our answer, and the cells that test an answer."""

    name: str
    reference: str
    tests: list = field(default_factory=list)  # of (grade_id, points, code)

    @property
    def names(self):
        """What an answer has to define: the names that ours defines."""
        found = set()
        for node in ast.parse(self.reference).body:
            if isinstance(node, ast.FunctionDef):
                found.add(node.name)
            targets = getattr(node, "targets", [getattr(node, "target", None)])
            for target in filter(None, targets):
                found |= {name.id for name in ast.walk(target) if isinstance(name, ast.Name)}
        return found


@dataclass
class Assignment:
    """What a source notebook says: cells that are given, and questions, in their order."""

    name: str
    given: dict  # grade_id -> code
    questions: dict  # name -> Question
    notebook: object

    def with_numbers(self, code):
        """The same assignment with another cell of numbers, or as it is."""
        given = self.given if code is None else self.given | {NUMBERS: code}
        return Assignment(self.name, given, self.questions, self.notebook)


def assignments():
    """The names of all assignments."""
    return sorted(path.stem for path in SOURCE.glob("*/*.ipynb") if path.stem == path.parent.name)


def read(name, secret=""):
    """One assignment, from its source, with a course's secret in its tests."""
    notebook = source(name, secret)
    given, questions = {}, {}
    for cell in notebook.cells:
        grade_id, about = grade_id_of(cell), cell.metadata.get("nbgrader")
        if cell.cell_type != "code" or not grade_id:
            continue
        if about["solution"]:
            questions[grade_id] = Question(grade_id, cell.source)
        elif about["grade"]:
            test = (grade_id, about["points"], cell.source)
            questions[question_of(grade_id)].tests.append(test)
        else:
            given[grade_id] = cell.source
    return Assignment(name, given, questions, notebook)


def source(name, secret=""):
    """The source of an assignment, with a course's secret filled in."""
    notebook = nbformat.read(SOURCE / name / f"{name}.ipynb", as_version=4)
    for cell in notebook.cells:
        cell.source = secrets.filled_in(cell.source, secret, name, grade_id_of(cell))
    return notebook


@lru_cache
def given_texts(name):
    """The texts and figures of an assignment that are no part of any question."""
    return {cell.source.strip() for cell in source(name).cells if not grade_id_of(cell)}


def grade_id_of(cell):
    """What nbgrader calls a cell, or "" for one that it does not know."""
    about = cell.metadata.get("nbgrader")
    return str(about.get("grade_id", "")) if isinstance(about, dict) else ""


def question_of(grade_id):
    """The question that a cell belongs to: q2_edge is a test of q2."""
    return grade_id.split("_")[0]


def answers(assignment, notebook):
    """What was handed in for each question, as (is the answer cell, Python).

    A cell that the student has added belongs to the question in which it stands: until its last
    test that question's, from there on the next one's.
    """
    ours = assignment.notebook.cells
    ids, texts = {cell.get("id") for cell in ours}, {cell.source for cell in ours}
    found = {name: [] for name in assignment.questions}
    over = {name: question.tests[-1][0] for name, question in assignment.questions.items()}
    waiting, current = [], None
    for cell in notebook.cells:
        grade_id = grade_id_of(cell)
        if grade_id in found:
            found[grade_id] += [*waiting, (True, as_python(cell.source))]
            waiting, current = [], grade_id
        elif grade_id and grade_id == over.get(current):
            current = None
        elif _is_added(cell, ids, texts):
            place = waiting if current is None else found[current]
            place.append((False, as_python(cell.source)))
    return found


def _is_added(cell, ids, texts):
    is_new = cell.get("id") not in ids and cell.source not in texts
    return cell.cell_type == "code" and not grade_id_of(cell) and is_new


# What may stand above an answer without changing what it does.
AROUND = re.compile(r"\s*%%(time|timeit|capture|prun|px|python3?)\b.*")


def as_python(code):
    """A cell without its IPython magic; lines keep their numbers."""
    lines = code.splitlines()
    for i, line in enumerate(lines):
        if AROUND.fullmatch(line):
            lines[i] = ""
        elif line.strip():
            break
    try:
        return TransformerManager().transform_cell("\n".join(lines))
    except SyntaxError:
        return code


def fingerprint(assignment, found):
    """What a verdict follows from: the answers, the numbers, the tests."""
    parts = map(repr, (found, assignment.given, assignment.questions))
    return hashlib.sha256("\n".join(parts).encode(errors="replace")).hexdigest()[:32]
