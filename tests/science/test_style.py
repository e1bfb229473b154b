"""The one style of all figures: the same file for the same figure, and ink for light and dark."""

import json
import re
from pathlib import Path

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pytest

from rb_core import figures
from rb_core.evaluation import COMPARED

matplotlib.use("Agg")
NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
PAPERS = {"light": (1.0, 1.0, 1.0), "dark": (0.08, 0.09, 0.12)}


@pytest.fixture
def styled():
    with plt.rc_context():
        figures.use_style()
        yield
    plt.close("all")


def drawn(shift=0.0):
    fig, ax = plt.subplots(layout="constrained")
    ax.plot([0, 1, 2], [0, 1 / 3 + shift, 1], marker="o", label="a line")
    ax.fill_between([0, 1], [0, 0], [1, 1], alpha=0.15)
    ax.legend()
    return fig


def test_a_figure_is_the_same_file_each_time(styled):
    fig = drawn()
    assert figures.svg(fig) == figures.svg(fig) == figures.svg(drawn())


def test_what_cannot_be_seen_does_not_change_the_file(styled):
    """A machine may compute the last digits otherwise."""
    assert figures.svg(drawn(1e-7)) == figures.svg(drawn())
    assert figures.svg(drawn(0.1)) != figures.svg(drawn())


def test_two_figures_share_no_names(styled):
    """Else one page that holds both would mix up their parts."""
    one, other = (set(re.findall(r'id="(part-[^"]*)"', figures.svg(drawn(shift))))
                  for shift in (0.0, 0.1))
    assert one
    assert not one & other


def test_places_are_rounded_and_opacity_is_not(styled):
    text = figures.svg(drawn())
    assert "opacity: 0.15" in text
    places = "".join(re.findall(r' d="([^"]*)"', text))
    assert not re.search(r"\.\d\d", places)


def luminance(colour):
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour[:3]]
    return np.dot(linear, [0.2126, 0.7152, 0.0722])


@pytest.mark.parametrize("paper", PAPERS)
def test_ink_can_be_read_on_light_and_on_dark_paper(styled, paper):
    ink = luminance(matplotlib.colors.to_rgb(figures.ink()))
    high, low = sorted((ink, luminance(PAPERS[paper])), reverse=True)
    assert (high + 0.05) / (low + 0.05) >= 3.7
    for agent in COMPARED:
        colour = luminance(matplotlib.colors.to_rgb(figures.style(agent)[0]))
        high, low = sorted((colour, luminance(PAPERS[paper])), reverse=True)
        assert (high + 0.05) / (low + 0.05) >= 1.9, agent


def test_the_background_is_none(styled):
    assert plt.rcParams["figure.facecolor"] == plt.rcParams["axes.facecolor"] == "none"


@pytest.mark.parametrize("path", sorted(NOTEBOOKS.glob("[0-9]*.ipynb")), ids=lambda path: path.stem)
def test_every_chapter_uses_the_style(path):
    cells = [cell for cell in json.loads(path.read_text())["cells"] if cell["cell_type"] == "code"]
    assert any("figures.use_style()" in "".join(cell["source"]) for cell in cells)
