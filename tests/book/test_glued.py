"""Numbers of a chapter that another page shows are those of the chapter's cells."""

import pytest

from tests.conftest import TOP

RECORD = "application/papermill.record/text/plain"


@pytest.fixture
def glued(monkeypatch):
    monkeypatch.syspath_prepend(TOP / "book" / "_ext")
    import glued

    return glued


def test_what_a_cell_glues_is_found_by_its_name(glued):
    kept = {"data": {RECORD: "'7 of 9'"}, "metadata": {"scrapbook": {"name": "a"}}}
    number = {"data": {RECORD: ["0.", "25"]}, "metadata": {"scrapbook": {"name": "b"}}}
    cells = [{"outputs": [kept, {"text": "printed"}]}, {}, {"outputs": [number]}]
    assert glued.glued({"cells": cells}) == {"a": "7 of 9", "b": "0.25"}
