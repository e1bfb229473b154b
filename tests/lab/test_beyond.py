"""What goes beyond the paper: made by this code, on seeds that chose nothing, and what it says."""

import csv
import hashlib
import importlib.util
import json
import subprocess

import numpy as np
import pytest

import rb_core as rb
from rb_core.engine.blocks import maker_of
from rb_core.lab.race import SUITES, Cell, reference
from rb_core.lab.reproduce import TIERS
from rb_core.lab.verify import verify_file
from rb_core.metrics import wilson
from rb_core.problem import Problem, paper_gamma
from rb_core.simulation import collect
from tests.conftest import TOP

BEYOND = TOP / "notebooks" / "beyond"
NAMES = list(rb.experiments())
ABOUT = json.loads((BEYOND / "families.json").read_text())
CHOSE_CONSTANTS = {1000, 1001, *range(2000, 2020)}  # tables of the families


def rows():
    with open(BEYOND / "families.csv", encoding="utf-8") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("name", NAMES)
def test_results_were_made_by_this_code_at_full_size(name):
    found, made = rb.results(name, BEYOND)
    assert list(found) == ["PlanUCB"]
    assert made["made by"]["PlanUCB"]["code"] == maker_of(rb.PlanUCB).code, "Run `make beyond`."
    assert made["rounds"] == rb.experiment(name).rounds
    assert made["simulations"] == TIERS["paper"].sims
    assert made["seed"] == rb.experiment(name).beyond.seed == 16


@pytest.mark.parametrize("name", NAMES)
def test_randomly_chosen_simulations_come_out_the_same(name):
    assert verify_file(BEYOND / f"{name}.npz", sims=1).simulations == 1


@pytest.mark.parametrize("name", NAMES)
def test_planning_loses_less_than_every_agent_of_the_paper(name):
    ours = rb.results(name, BEYOND)[0]["PlanUCB"]
    for agent, theirs in rb.results(name)[0].items():
        assert rb.compare_unpaired(ours.regret, theirs.regret).high < 0, agent
    assert ours.rate.high >= 0.998


def test_all_but_one_run_in_a_thousand_end_in_an_optimal_policy():
    optimal = np.concatenate([rb.results(name, BEYOND)[0]["PlanUCB"].optimal for name in NAMES])
    assert optimal.mean() >= 0.999
    assert wilson(int(optimal.sum()), len(optimal)).low >= 0.998


def test_families_are_the_suites_on_tables_that_chose_nothing():
    for name, said in ABOUT["suites"].items():
        suite = SUITES[name]
        same = ("families", "sizes", "rewards", "rounds", "tables", "runs", "seed")
        assert {key: json.loads(json.dumps(getattr(suite, key))) for key in same} == {
            key: said[key] for key in same}
        assert not CHOSE_CONSTANTS & set(range(suite.seed, suite.seed + suite.tables))


@pytest.mark.parametrize("name", ABOUT["made by"])
def test_losses_on_families_were_made_by_this_code(name):
    code = maker_of(type(rb.AGENTS[name].make(0.9))).code
    assert ABOUT["made by"][name]["code"] == code, "Run `make beyond`."


def test_losses_on_families_come_out_the_same():
    """A few of them, others for every commit."""
    head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=TOP, capture_output=True).stdout
    rng = np.random.default_rng(int(hashlib.sha256(head).hexdigest(), 16))
    short = [row for row in rows() if row["rounds"] == "10000" and row["arms"] != "50"]
    for row in rng.choice(short, 12, replace=False):
        cell = Cell(*(kind(row[key]) for key, kind in Cell.__annotations__.items()))
        suite = SUITES[row["suite"]]
        problem = Problem(cell.bandit(suite.seed + int(row["table"])), cell.rounds)
        name = rng.choice([name for name in ABOUT["made by"] if row[name]])
        agent = rb.AGENTS[name].make(paper_gamma(cell.rounds))
        runs, _, _ = collect(problem, agent, int(row["run"]) + 1, suite.seed)
        loss = 1 - runs.total[-1] / (cell.rounds * reference(problem.bandit))
        assert float(row[name]) == pytest.approx(loss, abs=1e-6), (row, name)


def test_every_cell_has_planning_and_its_rivals_on_the_same_tables():
    tables = {}
    for row in rows():
        cell = tuple(row[key] for key in Cell._fields)
        for name in ("PlanUCB", "1RGP-TS", "2RGP-TS", "SS-SARSA", "SS-SARSA (sep.)"):
            if row[name]:
                tables.setdefault(cell, {}).setdefault(name, set()).add((row["table"], row["run"]))
    for cell, played in tables.items():
        assert len(played) == 5, cell
        assert all(each == played["PlanUCB"] for each in played.values()), cell


@pytest.fixture
def families(tmp_path, monkeypatch):
    """`make beyond`'s program, beside a copy of what it has written."""
    spec = importlib.util.spec_from_file_location("families", BEYOND / "families.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for name in ("LOSSES", "ABOUT"):
        path = getattr(module, name)
        monkeypatch.setattr(module, name, tmp_path / path.name)
        (tmp_path / path.name).write_bytes(path.read_bytes())
    cost = ABOUT["nanoseconds a round"]["100x30"]
    monkeypatch.setattr(module, "cost_of_large_plans", lambda: cost)
    return module


def test_what_is_written_is_not_computed_again_on_another_machine(families, tmp_path):
    jobs = families.all_entries()
    found = families.written()
    done = [job for job in jobs if found.has(job, *jobs[job])]
    assert sum(job.count for job in done) == sum(bool(row[name]) for row in rows()
                                                 for name in ABOUT["made by"])
    families.write(found, rb.Store(tmp_path / "empty"))
    assert families.LOSSES.read_bytes() == (BEYOND / "families.csv").read_bytes()
    said = json.loads(families.ABOUT.read_text())
    assert {key: said[key] for key in ("made by", "core seconds")} == {
        key: ABOUT[key] for key in ("made by", "core seconds")}


def test_what_other_code_has_written_is_computed_again(families):
    families.ABOUT.write_text(json.dumps(ABOUT | {
        "made by": ABOUT["made by"] | {"2RGP-TS": {"code": "another"}}}))
    found = families.written()
    assert set(ABOUT["made by"]) - set(found.makers) == {"2RGP-TS"}
    assert not any("2RGP-TS" in row for row in found.losses.values())
    assert not any("2RGP-TS" in took for took in found.seconds.values())
