"""`rb run --agent module:Class`: an agent of the user's runs like the built-in ones."""

import re

import pytest

import rb_core as rb
from rb_core.cli import main
from rb_core.lab.user_agents import labels_of, load_user_agent
from tests.conftest import TOP

OWN = (TOP / "tests" / "own_agents.py").read_text()
FAILING = f"""
{OWN}

@dataclass(frozen=True)
class AtOnce(Greedy):
    def __post_init__(self):
        raise ValueError("not today")


@dataclass(frozen=True)
class AtInit(Greedy):
    def init(self, arms, s_max, rounds):
        return [][arms]


@dataclass(frozen=True)
class Needy:
    epsilon: float

    def init(self, arms, s_max, rounds):
        return Greedy(self.epsilon).init(arms, s_max, rounds)


class LateMemory(NamedTuple):
    arms: int

    def act(self, t, state, rng):
        if t == 400:
            raise ValueError("not today")
        return int(rng.random() * self.arms)

    def learn(self, t, state, arm, reward, next_state):
        pass


@dataclass(frozen=True)
class Late:
    def init(self, arms, s_max, rounds):
        return LateMemory(arms)
"""
CALL = ["run", "small-bernoulli-discounted", "--sims", "4", "--rounds", "2000"]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """A folder of the user's, with a module in it."""
    (tmp_path / "my_agents.py").write_text(OWN)
    (tmp_path / "broken_agents.py").write_text("1 / 0\n")
    (tmp_path / "misspelt_agents.py").write_text("def (:\n")
    (tmp_path / "leaving_agents.py").write_text("import sys\nsys.exit(0)\n")
    (tmp_path / "failing_agents.py").write_text(FAILING)
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
    assert load_user_agent("rb_core:SSSarsa", 0.9).gamma == 0.9


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("my_agents", "module:Class"),
        (":Greedy", "module:Class"),
        ("my_agents:", "module:Class"),
        ("nowhere:Greedy", "There is no module 'nowhere'"),
        ("broken_agents:Greedy", "'broken_agents' fails with ZeroDivisionError"),
        ("misspelt_agents:Greedy", "'misspelt_agents' fails with SyntaxError"),
        ("leaving_agents:Greedy", "'leaving_agents' fails with SystemExit"),
        ("failing_agents:AtOnce", "AtOnce fails with ValueError: 'not today'"),
        ("failing_agents:AtInit", "AtInit fails with IndexError"),
        ("failing_agents:Needy", "parameter without a default: epsilon"),
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


def test_an_agent_that_fails_in_a_late_round_is_named_in_one_sentence(capsys):
    assert main([*CALL, "--agent", "failing_agents:Late"]) == 2
    assert re.fullmatch(r"rb: Late fail.* with ValueError: .*\n", capsys.readouterr().err)


def test_ctrl_c_while_a_module_is_imported_stops_and_is_no_failure_of_the_module(folder, capsys):
    (folder / "interrupted_agents.py").write_text("raise KeyboardInterrupt\n")
    assert main([*CALL, "--agent", "interrupted_agents:Greedy"]) == 130
    assert capsys.readouterr().err == "rb: stopped.\n"


@pytest.mark.slow
def test_agents_of_the_same_name_are_told_apart_and_none_takes_the_place_of_ours(folder, capsys):
    renamed = OWN.replace("class Greedy:", "class SARSA:").replace("Greedy(", "SARSA(")
    (folder / "namesake_agents.py").write_text(renamed)
    (folder / "other_agents.py").write_text(OWN)
    specs = ["my_agents:Greedy", "other_agents:Greedy", "namesake_agents:SARSA",
             "my_agents:Slicing"]
    assert main([*CALL, *(word for spec in specs for word in ("--agent", spec))]) == 0
    rows = re.findall(r"^(\S.*?)  +[\d,]+ \[", capsys.readouterr().out, re.MULTILINE)
    assert rows == [*rb.experiment(CALL[1]).agents, *specs[:3], "Slicing"]


def test_a_label_is_the_class_where_that_says_which_agent_it_is():
    specs = ["a:Mine", "b:Mine", "a:SARSA", "a:Other", "a:Other"]
    assert labels_of(specs, {"SARSA"}) == {
        "a:Mine": "a:Mine", "b:Mine": "b:Mine", "a:SARSA": "a:SARSA", "a:Other": "Other"}
