"""PlanUCB once more on fresh seeds: complete, made by the present code, and the same when rerun."""

import importlib.util
import json
import random

import pytest

import rb_core as rb
from rb_core.agents import AGENTS
from rb_core.engine.blocks import maker_of
from rb_core.lab.race import SUITES
from tests.conftest import TOP

BEYOND = TOP / "notebooks" / "beyond"
KEPT = json.loads((BEYOND / "confirm.json").read_text("utf-8"))


@pytest.fixture(scope="module")
def confirm():
    about = importlib.util.spec_from_file_location("confirm", BEYOND / "confirm.py")
    module = importlib.util.module_from_spec(about)
    about.loader.exec_module(module)
    return module


def test_everybody_has_played_everywhere_with_the_present_code(confirm):
    assert set(KEPT["experiments"]) == set(rb.experiments(discounted=True))
    cells = [str(cell) for suite in confirm.SUITES for cell in suite.cells()]
    assert list(KEPT["cells"]) == cells
    for losses in KEPT["cells"].values():
        assert {name: len(each) for name, each in losses.items()} == dict.fromkeys(
            confirm.LEARNERS, 20)
    for name, maker in KEPT["made by"].items():
        assert maker["code"] == maker_of(type(AGENTS[name].make(0.9))).code, name


def test_no_table_was_played_before(confirm):
    seen = {number for each in SUITES.values()
            for number in range(each.seed, each.seed + each.tables)}
    for suite in confirm.SUITES:
        assert not seen & set(range(suite.seed, suite.seed + suite.tables))


def test_a_table_drawn_by_lot_gives_the_same_losses(confirm):
    drawn = random.Random(json.dumps(KEPT["made by"]))
    cell = drawn.choice(list(confirm.SUITES[0].cells()))
    table = drawn.randrange(20)
    again = confirm.cell(confirm.SUITES[0], cell, tables=[table])
    assert again == {name: [losses[table]] for name, losses in KEPT["cells"][str(cell)].items()}
