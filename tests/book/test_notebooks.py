"""What is committed of a notebook: all of it executed, in order, clean and readable."""

import ast
import math
import re
from collections import defaultdict
from itertools import pairwise
from pathlib import Path

import nbformat
import pytest

from rb_core.lab.notebooks import parameters, read

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
CHAPTERS = [*sorted(NOTEBOOKS.glob("[0-9]*.ipynb")), NOTEBOOKS / "sweeps" / "sensitivity.ipynb"]
PAGES = sorted((NOTEBOOKS / "experiments").glob("*.ipynb"))


def code_cells(path):
    return [cell for cell in nbformat.read(path, 4).cells if cell.cell_type == "code"]


def named(paths):
    return pytest.mark.parametrize("path", paths, ids=[path.stem for path in paths])


@named(CHAPTERS + PAGES)
def test_every_cell_was_executed_in_order_without_errors_or_warnings(path):
    cells = code_cells(path)
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))
    for cell in cells:
        for output in cell.outputs:
            assert output.output_type != "error", cell.id
            assert output.get("name") != "stderr", cell.id


@named(CHAPTERS + PAGES)
def test_every_figure_has_alt_text(path):
    for cell in code_cells(path):
        drawn = any(kind.startswith("image/") for output in cell.outputs
                    for kind in output.get("data", {}))
        alt = cell.metadata.get("mystnb", {}).get("image", {}).get("alt", "")
        assert not drawn or len(alt) >= 20, cell.id


def figures_of(path):
    for cell in code_cells(path):
        if any(kind.startswith("image/") for output in cell.outputs
               for kind in output.get("data", {})):
            yield cell.id, cell.metadata.get("mystnb", {}).get("figure", {})


@named(CHAPTERS)
def test_every_figure_of_a_chapter_has_a_caption_and_so_a_number(path):
    for cell, figure in figures_of(path):
        assert len(figure.get("caption", "")) >= 20, cell
        assert figure.get("name", "").startswith("fig-"), cell


def test_no_two_figures_have_the_same_name():
    names = [figure.get("name") for path in CHAPTERS for _, figure in figures_of(path)]
    assert len(names) == len(set(names))


@named(CHAPTERS + PAGES)
def test_nothing_of_the_machine_is_left(path):
    notebook = nbformat.read(path, 4)
    assert "papermill" not in notebook.metadata
    assert not any("execution" in cell.metadata for cell in notebook.cells)
    text = "\n".join(
        part
        for cell in notebook.cells
        for part in [cell.source, *(str(output) for output in cell.get("outputs", []))]
    )
    assert not re.search(r"/(home|root|tmp|work|Users)/\w|0x[0-9a-f]{8,}", text)


@named(CHAPTERS + PAGES)
def test_code_on_the_page_fits_its_column(path):
    for cell in code_cells(path):
        if not {"remove-cell", "remove-input"} & set(cell.metadata.get("tags", [])):
            assert max(map(len, cell.source.splitlines())) <= 100, cell.id


@named(CHAPTERS)
def test_a_chapter_has_one_title_and_headings_in_order(path):
    levels = []
    for cell in nbformat.read(path, 4).cells:
        if cell.cell_type == "markdown":
            outside_code = re.sub(r"(`{3,}|~{3,}).*?\1", "", cell.source, flags=re.DOTALL)
            levels += [len(mark) for mark in re.findall(r"^(#+) ", outside_code, re.MULTILINE)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    steps = [after - before for before, after in pairwise(levels)]
    assert max(steps) <= 1


@named(CHAPTERS)
def test_a_chapter_starts_with_a_plan_and_ends_with_exercises(path):
    text = "\n".join(c.source for c in nbformat.read(path, 4).cells if c.cell_type == "markdown")
    assert "What you'll do" in text or "What you’ll do" in text
    for heading in ("## Summary", "## Exercises", "## Further reading"):
        assert heading in text
    assert text.count("{exercise}") >= 3
    assert text.count("{solution}") >= 3


def test_no_function_or_class_is_defined_in_two_chapters():
    homes = defaultdict(set)
    for path in CHAPTERS:
        for cell in code_cells(path):
            for node in ast.parse(cell.source).body:
                if isinstance(node, ast.FunctionDef | ast.ClassDef):
                    homes[node.name].add(path.stem)
    assert {name: chapters for name, chapters in homes.items() if len(chapters) > 1} == {}


@named(CHAPTERS)
def test_parameters_are_declared_with_types_and_help(path):
    for cell in code_cells(path):
        if "parameters" in cell.metadata.get("tags", []):
            for line in filter(None, cell.source.splitlines()):
                assert re.fullmatch(r"#.*|\w+: (int|float|str|bool) = [^#]+  # .+", line), line


def checked_ranges(path, names):
    """The ranges that code cells check parameters against, by rb.whole and rb.number."""
    for cell in code_cells(path):
        for node in ast.walk(ast.parse(cell.source)):
            if (isinstance(node, ast.Call) and ast.unparse(node.func) in ("rb.whole", "rb.number")
                    and ast.literal_eval(node.args[0]) in names):
                low, high, *_ = *map(ast.literal_eval, node.args[2:]), math.inf
                options = {each.arg: ast.literal_eval(each.value) for each in node.keywords}
                yield ast.literal_eval(node.args[0]), (low, high, options.get("open_low", False))


@named(CHAPTERS)
def test_a_parameter_is_checked_against_the_range_that_is_declared(path):
    declared = parameters(read(path))
    for name, checked in checked_ranges(path, declared):
        said = declared[name]
        assert checked == (said.low, said.high, said.open_low), name
