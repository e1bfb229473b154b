"""The loop in plain Python (`rb.play`) is the loop: same stream, same run, same memory."""

import numpy as np
import pytest

import rb_core as rb
from tests.strategies import listed_agents
from tests.witness import assert_same_table

AGENTS = listed_agents(0.9)


def fields_of(memory, prefix=""):
    """All that a memory holds, by name, also what lies in memories inside it."""
    for name, value in zip(memory._fields, memory, strict=True):
        if isinstance(value, tuple):
            yield from fields_of(value, f"{prefix}{name}.")
        else:
            yield prefix + name, np.asarray(value)


@pytest.mark.parametrize("law", ["bernoulli", "normal"])
@pytest.mark.parametrize("agent", AGENTS.values(), ids=AGENTS)
def test_an_agents_memory_played_by_hand_is_the_simulation(agent, law):
    bandit, rounds = rb.setting("6-hetero", "peaked", law), 300
    memory = agent.init(bandit.arms, bandit.s_max, rounds)
    if hasattr(memory, "grow"):
        memory = memory.grow(1, rounds)
    by_hand = rb.play(bandit, memory, rounds, rb.stream(bandit, agent, seed=3, simulation=4))
    run = rb.trace(bandit, agent, rounds, seed=3, simulation=4, compiled=False)
    for part in ("arms", "states", "rewards", "expected"):
        np.testing.assert_array_equal(getattr(by_hand, part), getattr(run, part))
    ours, theirs = dict(fields_of(run.memory)), dict(fields_of(by_hand.memory))
    assert list(ours) == list(theirs)
    for name in ours:
        assert_same_table(name, ours[name], theirs[name])


class Always:
    def __init__(self, arm):
        self.arm, self.told = arm, []

    def act(self, t, state, rng):
        return self.arm

    def learn(self, t, state, arm, reward, next_state):
        self.told.append((t, state, arm, reward, next_state))


def test_a_player_is_told_what_happened():
    bandit = rb.RecoveringBandit([[0.0, 1.0], [0.5, 0.5]])
    run = rb.play(bandit, Always(0), 2, np.random.default_rng(0))
    assert run.memory.told == [(1, (2, 2), 0, 1.0, (1, 2)), (2, (1, 2), 0, 0.0, (1, 2))]
    assert run.states.tolist() == [2, 1]
    assert run.expected.tolist() == [1.0, 0.0]


def test_whoever_watches_is_called_after_each_round():
    seen = []
    rb.play(rb.setting("small"), Always(1), 3, np.random.default_rng(0),
            after=lambda t, player: seen.append((t, len(player.told))))
    assert seen == [(1, 1), (2, 2), (3, 3)]


@pytest.mark.parametrize("arm", [-1, 3, 0.5, None, "0", float("nan")])
def test_what_is_no_arm_is_refused(arm):
    player = Always(arm)
    with pytest.raises(rb.InputError, match=r"in round 1; arms are 0 to 2\.$"):
        rb.play(rb.setting("small"), player, 5, np.random.default_rng(0))
    assert player.told == []


@pytest.mark.parametrize("rounds", [0, -1, 1.5, "many"])
def test_what_is_no_number_of_rounds_is_refused(rounds):
    with pytest.raises(rb.InputError, match="rounds"):
        rb.play(rb.setting("small"), Always(0), rounds, np.random.default_rng(0))
