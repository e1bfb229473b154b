"""Races run what the store lacks, and say what each agent lost against the best."""

import csv
import datetime
import json
from dataclasses import dataclass

import numpy as np
import pytest

import rb_core as rb
from rb_core.cli import main
from rb_core.lab import race as races
from tests.own_agents import GlobalRandom, Greedy

TINY = races.Suite(("rising", "blocking"), ((3, 3), (7, 6)), ("normal",), (200,), 2, 3,
                   ("PlanUCB", "RandomPull"), 9)


@pytest.fixture(autouse=True)
def tiny(monkeypatch):
    monkeypatch.setitem(races.SUITES, "tiny", TINY)


class Counting(rb.Store):
    """A store that counts what is put into it."""

    put_in = 0

    def put(self, name, block):
        self.put_in += 1
        super().put(name, block)


def test_a_race_measures_every_agent_on_every_table_and_is_resumed(tmp_path):
    store = Counting(tmp_path / "store")
    found = rb.race("tiny", {"mine": Greedy(0.5)}, tmp_path / "out", store=store)
    assert len(found.losses) == 4 * 2 * 3 * 3  # cells, tables, runs, agents
    assert store.put_in == 4 * 2 * 3
    again = rb.race("tiny", {"mine": Greedy(0.5)}, store=store)
    assert again == found
    assert store.put_in == 4 * 2 * 3
    rows = list(csv.DictReader((tmp_path / "out" / "tiny.csv").open()))
    assert [float(row["loss"]) for row in rows] == [each.loss for each in found.losses]
    made = json.loads((tmp_path / "out" / "tiny.json").read_text())
    assert set(made["made by"]) == {"PlanUCB", "RandomPull", "mine"}
    assert made["suite"]["seed"] == 9
    assert datetime.date.fromisoformat(made["date"]) <= datetime.date.today()
    for cell in TINY.cells():
        took = made["core seconds"][str(cell)]
        assert set(took) == set(made["made by"])
        assert min(took.values()) > 0


def test_equal_agents_keep_their_names(tmp_path):
    agents = {"mine": rb.PlanUCB(), "a": Greedy(0.5), "b": Greedy(0.5)}
    store = Counting(tmp_path / "store")
    found = rb.race("tiny", agents, tmp_path, store=store)
    assert len(found.losses) == 4 * 2 * 3 * 5
    assert store.put_in == 4 * 2 * 3  # each simulated once
    for board in found.board().values():
        assert set(board) == {"PlanUCB", "RandomPull", *agents}
        assert board["mine"] == board["PlanUCB"] != board["a"] == board["b"]
    made = json.loads((tmp_path / "tiny.json").read_text())
    assert made["made by"]["mine"] == made["made by"]["PlanUCB"]
    assert all(set(took) == set(made["made by"]) for took in made["core seconds"].values())


def test_agents_are_checked_before_they_enter(tmp_path):
    store = Counting(tmp_path / "store")
    with pytest.raises(rb.InputError, match="GlobalRandom compiled and GlobalRandom interpreted"):
        rb.race("tiny", {"mine": GlobalRandom()}, store=store)
    assert store.put_in == 0


SHARED = np.zeros((7, 6))


@dataclass(frozen=True)
class Small(Greedy):
    """Has an array of its own for each simulation of up to four arms only."""

    def init(self, arms, s_max, rounds):
        memory = super().init(arms, s_max, rounds)
        return memory if arms <= 4 else memory._replace(sums=SHARED)


def test_an_agent_is_tried_at_every_size_that_it_will_play(tmp_path):
    rb.check_agent(Small())
    store = Counting(tmp_path / "store")
    with pytest.raises(rb.InputError, match="Two simulations of Small share memory"):
        rb.race("tiny", {"mine": Small()}, store=store)
    assert store.put_in == 0


def test_what_is_no_dict_or_no_folder_is_refused(tmp_path):
    with pytest.raises(rb.InputError, match="agents must be a dict"):
        rb.race("tiny", [Greedy()])
    with pytest.raises(rb.InputError, match="give another one"):
        rb.race("tiny", {3: Greedy()})
    rb.race("tiny", out=str(tmp_path / "folder"))
    assert (tmp_path / "folder" / "tiny.csv").exists()


def test_a_loss_is_the_share_of_the_best_average_that_is_missing():
    found = rb.race("tiny")
    for cell, best in (("rising 3x3 normal, 200 rounds",
                        lambda bandit: rb.optimum(bandit, 1).average),
                       ("blocking 7x6 normal, 200 rounds", rb.upper_bound)):
        each = next(loss for loss in found.losses if loss[:4] == (cell, "PlanUCB", 1, 2))
        name, size = cell.split()[:2]
        bandit = rb.family(name, *map(int, size.split("x")), 10, "normal")
        runs = rb.simulate(bandit, rb.PlanUCB(), 200, sims=3, seed=9)
        assert each.loss == pytest.approx(1 - runs.total[2] / (200 * best(bandit)), abs=1e-12)


def test_the_board_has_the_best_agent_first_and_counts_tables_not_runs():
    losses = [races.Loss("c", "X", table, run, table + run / 10)
              for table in range(3) for run in range(2)]
    losses += [races.Loss("c", "Y", 0, 0, 0.5)]
    board = races.Race("mine", losses).board()["c"]
    assert list(board) == ["Y", "X"]
    assert board["X"].value == pytest.approx(1.05)
    assert board["X"].low <= 0.1
    assert np.isnan(board["Y"].low)


@pytest.mark.parametrize("name", [name for name in races.SUITES if name != "tiny"])
def test_suites_are_made_of_what_there_is(name):
    suite = races.SUITES[name]
    cells = list(suite.cells())
    assert len(set(cells)) == len(cells)
    assert set(suite.agents) <= set(rb.AGENTS)
    assert all(cell.bandit(suite.seed).arms == cell.arms for cell in cells[:2])


def test_seeds_of_suites_do_not_overlap():
    ranges = [set(range(suite.seed, suite.seed + suite.tables))
              for name, suite in races.SUITES.items() if name != "tiny"]
    assert len(set.union(*ranges)) == sum(map(len, ranges))


def test_the_command_prints_the_board(tmp_path, capsys):
    call = ["race", "--suite", "tiny", "--store", str(tmp_path / "s"), "--out", str(tmp_path)]
    assert main([*call, "--workers", "1"]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith(
        "tiny: 4 cells, 2 tables of each, 3 runs of an agent on a table\n")
    assert printed.count("share of the best average lost") == 4
    assert printed.count("PlanUCB") == 4
    assert (tmp_path / "tiny.csv").exists()


def test_bad_input_is_one_sentence(tmp_path, capsys):
    assert main(["race", "--suite", "tin"]) == 2
    assert "There is no suite 'tin': did you mean 'tiny'?" in capsys.readouterr().err
    with pytest.raises(rb.InputError, match="is an agent of the book's"):
        rb.race("tiny", {"PlanUCB": Greedy()})
