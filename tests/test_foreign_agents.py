"""`rb run --agent module:Class`: an agent of the user's runs like the built-in ones."""

import re
from pathlib import Path

import pytest

from rb_core.cli import main
from rb_core.foreign import load_agent

OWN = (Path(__file__).parent / "own_agents.py").read_text()
CALL = ["run", "small-bernoulli-discounted", "--sims", "4", "--rounds", "2000"]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """A folder of the user's, with a module in it."""
    (tmp_path / "my_agents.py").write_text(OWN)
    (tmp_path / "broken_agents.py").write_text("1 / 0\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)  # and taken off the path again afterwards
    return tmp_path


def test_it_is_in_the_table_and_in_the_figure(folder, capsys):
    assert main([*CALL, "--agent", "my_agents:Greedy", "--out", "picture.png"]) == 0
    printed = capsys.readouterr().out
    assert re.search(r"^Greedy +[\d,]+ \[", printed, re.MULTILINE)
    assert "Greedy" in printed.splitlines()[-2]  # the picture in words
    assert (folder / "picture.png").exists()


def test_a_field_gamma_gets_the_discount_of_the_experiment():
    assert load_agent("rb_core:SSSarsa", 0.9).gamma == 0.9


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("my_agents", "module:Class"),
        (":Greedy", "module:Class"),
        ("my_agents:", "module:Class"),
        ("nowhere:Greedy", "There is no module 'nowhere'"),
        ("broken_agents:Greedy", "cannot be imported: ZeroDivisionError"),
        ("my_agents:Gredy", "did you mean 'Greedy'"),
        ("my_agents:mean_of", "is no agent"),
        ("my_agents:GreedyMemory", "is no agent"),
    ],
)
def test_what_is_no_agent_is_refused_in_one_sentence(spec, said, folder, capsys):
    before = {path.name for path in folder.iterdir()} | {"__pycache__"}
    assert main([*CALL, "--agent", spec, "--out", "picture.png"]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1
    assert {path.name for path in folder.iterdir()} <= before
