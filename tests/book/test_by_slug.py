"""References by slug: their words, their links, and that a wrong one stops the build."""

import json
import re
import sys

import pytest
from sphinx.application import Sphinx

from rb_core.lab import notebooks
from tests.conftest import TOP

EXTENSIONS = TOP / "book" / "_ext"
ALONE = "---\norphan: true\n---\n"  # in no table of contents
CLAIMS = json.loads((TOP / "book" / "claims.json").read_text())


@pytest.fixture
def by_slug(monkeypatch):
    monkeypatch.syspath_prepend(EXTENSIONS)
    import by_slug

    yield by_slug
    sys.modules.pop("by_slug", None)


def test_chapters_are_numbered_as_rb_notebook_numbers_them(by_slug):
    for slug, (number, page) in by_slug.chapter_numbers().items():
        if (TOP / f"{page}.ipynb").exists():
            assert notebooks.find(str(number)) == notebooks.find(slug) == TOP / f"{page}.ipynb"
    number = by_slug.chapter_numbers()["small"][0]
    assert by_slug.words("chapter", "small") == f"chapter {number}"
    assert by_slug.words("Chapter", "small") == f"Chapter {number}"
    assert by_slug.words("chapter-number", "small") == str(number)


def test_a_verdict_comes_from_the_ledger_with_its_cases_and_the_other_reading(by_slug, monkeypatch):
    made = {"number": 7, "verdict": "partly", "held": 2, "cases": 3, "undecided": 0,
            "separated": None}
    monkeypatch.setattr(by_slug, "claims", lambda: {"made-up": made})
    assert by_slug.words("claim", "made-up") == "claim 7"
    assert by_slug.words("verdict", "made-up") == "partly (2 of 3 cases)"
    assert by_slug.words("held", "made-up") == "2\u00a0of\u00a03"
    made |= {"verdict": "reproduced", "held": 0, "undecided": 1, "separated": "partly"}
    assert by_slug.words("verdict", "made-up") == (
        "reproduced (1 of 3 cases undecided); with separated visits partly")
    assert by_slug.words("held", "made-up") == "none\u00a0of\u00a03"


def build(folder, text):
    """The warnings of a small book with one page of text, and that page."""
    page = folder / "notebooks" / "10_small.md"
    page.parent.mkdir(parents=True)
    page.write_text(ALONE + "# The small problem\n")
    (folder / "book").mkdir()
    (folder / "book" / "claims.md").write_text(
        f"{ALONE}# Claims\n\n(claim-{CLAIMS[0]['slug']})=\n## The first\n")
    (folder / "index.md").write_text(f"# A book\n\n{text}\n")
    (folder / "conf.py").write_text(
        f"import sys\nsys.path.append({str(EXTENSIONS)!r})\n"
        "extensions = ['myst_parser', 'by_slug']\nsource_suffix = {'.md': 'markdown'}\n")
    with open(folder / "warnings", "w+") as warnings:
        app = Sphinx(folder, folder, folder / "out", folder / "trees", "html", status=None,
                     warning=warnings)
        app.build()
        warnings.seek(0)
        return warnings.read(), (folder / "out" / "index.html").read_text()


def test_references_are_links(tmp_path, by_slug):
    slug = CLAIMS[0]["slug"]
    warnings, page = build(
        tmp_path, f"See {{chapter}}`small` and {{Claim}}`{slug}`: {{verdict}}`{slug}`.")
    assert warnings == ""
    links = dict(re.findall(r'href="([^"]*)"><span[^>]*>([^<]*)<', page))
    assert links["notebooks/10_small.html"] == by_slug.words("chapter", "small")
    assert links[f"book/claims.html#claim-{slug}"] == "Claim 1"
    assert f'<span class="verdict verdict-holds">{CLAIMS[0]["verdict"]}</span>' in page


@pytest.mark.parametrize("role", ["chapter", "claim", "verdict"])
def test_a_reference_to_nothing_stops_the_build(tmp_path, role):
    warnings, _ = build(tmp_path, f"See {{{role}}}`nowhere`.")
    assert f"There is no {role} 'nowhere'" in warnings
