"""What the leader board shows was made by this code, comes out the same, and is complete."""

import csv
import json
import re
from dataclasses import asdict

import numpy as np
import pytest

import rb_core as rb
from rb_core.engine.blocks import maker_of
from rb_core.lab import race as races
from rb_core.lab.race import SUITES
from rb_core.lab.verify import verify_file
from tests.bench import machines, scale
from tests.conftest import TOP

BEYOND = TOP / "notebooks" / "beyond"
SHOWN = ("classroom", "published")
PAGE = TOP / "book" / "leaderboard.md"


def rows(suite):
    with open(BEYOND / "race" / f"{suite}.csv", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def made(suite):
    return json.loads((BEYOND / "race" / f"{suite}.json").read_text())


def code_of(name):
    return maker_of(type(rb.AGENTS[name].make(0.9))).code


@pytest.mark.parametrize("suite", SHOWN)
def test_races_were_made_by_this_code_and_are_complete(suite):
    again = f"Out of date: run `rb race --suite {suite} --out notebooks/beyond/race`."
    assert made(suite)["suite"] == json.loads(json.dumps(asdict(SUITES[suite]))), again
    assert {name: each["code"] for name, each in made(suite)["made by"].items()} == {
        name: code_of(name) for name in SUITES[suite].agents}, again
    chosen = SUITES[suite]
    wanted = {(str(cell), name, str(table), str(run)) for cell in chosen.cells()
              for name in chosen.agents for table in range(chosen.tables)
              for run in range(chosen.runs)}
    found = [tuple(row[key] for key in ("cell", "agent", "table", "run")) for row in rows(suite)]
    assert len(found) == len(wanted)
    assert set(found) == wanted


@pytest.mark.parametrize("suite", SHOWN)
def test_losses_and_references_come_out_the_same_bit_for_bit(suite):
    """A run of every agent, chosen at random."""
    found = verify_file(BEYOND / "race" / f"{suite}.csv", sims=1)
    assert found.simulations == len(SUITES[suite].agents)
    assert found.numbers == 2 * found.simulations
    assert {cell: {kind: len(each) for kind, each in said.items()}
            for cell, said in made(suite)["references"].items()} == {
        str(cell): {"optimum" if cell.arms < 10 else "bound": SUITES[suite].tables}
        for cell in SUITES[suite].cells()}


def test_a_whole_suite_at_classroom_size_takes_two_cores_less_than_ten_minutes():
    took = sum(sum(each.values()) for each in made("classroom")["core seconds"].values())
    assert 0 < took < 2 * 600


def test_the_scale_was_measured_with_this_code_up_to_a_thousand_arms():
    found = json.loads(scale.OUT.read_text())
    again = f"Out of date: run `{found['made']['command']}`."
    assert found["made"]["code"] == {name: code_of(name) for name in races.ALWAYS}, again
    for by, sizes in (("arms", scale.BY_ARMS), ("s_max", scale.BY_STATES),
                      ("rounds", scale.BY_ROUNDS)):
        measured = {(row["arms"], row["s_max"], row["rounds"]) for row in found[by]}
        assert measured == set(sizes), again
    assert max(row["arms"] for row in found["arms"]) == 1000
    assert [(row["arms"], row["s_max"]) for row in found["planning"]] == scale.PLANNED
    assert found["planning"][-1]["arms"] == 1000
    assert found["planning"][-1]["seconds of the bound"] < 1
    largest = {row["agent"]: row["bytes"] for row in found["rounds"] if row["rounds"] == 10**6}
    shorter = {row["agent"]: row["bytes"] for row in found["rounds"] if row["rounds"] == 10**5}
    assert largest["PlanUCB"] == shorter["PlanUCB"]  # memory does not depend on the rounds


def test_machines_were_measured_with_this_code_and_two_are_faster_than_one():
    found = json.loads(machines.OUT.read_text())
    assert found["made"]["code"] == maker_of(type(machines.AGENT)).code, (
        f"Out of date: run `{found['made']['command']}`.")
    assert [row["workers"] for row in found["rows"]] == list(machines.WORKERS)
    one, two = (row["seconds for full blocks"] for row in found["rows"][:2])
    assert one > 1.5 * two


def test_the_bytes_of_a_memory_are_those_of_its_arrays_once():
    bandit = rb.family("rising", 5, 4, 0)
    memory = rb.trace(bandit, rb.RGPTS(), 10).memory
    assert memory.seen_mean is memory.mean
    own = {id(each): each.nbytes for each in memory if isinstance(each, np.ndarray)}
    assert scale.bytes_of(memory) == sum(own.values())
    assert scale.bytes_of(rb.RGPUCB().init(5, 4, 10)) > scale.bytes_of(memory)  # looks inside


def test_the_five_lines_of_the_page_enter_an_agent(tmp_path, monkeypatch, capsys):
    after = PAGE.read_text().split("enters in five lines:")[1]
    lines = re.search(r"```python\n(.*?)```", after, re.DOTALL)[1]
    assert len(lines.strip().replace("\n\n", "\n").splitlines()) == 5
    tiny = races.Suite(("rising",), ((3, 3),), ("normal",), (200,), 2, 2,
                       ("PlanUCB", "PeriodicUCB"), 9)
    monkeypatch.setitem(SUITES, "classroom", tiny)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    (tmp_path / "mymodule.py").write_text("from tests.own_agents import Greedy as MyAgent\n")
    monkeypatch.syspath_prepend(tmp_path)
    exec(compile(lines, str(PAGE), "exec"), {})
    printed = capsys.readouterr().out
    assert printed.startswith("rising 3x3 normal, 200 rounds {")
    assert all(f"'{agent}': " in printed for agent in ("mine", "PlanUCB", "PeriodicUCB"))


def test_the_page_shows_every_race_that_is_kept():
    for suite in SHOWN:
        assert f"rb race --suite {suite} --out notebooks/beyond/race" in PAGE.read_text()
    assert {path.stem for path in (BEYOND / "race").glob("*.csv")} == set(SHOWN)
