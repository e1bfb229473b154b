"""Version, licences and citation of this edition agree with each other."""

import re
from pathlib import Path

import yaml

import rb_core as rb

TOP = Path(__file__).parents[2]


def test_the_version_is_the_same_everywhere():
    cited = yaml.safe_load((TOP / "CITATION.cff").read_text())
    newest = re.search(r"^## (\S+)$", (TOP / "CHANGELOG.md").read_text(), re.MULTILINE)[1]
    assert cited["version"] == rb.__version__
    assert rb.__version__.startswith(f"{newest}.")


def test_both_versions_of_the_paper_are_cited():
    cited = yaml.safe_load((TOP / "CITATION.cff").read_text())
    assert [work["year"] for work in cited["references"]] == [2024, 2026]
    works = (TOP / "book" / "references.bib").read_text()
    for key in ("tanimoto2024", "tanimoto2026"):
        assert f"{{{key}," in works
        for page in ("intro", "experiments", "ledger/claims_head"):
            assert key in (TOP / "book" / f"{page}.md").read_text(), page
        assert key in (TOP / "notebooks" / "experiments" / "experiment.ipynb").read_text()


def test_what_could_not_be_had_is_said_wherever_results_are_shown():
    chapters = ["10_small", "11_monotone", "12_peaked", "13_undiscounted"]
    pages = [*(TOP / "book" / f"{page}.md" for page in ("intro", "claims", "experiments")),
             *(TOP / "notebooks" / f"{name}.ipynb" for name in chapters),
             *(TOP / "notebooks" / "experiments").glob("*.ipynb")]
    assert len(pages) == 3 + len(chapters) + 37
    for page in pages:
        assert "could not be had" in page.read_text(), page.name


def test_text_and_code_have_their_licences():
    licences = yaml.safe_load((TOP / "CITATION.cff").read_text())["license"]
    assert licences == ["BSD-3-Clause", "CC-BY-4.0"]
    assert "BSD 3-Clause" in (TOP / "LICENSE").read_text()
    assert "CC BY 4.0" in (TOP / "LICENSE-text").read_text()


def test_the_changelog_counts_the_claims_as_they_are():
    count = (TOP / "book" / "claims.json").read_text().count('"slug"')
    assert f"The ledger has {count} claims" in (TOP / "CHANGELOG.md").read_text()
