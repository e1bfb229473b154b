"""The directive for figures to touch: alive on a page, a still picture in what is printed."""

import re

import pytest
from sphinx.application import Sphinx

from tests.conftest import TOP

PAGE = (
    "# Top\n\n```{interactive} step\n:name: steps\n\nIts *caption*.\n```\n\nSee {numref}`steps`.\n"
)
RACE = "\n```{interactive} race\n:bandit: 6-hetero-peaked\n\nAnother.\n```\n"


@pytest.mark.slow
@pytest.mark.parametrize("builder", ["html", "singlehtml"])
def test_a_page_has_the_figure_and_paper_its_picture(tmp_path, monkeypatch, builder):
    source, target = tmp_path / "source", tmp_path / "target"
    posters = source / "book" / "interactive" / "posters"
    posters.mkdir(parents=True)
    for name in ("step.webp", "race.webp"):
        picture = TOP / "book" / "interactive" / "posters" / name
        (posters / name).write_bytes(picture.read_bytes())
    (source / "index.md").write_text(PAGE + RACE)
    monkeypatch.syspath_prepend(TOP / "book" / "_ext")
    settings = {"extensions": ["myst_parser", "interactive"], "source_suffix": {".md": "markdown"}}
    trees = tmp_path / "trees"
    settings["numfig"] = True
    app = Sphinx(source, None, target, trees, builder, settings, status=None, warning=None)
    app.build()
    text = (target / "index.html").read_text()
    assert "step.webp" in text
    assert "small tables of the arm that was pulled" in text  # the alt text
    assert "Its <em>caption</em>." in text
    assert '<span class="caption-number">Fig. 1 </span>' in text
    assert re.search(r'<figure class="rb-figure[^>]* id="steps"', text)
    assert re.search(r'See <a [^>]*#steps"><span class="std std-numref">Fig. 1</span>', text)
    assert text.count("<figure") == text.count("</figure>") == text.count("</figcaption>") == 2
    alive = 'data-figure="step"' in text
    assert alive == ("interactive.js" in text) == ('class="rb-data"' in text) == (builder == "html")
    assert ('{"bandit":"6-hetero-peaked"}' in text) == alive
    styles = (target / "_static" / "interactive.css").read_text()
    for name in ("step", "race"):  # the room that a figure takes
        assert f"[data-figure={name}] .rb-place {{ --rb-high:" in styles
    assert (target / "_static" / "interactive.js").stat().st_size < 150_000
