"""Agents of one's own run compiled, and `check_agent` finds what is wrong with them."""

from dataclasses import dataclass

import numba
import numpy as np
import pytest

import rb_core as rb
from tests import own_agents
from tests.strategies import listed_agents

BANDIT = rb.setting("6-hetero")
OURS = [
    *listed_agents(0.9).values(),
    rb.SSSarsa(1.0, t0=0, explore=1.0, ties="first", visits="separated"),
    rb.Sarsa(0.9, visits="separated"),
    rb.QLearning(0.9, explore=0.0),
    rb.RGPTS(3, samples="fresh"),
    rb.RGPTS(2, refresh="state"),
]


@pytest.mark.parametrize("agent", [*OURS, *own_agents.RIGHT], ids=str)
@pytest.mark.slow
def test_agents_that_keep_the_rules_pass(agent):
    assert rb.check_agent(agent) is None


@pytest.mark.parametrize("sizes", [(1, 1), (1, 4), (5, 1), (3, 6)])
@pytest.mark.parametrize("agent", [rb.SSSarsa(0.9), rb.RGPTS(2), own_agents.Greedy()], ids=str)
def test_problems_of_any_size_can_be_asked_for(agent, sizes):
    assert rb.check_agent(agent, *sizes) is None


@pytest.mark.parametrize(
    ("agent", "message"),
    [
        (own_agents.Shared(), "share memory"),
        (own_agents.SharedInside(), "share memory"),
        (own_agents.OneTooHigh(), "no arm"),
        (own_agents.ReturnsNothing(), "ReturnsNothing"),
        (own_agents.Overflow(), "compiled and Overflow interpreted part in round"),
        (own_agents.Unfrozen(), "frozen"),
        (own_agents.Mutating(np.zeros(3)), "changed the parameters"),
        (own_agents.Mutating(np.zeros(5000)), "changed the parameters"),
        (own_agents.GlobalRandom(), "GlobalRandom"),
        (own_agents.FailsAtInit(), "FailsAtInit fails with IndexError"),
        (own_agents.FailsAtSecondInit(np.zeros(1)), "SecondInit fails with ZeroDivisionError"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_agents_that_break_a_rule_are_told_which(agent, message):
    with pytest.raises(rb.InputError, match=message):
        rb.check_agent(agent)


@pytest.mark.parametrize("agent", own_agents.RIGHT, ids=str)
@pytest.mark.slow
def test_own_agents_run_compiled_like_interpreted(agent):
    compiled, plain = (rb.trace(BANDIT, agent, 700, compiled=on) for on in (True, False))
    for left, right in zip((*compiled[:-1], *compiled.memory), (*plain[:-1], *plain.memory),
                           strict=True):
        np.testing.assert_array_equal(left, right)
    assert rb.simulate(BANDIT, agent, 700, sims=5).tail_arms[0].tolist() == plain.arms[-9:].tolist()


def test_own_agents_learn():
    runs = rb.simulate(BANDIT, own_agents.Greedy(0.05), 20_000, sims=10)
    random = rb.simulate(BANDIT, rb.RandomPull(), 20_000, sims=10)
    assert runs.cumulative[:, -1].min() > random.cumulative[:, -1].max()


CELL = """
from dataclasses import dataclass
from typing import NamedTuple
import numpy as np

class StubbornMemory(NamedTuple):
    favourite: int
    pulls: np.ndarray

    def act(self, t, state, rng):
        return self.favourite if rng.random() < 0.9 else (self.favourite + 1) % len(state)

    def learn(self, t, state, arm, reward, next_state):
        self.pulls[arm] += 1

@dataclass(frozen=True)
class Stubborn:
    favourite: int = 0

    def init(self, arms, s_max, rounds):
        return StubbornMemory(self.favourite, np.zeros(arms))
"""


def run_cell(text):
    names = {"__name__": "__main__"}
    exec(text, names)
    return names["Stubborn"]


def test_an_agent_from_a_notebook_cell_runs_compiled():
    agent = run_cell(CELL)(2)
    rb.check_agent(agent)
    arms = rb.trace(BANDIT, agent, 2000).arms
    assert set(arms) == {2, 3}
    assert np.mean(arms == 2) == pytest.approx(0.9, abs=0.05)


@pytest.mark.slow
def test_an_edited_cell_takes_effect_at_once():
    """The new class has the name and the fields of the old one: it must not be taken for it."""
    for step in (1, 2):
        agent = run_cell(CELL.replace("favourite + 1", f"favourite + {step}"))(2)
        assert set(rb.trace(BANDIT, agent, 500).arms) == {2, 2 + step}


@pytest.mark.slow
def test_an_edited_inner_memory_takes_effect_at_once():
    @dataclass(frozen=True)
    class Outer:
        step: int

        def init(self, arms, s_max, rounds):
            cell = run_cell(CELL.replace("favourite + 1", f"favourite + {self.step}"))
            return own_agents.InnerMemory(cell(2).init(arms, s_max, rounds))

    for step in (1, 2):
        assert set(rb.trace(BANDIT, Outer(step), 500).arms) == {2, 2 + step}


def test_agents_that_make_arrays_are_compiled_once(monkeypatch):
    """Trying in vain to compile them without arrays takes a second, not a second a simulation."""
    made = []
    njit = numba.njit
    monkeypatch.setattr(numba, "njit", lambda **options: made.append(options) or njit(**options))
    for _ in range(3):
        rb.trace(BANDIT, own_agents.Slicing(), 50)
    attempts = len(made)
    compiled = numba.core.event.RecordingListener()
    with numba.core.event.install_listener("numba:compile", compiled):
        rb.simulate(BANDIT, own_agents.Slicing(), 50, sims=5)
    assert attempts <= 2
    assert len(made) == attempts
    assert compiled.buffer == []


MODULE_PROGRAM = """
import rb_core as rb
from mine import Stubborn
compiled, plain = (rb.trace(rb.setting("6-hetero"), Stubborn(2), 300, compiled=on) for on in (1, 0))
assert (compiled.arms == plain.arms).all()
print(sorted(set(compiled.arms.tolist())))
"""


@pytest.mark.slow
def test_an_edited_module_is_never_served_stale_from_disk(tmp_path, run_program):
    cache = {"NUMBA_CACHE_DIR": str(tmp_path / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}
    (tmp_path / "mine.py").write_text(CELL)
    assert run_program(MODULE_PROGRAM, **cache) == "[2, 3]\n"
    (tmp_path / "mine.py").write_text(CELL.replace("self.favourite + 1", "self.favourite + 2"))
    assert run_program(MODULE_PROGRAM, **cache) == "[2, 4]\n"
