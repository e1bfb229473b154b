"""`make lint` keeps rb_core thin: what a reader must know, and all of it, counted in statements.

Docstrings, imports and declarations (the lines that begin a function or a class, and fields without
a value) are not counted: they say what there is, the others what it does.
"""

import ast
import sys
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "rb_core"
EDGES = {"cli.py", "gym.py", "checks.py"}
MOST = {"science": 1300, "package": 2400}
DECLARATIONS = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef)


def statements(path):
    """How many statements of a file do something."""
    return sum(does_something(node) for node in ast.walk(ast.parse(path.read_text("utf-8"))))


def does_something(node):
    if not isinstance(node, ast.stmt) or isinstance(node, DECLARATIONS):
        return False
    if isinstance(node, ast.AnnAssign) and node.value is None:
        return False
    return not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))


def is_science(path):
    """At the top, where a reader looks first, or an algorithm; the edges are neither."""
    room = path.relative_to(PACKAGE).parts[0]
    return room == "agents" or (path.parent == PACKAGE and room not in EDGES)


def main():
    counts = {path: statements(path) for path in PACKAGE.rglob("*.py")}
    found = {"science": sum(count for path, count in counts.items() if is_science(path)),
             "package": sum(counts.values())}
    for name, count in found.items():
        print(f"{name}: {count:,} statements, at most {MOST[name]:,}")
    return int(any(found[name] > MOST[name] for name in found))


if __name__ == "__main__":
    sys.exit(main())
