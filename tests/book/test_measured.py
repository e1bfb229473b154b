"""What outside programs said of the pages the last time is good enough."""

import json

import pytest

from tests.book.lighthouse import LEAST, RESULT, SCREENS, medians
from tests.book.validator import RESULT as CHECKED


def test_medians_are_taken_score_by_score():
    found = [{"seo": 90, "performance": 10}, {"seo": 100, "performance": 30},
             {"seo": 80, "performance": 20}]  # fmt: skip
    assert medians(found) == {"seo": 90, "performance": 20}


def test_lighthouse_was_content_with_five_pages_on_both_screens():
    if not RESULT.exists():
        pytest.skip("the pages were not measured: run make lighthouse on a quiet machine")
    rows = json.loads(RESULT.read_text())["scores"]
    assert len(rows) == 5 * len(SCREENS)
    short = [(row["page"], row["screen"], name, row[name]) for row in rows
             for name, least in LEAST.items() if row[name] < least]  # fmt: skip
    assert short == []


def test_the_checker_found_no_error():
    checked = json.loads(CHECKED.read_text())
    assert checked["pages"] > 60
    assert checked["errors"] == 0
