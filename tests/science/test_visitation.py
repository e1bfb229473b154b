"""How often random pulling meets each state: the paper's formula, corrected at s_max.

Arm k is pulled in state i with probability (1/K^2) (1 - 1/K)^(i-1) for i < s_max and, where the
paper prints 1 - sum for 1/K - sum, (1/K) (1 - 1/K)^(s_max-1) for i = s_max.
"""

from collections import defaultdict
from fractions import Fraction
from statistics import NormalDist

import numpy as np
import pytest
from scipy import stats

import rb_core as rb

ERROR = 1e-6  # chance that a test of this file fails though all is right


def probability(arms, s_max, state):
    miss = 1 - Fraction(1, arms)
    if state < s_max:
        return miss ** (state - 1) / arms**2
    return miss ** (s_max - 1) / arms


def laws_of_the_joint_state(bandit, rounds):
    """The law of the joint state in rounds 1, 2, ... under random pulling, exactly."""
    law = {tuple(bandit.start.tolist()): Fraction(1)}
    for _ in range(rounds):
        yield law
        after = defaultdict(Fraction)
        for state, weight in law.items():
            for arm in range(bandit.arms):
                after[tuple(bandit.next_state(state, arm).tolist())] += weight / bandit.arms
        law = after


@pytest.mark.parametrize(
    ("arms", "s_max"), [(1, 1), (1, 3), (2, 1), (2, 4), (3, 3), (4, 4), (3, 5)]
)
def test_formula_is_exact_from_round_s_max_on_and_not_before(arms, s_max):
    bandit = rb.RecoveringBandit(np.zeros((arms, s_max)))
    formula = [probability(arms, s_max, i) for i in range(1, s_max + 1)]
    for t, law in enumerate(laws_of_the_joint_state(bandit, s_max + 3), start=1):
        pulled = [
            sum(weight for state, weight in law.items() if state[0] == i) / arms
            for i in range(1, s_max + 1)
        ]
        # One arm is pulled for ever: it is stationary from round 2 on, whatever s_max.
        assert (pulled == formula) == (t >= (min(s_max, 2) if arms == 1 else s_max))


@pytest.mark.parametrize(("arms", "s_max"), [(1, 1), (3, 3), (6, 6), (6, 3), (10, 10)])
def test_probabilities_of_all_states_add_up_to_a_pull_in_k(arms, s_max):
    assert sum(probability(arms, s_max, i) for i in range(1, s_max + 1)) == Fraction(1, arms)


@pytest.mark.parametrize(
    ("s_max", "at_s_max", "one_before"), [(6, 0.067, 0.013), (3, 0.116, 0.023)]
)
def test_the_papers_four_numbers(s_max, at_s_max, one_before):
    assert round(float(probability(6, s_max, s_max)), 3) == at_s_max
    assert round(float(probability(6, s_max, s_max - 1)), 3) == one_before


@pytest.mark.parametrize(("arms", "s_max"), [(6, 6), (6, 3), (3, 5), (10, 10)])
def test_random_pulling_meets_the_states_that_often(arms, s_max):
    """The rests of one arm are independent and geometric, so their ages are a fair sample."""
    rounds = 600_000
    bandit = rb.RecoveringBandit(np.zeros((arms, s_max)))
    run = rb.trace(bandit, rb.RandomPull(), rounds)
    law = [float(arms * probability(arms, s_max, i)) for i in range(1, s_max + 1)]
    z = -NormalDist().inv_cdf(ERROR / (4 * arms))
    for arm in range(arms):
        ages = run.states[run.arms == arm]
        assert abs(len(ages) / rounds - 1 / arms) < z * np.sqrt((arms - 1) / arms**2 / rounds)
        ages = ages[1 : int(0.98 * rounds / arms)]  # the first pull is at s_max by definition
        counts = np.bincount(ages, minlength=s_max + 1)[1:]
        test = stats.chisquare(counts, np.array(law) * len(ages))
        assert test.pvalue > ERROR / (2 * arms)


def ages_when_pulled(agent, rounds=600_000):
    run = rb.trace(rb.setting("6-homo"), agent, rounds)
    return np.bincount(run.states[run.arms == 0][1:], minlength=7)[1:]


def test_counting_joint_states_explores_like_random_pulling_only_more_evenly():
    """Always taking the least used way out of a state is a rotor-router walk: in the long run it
    meets the states as often as a random walk does, and closer to the expected number."""
    counts = ages_when_pulled(rb.SSSarsa(0.9, explore=1.0, visits="joint"))
    law = np.array([float(6 * probability(6, 6, i)) for i in range(1, 7)])
    assert np.abs(counts / counts.sum() - law).max() < 0.002
    assert stats.chisquare(counts, law * counts.sum()).pvalue > 1 - 1e-3


def test_counting_separated_entries_explores_more_evenly_over_ages():
    counts = ages_when_pulled(rb.SSSarsa(0.9, explore=1.0, visits="separated"))
    law = np.array([float(6 * probability(6, 6, i)) for i in range(1, 7)])
    assert stats.chisquare(counts, law * counts.sum()).pvalue < ERROR
    assert counts.max() / counts.min() < 0.5 * law.max() / law.min()
