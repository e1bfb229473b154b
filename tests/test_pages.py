"""The 36 experiment pages: made by papermill from one notebook, and the same when made again."""

import importlib.util
import random
from pathlib import Path

import nbformat
import pytest

import rb_core as rb

PAGES = Path(__file__).parents[1] / "notebooks" / "experiments"
TEMPLATE = nbformat.read(PAGES / "experiment.ipynb", 4)


def page(name, folder=PAGES):
    return nbformat.read(folder / f"{name}.ipynb", 4)


def text_outputs(notebook):
    """What cells printed and showed, without pictures."""
    return [
        [output.get("text") or {kind: data for kind, data in output["data"].items()
                                if kind.startswith("text/")}
         for output in cell.outputs]
        for cell in notebook.cells if cell.cell_type == "code"
    ]


@pytest.mark.parametrize("name", rb.experiments())
def test_a_page_is_the_one_notebook_with_its_own_parameters(name):
    cells = page(name).cells
    (injected,) = [cell for cell in cells if cell.id == "injected-parameters"]
    assert injected.source == f'# Parameters\nname = "{name}"\n'
    own = [cell.source for cell in cells if cell.id not in ("title", "injected-parameters")]
    assert own == [cell.source for cell in TEMPLATE.cells if cell.id != "title"]
    titles = [next(cell.source for cell in each if cell.id == "title").split("\n", 1)
              for each in (cells, TEMPLATE.cells)]
    assert titles[0][1] == titles[1][1]


def test_a_page_made_afresh_shows_the_same_numbers(tmp_path):
    spec = importlib.util.spec_from_file_location("pages", PAGES / "pages.py")
    pages = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(pages)
    name = random.choice(list(rb.experiments()))
    pages.make(rb.experiment(name), tmp_path)
    assert text_outputs(page(name, tmp_path)) == text_outputs(page(name)), name
