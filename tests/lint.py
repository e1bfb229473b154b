"""`make lint` keeps rb_core thin: what a reader must know, and all of it, counted in statements.

The limit is on statements that do something. Imports and declarations (the lines that begin a
function or a class, and fields without a value) say what there is; with them the count is printed,
too. Docstrings are never counted.
"""

import ast
import sys
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "rb_core"
EDGES = {"cli.py", "gym.py", "checks.py"}
# What goes beyond the paper: random families, schedules for any size, the learner that plans, its
# published competitors, players for real decisions, and the paper's agents taken apart. That has a
# limit of its own, by which the package's has grown; the paper's science keeps to its own.
BEYOND = {"families.py", "pricing.py", "policy_iteration.py", "search.py", "rhythms.py",
          "scheduling.py", "player.py", "periods.py", "periodic_timetable.py",
          "interleaving.py", "agents/periodic_ucb.py",
          "agents/plan_ucb.py", "agents/rgp_ucb.py", "workbench/__init__.py",
          "workbench/switches.py", "workbench/slips.py"}
MOST = {"science": 1300, "beyond": 1200, "package": 2500 + 1200}
DECLARATIONS = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef)


def statements(path):
    """The statements of a file, but for docstrings."""
    return [node for node in ast.walk(ast.parse(path.read_text("utf-8")))
            if isinstance(node, ast.stmt)
            and not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))]


def does_something(node):
    field = isinstance(node, ast.AnnAssign) and node.value is None
    return not (field or isinstance(node, DECLARATIONS))


def is_science(path):
    """At the top, where a reader looks first, or an algorithm; the edges are neither."""
    room = path.relative_to(PACKAGE).parts[0]
    return room == "agents" or (path.parent == PACKAGE and room not in EDGES)


def main():
    found = {path: statements(path) for path in PACKAGE.rglob("*.py")}
    beyond = [path for path in found if path.relative_to(PACKAGE).as_posix() in BEYOND]
    paper = [path for path in found if is_science(path) and path not in beyond]
    rooms = {"science": paper, "beyond": beyond, "package": list(found)}
    too_many = False
    for name, paths in rooms.items():
        nodes = [node for path in paths for node in found[path]]
        count = sum(map(does_something, nodes))
        print(f"{name}: {count:,} statements, at most {MOST[name]:,}; {len(nodes):,} with imports "
              f"and declarations")
        too_many |= count > MOST[name]
    return int(too_many)


if __name__ == "__main__":
    sys.exit(main())
