"""What made a notebook's outputs: its code cells, and every file of the project that they read.

A notebook keeps that in its metadata, as a short hash of each, and is out of date when one of them
differs. Nobody declares the files: they are those that were seen being read while it was executed
(watch.py). Versions of packages are no part of it: that outputs are true with those of the lock is
shown by `make test`, which executes the notebooks and compares.
"""

import ast
import hashlib
import json
from pathlib import Path

TOP = Path(__file__).parents[2]
NAME = "made_from"  # of the entry in a notebook's metadata
CELLS = "cells"


def stamp(notebook, files, digest_of=None):
    """The entry for a notebook (as JSON) that has read these files, given from the top."""
    digest_of = digest_of or digest
    cells = {CELLS: digest_of_cells(notebook)}
    return cells | {file: digest_of(TOP / file) for file in sorted(files)}


def changed(notebook, digest_of=None):
    """What differs from what made the outputs; nothing if they are up to date."""
    kept = notebook["metadata"].get(NAME)
    if kept is None:
        return ["never stamped"]
    now = stamp(notebook, set(kept) - {CELLS}, digest_of)
    return [name for name in kept if now[name] != kept[name]]


def read(path):
    return json.loads(Path(path).read_text(encoding="utf-8"))


def digest(path):
    """A short hash of what a file says to code that reads it; "" if there is none."""
    if not path.is_file():
        return ""
    if path.suffix == ".py":
        return short(described(without_docstrings(ast.parse(path.read_bytes()))))
    if path.suffix == ".ipynb":
        return short(["".join(cell["source"]) for cell in read(path)["cells"]])
    return hashlib.sha256(path.read_bytes()).hexdigest()[:12]


def digest_of_cells(notebook):
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    return short(["".join(cell["source"]) for cell in cells])


def short(parts):
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:12]


def without_docstrings(tree):
    for node in ast.walk(tree):
        documented = isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        if documented and ast.get_docstring(node) is not None:
            del node.body[0]
    return tree


def described(node):
    """Code as nested lists: unlike `ast.dump`'s text, the same in all versions of Python."""
    if isinstance(node, ast.AST):
        fields = [[name, described(value)] for name, value in ast.iter_fields(node)
                  if value not in (None, [])]
        return [type(node).__name__, *fields]
    if isinstance(node, list):
        return [described(each) for each in node]
    return repr(node)
