"""`rb verify` recomputes rows of races and families, and refuses forged ones in one sentence."""

import csv
import json
import shutil

import pytest

import rb_core as rb
from rb_core.cli import main
from rb_core.lab import race as races
from tests.conftest import TOP
from tests.own_agents import Greedy

TINY = races.Suite(("rising",), ((3, 3), (7, 6)), ("normal",), (200,), 2, 3,
                   ("PlanUCB", "RandomPull"), 9)
RACE = ("tiny.csv", "tiny.json")


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("race")
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(races.SUITES, "tiny", TINY)
        rb.race("tiny", {"mine": Greedy(0.5)}, folder)
    return folder


@pytest.fixture
def race(run, tmp_path, monkeypatch):
    """A folder of its own with a race."""
    monkeypatch.setitem(races.SUITES, "tiny", TINY)
    for name in RACE:
        shutil.copy(run / name, tmp_path / name)
    return tmp_path


def said(folder, capsys, code=2, sims="all"):
    assert main(["verify", str(folder), "--sims", sims]) == code
    printed = capsys.readouterr()
    if code:
        assert printed.out == ""
        assert printed.err.count("\n") == 1
    return printed.err if code else printed.out


def test_a_true_race_is_accepted_and_counted(race, capsys):
    printed = said(race, capsys, 0)
    assert "tiny.csv: mine is no agent of the book's, and was not run again." in printed
    assert "24 simulations in 1 files recomputed, 48 numbers compared: all the same." in printed
    assert "4 simulations in 1 files recomputed, 8 numbers" in said(race, capsys, 0, "2")


def with_rows(change):
    def forge(folder):
        path = folder / "tiny.csv"
        with open(path, newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        change(next(row for row in rows if row["agent"] == "PlanUCB"), rows)
        with open(path, "w", newline="", encoding="utf-8") as file:
            lines = csv.DictWriter(file, rows[0])
            lines.writeheader()
            lines.writerows(rows)
    return forge


def with_about(change):
    def forge(folder):
        path = folder / "tiny.json"
        about = json.loads(path.read_text())
        change(about)
        path.write_text(json.dumps(about))
    return forge


def another_reference(about):
    for said in about["references"].values():
        for each in said.values():
            each[1] += 1e-9


FORGERIES = {
    "a loss": (with_rows(lambda row, _: row.update(loss=float(row["loss"]) + 1e-15)),
               "comes out with another loss"),
    "no number": (with_rows(lambda row, _: row.update(loss="x")), "Reading tiny.csv fails"),
    "another run": (with_rows(lambda row, _: row.update(run="3")), "is no run of its suite"),
    "another table": (with_rows(lambda row, _: row.update(table="-1")), "is no run of its suite"),
    "another cell": (with_rows(lambda row, _: row.update(cell="free")), "Reading tiny.csv fails"),
    "a row twice": (with_rows(lambda row, rows: rows.append(row)), "two rows of one run"),
    "a reference": (with_about(another_reference), "comes out with another reference"),
    "no references": (with_about(lambda about: about["references"].update(
        {cell: {"bound": []} for cell in about["references"]})), "another reference"),
    "other code": (with_about(lambda about: about["made by"]["PlanUCB"].update(code="0123")),
                   "tiny.csv: PlanUCB was made by other code (0123, here "),
    "another suite": (with_about(lambda about: about["suite"].update(seed=8)), "another suite"),
    "no maker": (with_about(lambda about: about.pop("made by")), "Reading tiny.csv fails"),
}


@pytest.mark.parametrize("forgery", FORGERIES)
def test_a_forged_race_is_refused_in_one_sentence(race, capsys, forgery):
    forge, why = FORGERIES[forgery]
    forge(race)
    assert why in said(race, capsys)


def test_a_forged_row_of_the_families_is_refused(tmp_path, capsys):
    beyond = TOP / "notebooks" / "beyond"
    shutil.copy(beyond / "families.json", tmp_path)
    with open(beyond / "families.csv", newline="", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file)
                if (row["suite"], row["arms"], row["rounds"]) == ("small", "4", "10000")][:4]
    for wrong in (0, 1e-6):
        rows[2]["PlanUCB"] = f"{float(rows[2]['PlanUCB']) + wrong:.6f}"
        with open(tmp_path / "families.csv", "w", newline="", encoding="utf-8") as file:
            lines = csv.DictWriter(file, rows[0])
            lines.writeheader()
            lines.writerows(rows)
        printed = said(tmp_path, capsys, 2 if wrong else 0)
    assert "families.csv: PlanUCB, free 4x5 bernoulli, 10,000 rounds, table 0, run 2 comes" in (
        printed)
