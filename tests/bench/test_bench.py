"""The benchmark measures the agents that the book speaks of, in the form that readers expect."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

import rb_core as rb
from tests.bench import c_agents, c_library, floors, instructions
from tests.bench.__main__ import RESULTS, by_agent, code, decisions_a_second, show, speed
from tests.strategies import measured_agents


@pytest.mark.skipif(shutil.which("gcc") is None, reason="the benchmark needs the compiler gcc")
def test_every_agent_of_the_book_is_measured_beside_its_floor(tmp_path, capsys):
    library, floor_of = c_agents.load(tmp_path), floors.load(tmp_path)
    assert set(floor_of) == set(measured_agents(0.9))
    del library["RandomPull"], floor_of["RandomPull"]  # as of a new agent, which has neither yet
    rows = list(speed("small", (3, 2), library, floor_of, None, rounds=200, repeats=1))
    assert [row["agent"] for row in rows] == list(measured_agents(0.9))
    committed = json.loads(RESULTS.read_text())
    assert all(list(row) == list(committed["speed"][0]) for row in rows)
    for row in rows:
        known = row["agent"] != "RandomPull"
        assert (row["C"] is not None) == (row["floor"] is not None) == known
        assert row["compiled"] > 0
    counts = by_agent({("small", "SARSA", "compiled"): 3.2, ("small", "SARSA", "floor"): 2.9})
    assert counts == [{"size": "small", "agent": "SARSA", "compiled": 3, "floor": 3}]
    show({"speed": rows, "instructions": counts, "scaling": {}, "start": {},
          "decisions a second": decisions_a_second(rounds=200)})
    assert capsys.readouterr().out.count("\n") == 2 + len(rows) + 2


def test_instructions_are_counted_where_they_are_proportional_to_rounds():
    counted = json.loads(RESULTS.read_text())["instructions"]
    agents = [name for name in measured_agents(0.9) if name != "PlanUCB"]
    assert [(row["size"], row["agent"]) for row in counted] == [
        (size, name) for size in instructions.SIZES for name in agents]
    assert all(row["compiled"] > 0 and row["floor"] > 0 for row in counted)
    first, second = instructions.ROUNDS
    said = '["small", "SARSA", "compiled"]'
    assert instructions.a_round({(said, first): 7 * first, (said, second): 7 * second}) == {
        ("small", "SARSA", "compiled"): 7}
    with pytest.raises(AssertionError):
        instructions.a_round({(said, first): 7, (said, second): 6})


@pytest.mark.skipif(shutil.which("gcc") is None, reason="the benchmark needs the compiler gcc")
def test_floors_play_the_bandit_and_nothing_of_the_package(tmp_path):
    """A floor that pulled no arms, or drew nothing, would be lower than a floor may be."""
    means = np.tile([0.2, 0.4, 0.6], (4, 1))
    walk = floors.walk(np.random.default_rng(0).integers(4, size=1000), 4, 3)
    for name, play in floors.load(tmp_path).items():
        totals = {play(seed, means, 1000, walk) for seed in range(3)}
        assert len(totals) > 1, name
        assert all(0.2 * 999 <= total <= 0.6 * 1000 for total in totals), name
    sources = [Path(floors.__file__), Path(floors.__file__).with_name("floors.c"),
               Path(c_library.__file__)]
    assert not any("import rb_core" in path.read_text() for path in sources)


def test_a_floor_walks_over_the_states_that_a_run_met():
    bandit = rb.RecoveringBandit(np.zeros((3, 4)))
    arms = rb.trace(bandit, rb.RandomPull(), 500).arms
    places, row_in = floors.walk(arms, 3, 4)
    states, number = np.unique(rb.states_along(bandit, arms)[:-1], axis=0, return_inverse=True)
    rows = row_in[places]
    assert row_in.max() + 1 == len(states)
    assert len(set(zip(rows.tolist(), number.tolist(), strict=True))) == len(states)
    assert len(row_in) >= 2 * len(states)


def test_a_player_makes_a_hundred_thousand_decisions_a_second():
    assert json.loads(RESULTS.read_text())["decisions a second"] >= 100_000


def test_what_was_measured_is_this_code():
    made = json.loads(RESULTS.read_text())["made"]
    assert made["rb_core"] == code(), "Out of date: run `make bench` on a quiet machine."
