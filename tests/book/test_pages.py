"""The 36 experiment pages: made by papermill from one notebook, and the same when made again."""

from pathlib import Path

import nbformat
import pytest

import rb_core as rb
from tests import rotation

PAGES = Path(__file__).parents[2] / "notebooks" / "experiments"
TEMPLATE = nbformat.read(PAGES / "experiment.ipynb", 4)


def page(name):
    return nbformat.read(PAGES / f"{name}.ipynb", 4)


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


@pytest.mark.slow
def test_a_page_made_afresh_is_the_same_but_for_its_pictures(monkeypatch):
    monkeypatch.syspath_prepend(PAGES)
    import pages

    name = rotation.experiments_drawn()[0]
    made, kept = pages.made(name), page(name)
    assert text_outputs(made) == text_outputs(kept), name
    for one, other in zip(made.cells, kept.cells, strict=True):
        assert (one.id, one.source, one.metadata) == (other.id, other.source, other.metadata)


def test_one_experiment_of_each_setting_is_drawn_and_in_time_every_one(monkeypatch):
    monkeypatch.delenv("ALL", raising=False)
    drawn = [rotation.experiments_drawn(f"commit {i}") for i in range(100)]
    settings = list(dict.fromkeys(each.setting for each in rb.experiments().values()))
    for names in drawn:
        assert [rb.experiment(name).setting for name in names] == settings
    assert {name for names in drawn for name in names} == set(rb.experiments())
    assert rotation.experiments_drawn("this") == rotation.experiments_drawn("this")


def test_all_chapters_and_on_demand_all_pages_are_executed(monkeypatch):
    monkeypatch.delenv("ALL", raising=False)
    few = rotation.notebooks()
    monkeypatch.setenv("ALL", "1")
    everything = rotation.notebooks()
    assert set(few) < set(everything)
    assert len(everything) - len(few) == len(rb.experiments()) - 5
