"""What goes beyond the paper: made by this code, on seeds that chose nothing, and what it says."""

import csv
import importlib.util
import json
from concurrent.futures import ThreadPoolExecutor
from itertools import product

import numpy as np
import pytest

import rb_core as rb
from rb_core.engine.blocks import maker_of
from rb_core.lab.race import SUITES, Cell
from rb_core.lab.reproduce import TIERS
from rb_core.lab.verify import verify_file
from rb_core.lab.verify_tables import compare_rows, read_table
from rb_core.metrics import wilson
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
    """Rows of every size, but for runs that take ten seconds: a million rounds of 2RGP-UCB with 50
    arms."""
    table, rng = read_table(BEYOND / "families.csv"), np.random.default_rng()
    by_size = {}
    for name, each in table.rows.items():
        for row in each:
            if name != "2RGP-UCB" or (row.cell.arms, row.cell.rounds) != (50, 10**6):
                by_size.setdefault((row.cell.arms, row.cell.rounds), []).append(row)
    assert len(by_size) == 4 * 3
    rows = [each[rng.integers(len(each))] for each in by_size.values()]
    assert compare_rows(table, rows) == len(rows)


def test_everybody_has_played_on_all_tables():
    keys = ("suite", *Cell._fields, "table", "run")
    found, wanted = {}, {}
    for row in rows():
        for name in set(ABOUT["made by"]):
            if row[name]:
                found.setdefault(name, []).append(tuple(row[key] for key in keys))
    for suite, name in product(ABOUT["suites"], rb.AGENTS):
        chosen = SUITES[suite]
        if name in set(chosen.agents):
            wanted.setdefault(name, []).extend(
                (suite, *map(str, cell), str(table), str(run)) for cell in chosen.cells()
                for table in range(chosen.tables) for run in range(chosen.runs))
    assert {name: sorted(each) for name, each in found.items()} == {
        name: sorted(each) for name, each in wanted.items()}
    assert len(found["PlanUCB"]) == 48 * 20 * 10 + 24 * 20 * 2


def test_what_is_left_out_was_measured_with_this_code():
    module, left_out = program("left_out"), json.loads((BEYOND / "left_out.json").read_text())
    here = module.said_of_code()
    for who in ("made by", "annealed by"):
        assert left_out[who]["code"] == here[who]["code"], "Run `make beyond`."
    assert left_out["constants"] == here["constants"], "Run `make beyond`."


@pytest.mark.slow
def test_what_is_left_out_costs_the_same_again():
    """One row, of an agent of the program's own."""
    module = program("left_out")
    said = json.loads((BEYOND / "left_out.json").read_text())["rows"]
    bandits = "6-Homo, increasing"
    (row,) = (row for row in said if (row["what"], row["bandits"]) == (module.ANNEALED, bandits))
    lost, _ = module.losses(module.Annealed(), module.SIX[bandits], row["runs"], row["rounds"], 2)
    assert lost.mean() == pytest.approx(row["loss otherwise"], abs=1e-9)


def program(name):
    """One of `make beyond`'s programs."""
    spec = importlib.util.spec_from_file_location(name, BEYOND / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def without_plan():
    return program("without_plan"), json.loads((BEYOND / "without_plan.json").read_text())


def test_the_twin_without_a_plan_played_all_that_planning_did_with_this_code(without_plan):
    module, said = without_plan
    assert said["code"] == maker_of(module.Myopic).code, "Run `make beyond`."
    assert set(said["experiments"]) == set(NAMES)
    assert {name: len(each["losses"]) for name, each in said["cells"].items()} == {
        str(cell): SUITES[suite].tables for suite in module.SUITES_ENTERED
        for cell in SUITES[suite].cells()}


def test_what_the_twin_lost_comes_out_the_same(without_plan):
    module, said = without_plan
    (cell,) = (each for each in SUITES["small"].cells()
               if str(each) == "peaked 4x5 normal, 10,000 rounds")
    with ThreadPoolExecutor(2) as executor:
        small = module.experiment("small-normal-discounted", executor)
        losses = module.cell("small", cell, executor)["losses"]
    wanted = said["experiments"]["small-normal-discounted"]
    assert small["regret"] == pytest.approx(wanted["regret"])
    assert small["optimal"] == wanted["optimal"]
    assert losses == pytest.approx(said["cells"][str(cell)]["losses"], abs=1e-6)


def arms_pulled(agent, means, rounds):
    """Of one state only, on draws that do not depend on who plays."""
    memory, state = agent.init(len(means), 1, rounds), np.ones(len(means), np.int64)
    pulled = []
    for t, draw in enumerate(np.random.default_rng(3).random(rounds), 1):
        pulled.append(int(memory.act(t, state, None)))
        memory.learn(t, state, pulled[-1], float(draw < means[pulled[-1]]), state)
    return pulled


def test_without_states_the_twin_pulls_what_planning_pulls(without_plan):
    """Where there is nothing to look ahead for, a plan is worth nothing."""
    module, _ = without_plan
    means = [0.2, 0.6, 0.4]
    pulled = arms_pulled(rb.PlanUCB(), means, 500)
    assert pulled == arms_pulled(module.Myopic(), means, 500)
    assert pulled.count(1) > 250 > min(map(pulled.count, range(3))) > 3


@pytest.fixture
def families(tmp_path, monkeypatch):
    """`make beyond`'s program, beside a copy of what it has written."""
    module = program("families")
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
