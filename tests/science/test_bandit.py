"""The problem itself: states, rewards, and which bandits are the same."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rb_core as rb
from tests.joint_graph import joint_states, step
from tests.strategies import AGENTS, SEEDS, bandits


@given(bandits(), st.data())
def test_pulled_arm_goes_to_one_and_others_age_up_to_s_max(bandit, data):
    state = data.draw(st.sampled_from(joint_states(bandit.arms, bandit.s_max)))
    arm = data.draw(st.integers(0, bandit.arms - 1))
    assert tuple(bandit.next_state(state, arm)) == step(state, arm, bandit.s_max)


@given(bandits(), st.data(), SEEDS)
def test_a_run_follows_the_states_and_earns_their_means(bandit, data, seed):
    agent = data.draw(st.one_of(*AGENTS.values()))
    run = rb.trace(bandit, agent, 60, seed)
    along = rb.states_along(bandit, run.arms).tolist()
    state = (bandit.s_max,) * bandit.arms
    for t, (arm, age, expected) in enumerate(zip(run.arms, run.states, run.expected, strict=True)):
        assert tuple(along[t]) == state
        assert age == state[arm]
        assert expected == bandit.means[arm, age - 1]
        state = step(state, arm, bandit.s_max)
    assert tuple(along[60]) == state
    assert len(along) == 61


def test_a_transition_leaves_the_state_that_it_is_given_alone():
    bandit, state = rb.setting("small"), np.array([1, 2, 3])
    bandit.next_state(state, 1)
    assert state.tolist() == [1, 2, 3]


def test_every_arm_starts_rested():
    assert rb.setting("6-homo").start.tolist() == [6] * 6


def test_bernoulli_rewards_are_zero_or_one_with_the_right_mean():
    run = rb.trace(rb.setting("6-hetero"), rb.RandomPull(), 200_000)
    assert set(run.rewards) == {0.0, 1.0}
    sd = np.sqrt(np.sum(run.expected * (1 - run.expected)))
    assert abs(np.sum(run.rewards - run.expected)) < 6 * sd  # fails once in 5e8


def test_normal_rewards_have_the_right_mean_and_variance():
    bandit = rb.RecoveringBandit([[-1.0, 2.0], [0.5, 0.1]], "normal", variance=0.7)
    run = rb.trace(bandit, rb.RandomPull(), 200_000)
    noise = (run.rewards - run.expected) / np.sqrt(0.7)
    assert abs(noise.mean()) < 6 / np.sqrt(len(noise))
    assert abs(np.mean(noise**2) - 1) < 6 * np.sqrt(2 / len(noise))


def test_means_cannot_be_changed_afterwards():
    table = np.full((2, 2), 0.5)
    bandit = rb.RecoveringBandit(table)
    table[0, 0] = 0.9
    assert bandit.means[0, 0] == 0.5
    with pytest.raises(ValueError, match="read-only"):
        bandit.means[0, 0] = 0.9


def test_a_bandit_sent_to_another_process_is_the_same_and_still_cannot_be_changed():
    bandit = rb.setting("6-hetero", reward="normal")
    received = pickle.loads(pickle.dumps(bandit))
    assert received == bandit
    assert not received.means.flags.writeable  # nor would compiled code be found in the cache


def test_tables_come_as_lists_arrays_or_data_frames():
    pandas = pytest.importorskip("pandas")
    table = [[0.1, 0.2], [0.3, 0.4]]
    forms = [table, np.array(table), np.array(table, order="F"), pandas.DataFrame(table)]
    assert len({rb.RecoveringBandit(form) for form in forms}) == 1


@pytest.mark.parametrize(
    "other",
    [
        rb.RecoveringBandit([[0.1, 0.2], [0.3, 0.5]], "normal"),
        rb.RecoveringBandit([[0.1, 0.2], [0.3, 0.4]]),
        rb.RecoveringBandit([[0.1, 0.2], [0.3, 0.4]], "normal", variance=0.4),
        rb.RecoveringBandit([[0.1, 0.2, 0.3, 0.4]], "normal"),
        rb.RecoveringBandit([[0.3, 0.4], [0.1, 0.2]], "normal"),
    ],
)
def test_bandits_that_differ_are_unequal(other):
    bandit = rb.RecoveringBandit([[0.1, 0.2], [0.3, 0.4]], "normal")
    assert bandit != other
    assert bandit == rb.RecoveringBandit(np.array([[0.1, 0.2], [0.3, 0.4]]), "normal")
