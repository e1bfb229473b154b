"""The Gymnasium adapter: it passes Gymnasium's own check, and is the same problem; agents written
by others learn in it."""

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from hypothesis import given
from hypothesis import strategies as st
from open_spiel.python.algorithms.tabular_qlearner import QLearner
from open_spiel.python.rl_environment import StepType, TimeStep
from open_spiel.python.rl_tools import LinearSchedule

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


def test_an_agent_written_by_others_learns_to_do_better_than_random_pulling():
    bandit, rounds, arms = rb.setting("6-hetero"), 6000, list(range(6))
    env = gymnasium.make(NAME, bandit=bandit, rounds=rounds)
    agent = QLearner(0, 6, epsilon_schedule=LinearSchedule(1.0, 0.0, 3000), discount_factor=0.9)
    np.random.seed(0)  # noqa: NPY002 (OpenSpiel's agents draw from there)
    seen, _ = env.reset(seed=0)
    reward, kind, over, expected = 0.0, StepType.FIRST, False, []
    while not over:
        step = {"info_state": [seen.tolist()], "legal_actions": [arms]}
        arm = agent.step(TimeStep(step, [reward], [1.0], kind)).action
        seen, reward, _, over, info = env.step(arm)
        expected.append(info["expected"])
        kind = StepType.MID
    random = rb.simulate(bandit, rb.RandomPull(), 1000, sims=200).total / 1000
    assert np.mean(expected[-1000:]) > random.mean() + 6 * random.std()


@pytest.mark.parametrize("action", [-1, 3, 0.5, None, "0", [0]])
def test_an_action_that_is_no_arm_is_refused_and_changes_nothing(action):
    env = gymnasium.make(NAME, bandit=rb.setting("small"), rounds=30).unwrapped
    env.reset(seed=0)
    with pytest.raises(rb.InputError, match=r"^arm must be"):
        env.step(action)
    other = gymnasium.make(NAME, bandit=rb.setting("small"), rounds=30)
    other.reset(seed=0)
    assert [env.step(t % 3)[1:] for t in range(30)] == [other.step(t % 3)[1:] for t in range(30)]


@pytest.mark.parametrize("action", [1, np.int64(1), np.int8(1), np.array(1)])
def test_an_arm_may_be_any_whole_number_of_numpy(action):
    env = gymnasium.make(NAME, bandit=rb.setting("small")).unwrapped
    env.reset(seed=0)
    assert env.step(action)[0].tolist() == [3, 1, 3]


def test_a_step_before_the_first_reset_is_refused_with_a_sentence():
    env = gymnasium.make(NAME).unwrapped
    with pytest.raises(rb.InputError, match="reset"):
        env.step(0)


def test_an_environment_can_be_written_down_as_json_and_made_again():
    written = gymnasium.make(NAME, rounds=7).spec.to_json()
    again = gymnasium.make(gymnasium.envs.registration.EnvSpec.from_json(written))
    assert again.unwrapped.rounds == 7


def test_wrong_arguments_are_refused_with_a_sentence():
    with pytest.raises(rb.InputError, match="RecoveringBandit, not list"):
        gymnasium.make(NAME, bandit=[[0.1]])
    with pytest.raises(rb.InputError, match="rounds must be at least 1"):
        gymnasium.make(NAME, rounds=0)
