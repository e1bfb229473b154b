"""Chapters, pages and assignments use the package as a reader would: by its public names."""

import ast
import re

import nbformat
import pytest

import rb_core as rb
from tests.conftest import TOP

# What is `rb.NAME` may be imported; rb_core.gym is a module of its own, for those with Gymnasium.
ALLOWED = {"rb_core", "rb_core.gym", *(f"rb_core.{name}" for name in dir(rb))}
NOTEBOOKS = TOP / "notebooks"
CHAPTERS = [*sorted(NOTEBOOKS.glob("[0-9]*.ipynb")), NOTEBOOKS / "sweeps" / "sensitivity.ipynb"]
PAGES = [
    *CHAPTERS,
    *sorted((NOTEBOOKS / "experiments").glob("*.ipynb")),
    *sorted((NOTEBOOKS / "assignments" / "source").glob("*/*.ipynb")),
    *sorted((NOTEBOOKS / "assignments" / "variants").glob("*.py")),
    *sorted((TOP / "book").glob("*.md")),
    TOP / "README.md",
    TOP / "rb_core" / "lab" / "sweep" / "summary.ipynb",
]
FENCED = re.compile(
    r"^( *)(`{3,})(?:\{code-cell\} )?python\n(.*?)^\1\2`*$", re.MULTILINE | re.DOTALL
)
OPTIONS = re.compile(r"\A(---\n.*?^---\n|(:[^\n]*\n)*)", re.MULTILINE | re.DOTALL)  # of a code cell


def code_of(path):
    """All Python on a page, also the examples in its text."""
    if path.suffix == ".py":
        return [path.read_text(encoding="utf-8")]
    if path.suffix == ".md":
        return examples(path.read_text(encoding="utf-8"))
    cells = nbformat.read(path, 4).cells
    return [code for cell in cells for code in
            ([cell.source] if cell.cell_type == "code" else examples(cell.source))]


def examples(text):
    return [OPTIONS.sub("", code) for _, _, code in FENCED.findall(text)]


def nodes_of(path):
    return [node for code in code_of(path) for node in ast.walk(ast.parse(code))]


def imported(nodes):
    """The modules of the package that are imported, and what `rb_core.` is written before."""
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module == "rb_core":
            yield from (f"rb_core.{each.name}" for each in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module


def private(nodes):
    return {name for name in imported(nodes) if name.split(".")[0] == "rb_core"} - ALLOWED


def unknown(nodes):
    """Attributes of `rb` that are not public."""
    used = {node.attr for node in nodes if isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name) and node.value.id == "rb"}
    return used - set(dir(rb)) - {"__file__", "__version__"}


def shadowing(nodes):
    defined = {node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    return defined & set(dir(rb))


def named(paths):
    ids = [path.relative_to(TOP).with_suffix("").as_posix() for path in paths]
    return pytest.mark.parametrize("path", paths, ids=ids)


@named(PAGES)
def test_a_page_uses_public_names_only(path):
    nodes = nodes_of(path)
    assert private(nodes) == set()
    assert unknown(nodes) == set()


@named(CHAPTERS)
def test_a_chapter_defines_nothing_under_a_public_name(path):
    assert shadowing(nodes_of(path)) == set()


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("import rb_core.engine.loop", {"rb_core.engine.loop"}),
        ("from rb_core.lab.store import Store", {"rb_core.lab.store"}),
        ("from rb_core import checks", {"rb_core.checks"}),
        ("def f():\n    from rb_core.checks import whole", {"rb_core.checks"}),
        ("import rb_core as rb\nfrom rb_core import figures\nimport rb_core.gym", set()),
        ("from rb_core.building_blocks import row_of\nfrom rb_core import glue", set()),
        ("from rb_core.agents.shared.joint_states import row_of",
         {"rb_core.agents.shared.joint_states"}),
    ],
)
def test_other_imports_are_found(code, found):
    assert private(list(ast.walk(ast.parse(code)))) == found


def test_old_names_and_shadows_are_found():
    nodes = list(ast.walk(ast.parse("rb.compare(1, 2)\nrb.figures.style('x')\ndef play(): pass")))
    assert unknown(nodes) == {"compare"}
    assert shadowing(nodes) == {"play"}


def test_code_is_found_in_cells_and_in_text():
    cell = "```{code-cell} python\n---\ntags: [hide-input]\n---\na = 1\n```\n"
    assert examples(f"{cell}\n````\n```python\nb\n```\n````\n") == ["a = 1\n", "b\n"]
    assert examples("```{code-cell} python\n:tags: [hide-input]\na = 1\n```\n") == ["a = 1\n"]
    assert all(code_of(path) for path in PAGES if path.suffix == ".ipynb")
