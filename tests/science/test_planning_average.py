"""The long run: best average, optimal cycle, and what a sequence of arms loses against it."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import sparse

import rb_core as rb
from rb_core.planning import Optimum
from tests.joint_graph import best_cycle_mean, joint_graph, joint_states, longest_walks, step
from tests.strategies import SEEDS, bandits


@pytest.mark.timeout(60)
def test_policy_iteration_ends_where_several_cycles_are_best():
    """Policy iteration went round in circles here when the bias of a cycle was not unique."""
    row = [1e-05, 0.0, 0.8, 0.05866508087421686]
    bandit = rb.RecoveringBandit([row, [0.0, 0.8, 0.8202309572946449, 0.8], row])
    best = Optimum(bandit, 1, 1.0, kind_of=np.arange(3))
    assert best.average == pytest.approx((0.8 + 0.8 + 0.8202309572946449) / 3)


@given(bandits(arms=4, s_max=4))
def test_average_is_the_best_cycle_mean_of_karp(bandit):
    _, reward, after = joint_graph(bandit)
    assert rb.optimum(bandit, 1).average == pytest.approx(
        best_cycle_mean(reward, after), abs=1e-9
    )


def planned(bandit, merge):
    """The optimum, with exchangeable arms merged or kept apart."""
    return Optimum(bandit, 1, 1.0, kind_of=None if merge else np.arange(bandit.arms))


def replay(bandit, cycle, state):
    """The states in which the arms of `cycle` stand when they are pulled, and the state after."""
    met = []
    for arm, _ in cycle:
        met.append((arm, state[arm]))
        state = step(state, arm, bandit.s_max)
    return met, state


@pytest.mark.parametrize("merge", [True, False])
@given(bandit=bandits(arms=4, s_max=4))
def test_cycle_can_be_repeated_for_ever_and_earns_the_average(merge, bandit):
    best = planned(bandit, merge)
    _, state = replay(bandit, best.cycle * (bandit.s_max + 1), (bandit.s_max,) * bandit.arms)
    met, again = replay(bandit, best.cycle, state)
    assert met == best.cycle
    assert again == state
    earned = np.mean([bandit.means[arm, s - 1] for arm, s in best.cycle])
    assert earned == pytest.approx(best.average, abs=1e-9)


def rounds_on_end(bandit, arms):
    """The joint state in which `arms`, pulled over and over, begin and end, and their rewards."""
    pulls = [(arm, None) for arm in arms]
    _, state = replay(bandit, pulls * bandit.s_max, (bandit.s_max,) * bandit.arms)
    met, _ = replay(bandit, pulls, state)
    return state, [bandit.means[arm, s - 1] for arm, s in met]


@pytest.mark.parametrize("merge", [True, False])
@given(bandit=bandits(arms=4, s_max=4))
def test_optimal_cycle_loses_nothing(merge, bandit):
    best = planned(bandit, merge)
    arms = [arm for arm, _ in best.cycle] * 3
    assert best.losses([rounds_on_end(bandit, arms)[0]], [arms]).tolist() == [0]


@pytest.mark.parametrize("merge", [True, False])
@given(bandit=bandits(arms=4, s_max=4), data=st.data())
def test_any_other_cycle_loses_what_its_mean_lacks(merge, bandit, data):
    best = planned(bandit, merge)
    arms = data.draw(st.lists(st.integers(0, bandit.arms - 1), min_size=1, max_size=8))
    state, rewards = rounds_on_end(bandit, arms)
    missing = len(arms) * best.average - sum(rewards)
    assert best.losses([state], [arms])[0] == pytest.approx(missing, abs=1e-9)


@given(SEEDS)
def test_losses_are_what_is_missing_to_the_best_continuation(seed):
    rng = np.random.default_rng(seed)
    means = rng.random((rng.integers(1, 5), rng.integers(1, 5)))
    bandit = rb.RecoveringBandit(means, "normal")
    best = rb.optimum(bandit, 1)
    states, reward, after = joint_graph(bandit)
    on_cycle, _ = rounds_on_end(bandit, [arm for arm, _ in best.cycle])
    worth = longest_walks(reward, after, best.average, states.index(on_cycle))
    # With two best cycles, how much better it is to be on the one or the other is anyone's guess.
    assume(best_classes(worth[:, None] + best.average - reward - worth[after], after) == 1)
    for start in rng.choice(len(states), 20):
        arms, i, earned = rng.integers(bandit.arms, size=6), start, 0.0
        for arm in arms:
            earned += reward[i, arm] - best.average
            i = after[i, arm]
        lost = best.losses([states[start]], [arms])[0]
        assert lost == pytest.approx(worth[start] - earned - worth[i], abs=1e-9)


def best_classes(gap, after):
    """The number of separate sets of best cycles: moves that lose nothing, and lead back."""
    node, arm = np.nonzero(gap < 1e-9)
    to = after[node, arm]
    edges = sparse.coo_matrix((np.ones(len(node)), (node, to)), shape=(len(gap), len(gap)))
    _, label = sparse.csgraph.connected_components(edges, connection="strong")
    inside = label[node] == label[to]
    return len(set(label[node[inside]]))


@given(bandits(arms=4, s_max=4), st.data())
def test_losses_add_up_and_are_never_negative(bandit, data):
    best = rb.optimum(bandit, 1)
    start = state = data.draw(st.sampled_from(joint_states(bandit.arms, bandit.s_max)))
    arms = data.draw(st.lists(st.integers(0, bandit.arms - 1), min_size=1, max_size=8))
    parts = []
    for arm in arms:
        parts.extend(best.losses([state], [[arm]]))
        state = step(state, arm, bandit.s_max)
    assert min(parts) >= 0
    assert best.losses([start], [arms])[0] == pytest.approx(sum(parts), abs=1e-12)


def test_one_wrong_pull_in_an_optimal_cycle_loses():
    bandit = rb.setting("6-hetero")
    best = rb.optimum(bandit, 1)
    right, wrong, twice = [0, 1, 2] * 3, [0, 1, 2, 0, 5, 1, 2, 0, 1], [0, 1, 2, 0, 0, 1, 2, 0, 1]
    state, _ = rounds_on_end(bandit, right)
    lost = best.losses([state] * 3, [right, wrong, twice])
    np.testing.assert_allclose(lost, [0, 0.1, 0.5], atol=1e-12)


@pytest.mark.parametrize("name", ["6-hetero", "6-homo", "10-hetero", "10-homo"])
def test_with_increasing_rewards_every_round_earns_the_top(name):
    """The paper: the optimal policy cycles through the best arms, each at s_max."""
    bandit = rb.setting(name)
    best = rb.optimum(bandit, 1000)
    assert best.average == pytest.approx(0.6)
    assert best.value == pytest.approx(600)
    assert {state for _, state in best.cycle} == {bandit.s_max}
    assert {bandit.means[arm, -1] for arm, _ in best.cycle} == {0.6}


def test_small_setting_pulls_the_first_arm_whenever_it_is_rested():
    best = rb.optimum(rb.setting("small"), 30_000)
    assert best.average == pytest.approx(0.7 / 3)
    assert best.value == pytest.approx(7000)
    assert [pull for pull in best.cycle if pull[0] == 0] == [(0, 3)] * (len(best.cycle) // 3)


@pytest.mark.parametrize("name", ["6-hetero", "6-homo", "10-hetero", "10-homo"])
def test_peaked_settings_pay_less_than_their_peak_in_the_long_run(name):
    best = rb.optimum(rb.setting(name, "peaked"), 1000)
    assert best.states <= 300
    assert 0.5 < best.average <= 0.6
