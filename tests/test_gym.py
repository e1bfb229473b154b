"""The Gymnasium adapter: it passes Gymnasium's own check, and is the same problem."""

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from hypothesis import given
from hypothesis import strategies as st

import rb_core as rb
import rb_core.gym

NAME = "rb_core/RecoveringBandit-v0"


@pytest.mark.parametrize("law", ["bernoulli", "normal"])
def test_it_passes_gymnasiums_own_check(law):
    env = gymnasium.make(NAME, bandit=rb.setting("6-hetero", reward=law), rounds=50)
    check_env(env.unwrapped, skip_render_check=True)


@given(st.lists(st.integers(0, 5), min_size=1, max_size=40))
def test_states_and_expected_rewards_are_those_of_the_bandit(arms):
    bandit = rb.setting("6-homo", "peaked")
    env = gymnasium.make(NAME, bandit=bandit, rounds=len(arms))
    seen, _ = env.reset(seed=0)
    state = bandit.start
    for t, arm in enumerate(arms, 1):
        assert list(seen) == list(state)
        seen, reward, ended, truncated, info = env.step(arm)
        assert info["expected"] == bandit.means[arm, state[arm] - 1]
        state = bandit.next_state(state, arm)
        assert reward in (0.0, 1.0)
        assert not ended
        assert truncated == (t == len(arms))


@pytest.mark.parametrize("law", ["bernoulli", "normal"])
def test_rewards_have_the_mean_and_variance_of_their_law(law):
    env = gymnasium.make(NAME, bandit=rb.RecoveringBandit([[0.3, 0.3]], law), rounds=20_000)
    env.reset(seed=1)
    rewards = np.array([env.step(0)[1] for _ in range(20_000)])
    variance = 0.3 * 0.7 if law == "bernoulli" else 0.5
    assert abs(rewards.mean() - 0.3) < 5 * np.sqrt(variance / len(rewards))
    assert rewards.var() == pytest.approx(variance, rel=0.05)


def test_the_same_seed_gives_the_same_episode():
    def episode(seed):
        env = gymnasium.make(NAME, bandit=rb.setting("small", reward="normal"), rounds=30)
        env.reset(seed=seed)
        return [env.step(t % 3)[1] for t in range(30)]

    assert episode(3) == episode(3) != episode(4)


def test_wrong_arguments_are_refused_with_a_sentence():
    with pytest.raises(rb.InputError, match="RecoveringBandit, not list"):
        gymnasium.make(NAME, bandit=[[0.1]])
    with pytest.raises(rb.InputError, match="rounds must be at least 1"):
        gymnasium.make(NAME, rounds=0)
