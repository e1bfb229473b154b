"""The command line: what it prints, and how it refuses."""

import contextlib
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import rb_core as rb
from rb_core.cli import main
from rb_core.lab.cost import tier_seconds
from rb_core.lab.reproduce import TIERS


@pytest.mark.slow
def test_list_names_all_36_experiments_with_their_cost(capsys):
    assert main(["list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    named = [line.split()[0] for line in lines[1:37]]
    assert named == list(rb.experiments())
    assert all(float(line.split()[-1]) > 0 for line in lines[1:37])
    assert [line.split()[0] for line in lines[-len(TIERS):]] == list(TIERS)
    assert "minute" in lines[-1]


@pytest.mark.slow
def test_a_tier_costs_what_its_simulations_and_rounds_say():
    times_as_many = TIERS["paper"].sims / TIERS["classroom"].sims
    ratio = tier_seconds("paper") / tier_seconds("classroom")
    assert ratio == pytest.approx(times_as_many, rel=0.3)


def test_run_prints_every_agent_and_draws_the_figure(tmp_path, capsys):
    picture = tmp_path / "small.png"
    call = ["run", "small-bernoulli-discounted", "--sims", "8", "--rounds", "2e3"]
    assert main([*call, "--out", str(picture)]) == 0
    printed = capsys.readouterr().out
    for agent in rb.experiment("small-bernoulli-discounted").agents:
        assert re.search(rf"^{re.escape(agent)} +[\d,]+ \[", printed, re.MULTILINE)
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert list(tmp_path.iterdir()) == [picture]


def test_run_gives_the_same_numbers_whatever_the_number_of_workers(capsys):
    def table(workers):
        call = ["run", "small-normal-undiscounted", "--sims", "6", "--rounds", "1000"]
        assert main([*call, "--workers", workers]) == 0
        # all columns but the seconds
        return [line.rsplit(maxsplit=1)[0] for line in capsys.readouterr().out.splitlines()]

    assert table("1") == table("3")


def test_a_full_disk_is_a_sentence_and_leaves_no_half_picture(tmp_path, monkeypatch, capsys):
    from matplotlib.figure import Figure

    def no_space(self, target, **options):
        target.write_bytes(b"half")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Figure, "savefig", no_space)
    call = ["run", "small-bernoulli-discounted", "--sims", "2", "--rounds", "100"]
    assert main([*call, "--out", str(tmp_path / "a.png")]) == 2
    assert "No space left" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def helped(capsys, *command):
    """What `rb COMMAND --help` prints."""
    with contextlib.suppress(SystemExit):  # which argparse raises after its own help
        assert main([*command, "--help"]) == 0
    return capsys.readouterr().out


COMMANDS = ["list", "run", "reproduce", "verify", "sweep", "notebook"]


@pytest.mark.parametrize("command", [[], *([name] for name in COMMANDS)])
def test_help_fits_a_screen(command, capsys):
    assert len(helped(capsys, *command).splitlines()) <= 24


@pytest.mark.slow
def test_the_examples_in_the_help_work_when_pasted(tmp_path, capsys):
    # In this order: `rb verify` reads what `rb reproduce` writes.
    folders = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"  # `rb` is there
    for command in COMMANDS[1:]:
        example = re.search(r"^example: rb (.*)", helped(capsys, command), re.MULTILINE).group(1)
        done = subprocess.run(f"rb {example}", shell=True, cwd=tmp_path, capture_output=True,
                              text=True, env=os.environ | {"PATH": folders})
        assert done.returncode == 0, (example, done.stderr)
        if command != "notebook":
            # no progress bar where there is no terminal
            assert re.fullmatch(r"(Compiling .*\n)*", done.stderr), done.stderr
    assert {"small.png", "smoke", "mine.ipynb"} <= {path.name for path in tmp_path.iterdir()}


def test_plan_prints_a_cycle_its_average_bound_and_gap_and_draws_it(tmp_path, capsys):
    table, picture = tmp_path / "table.csv", tmp_path / "timetable.png"
    table.write_text("0.1,0.6,0.2\n0.1,0.6,0.2\n0,0,0.3\n")
    assert main(["plan", str(table), "--effort", "0.01", "--out", str(picture)]) == 0
    printed = capsys.readouterr().out
    assert "A cycle of 2 rounds with 2 of 3 arms, s_max 3" in printed
    assert re.search(r"^(1@2 2@2|2@2 1@2)$", printed, re.MULTILINE)
    assert "average 0.6  bound 0.6  gap 0.00%" in printed
    assert picture.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (["plan", "none.csv"], "There is no table 'none.csv'."),
        (["plan", "table.csv", "--effort", "-1"], "effort must be in (0, 1,000], not -1"),
        (["plan", "table.csv", "--out", "x.txt"], "must be a file .png, .svg or .pdf"),
    ],
)
def test_plan_refuses_in_one_sentence(tmp_path, monkeypatch, capsys, call, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "table.csv").write_text("0.1,0.6\n")
    assert main(call) == 2
    assert message in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["table.csv"]
