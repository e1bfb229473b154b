"""Nested cycles: every arm keeps its period, and no other arms would earn more with theirs."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import rb_core as rb
from rb_core import rhythms
from tests.strategies import bandits


def test_splits_of_periods_are_all_there_and_once():
    """Written down by hand for at most four arms and periods up to six."""
    found = rhythms.nested_periods(4, 6)
    assert set(found) == {
        (1,), (2, 2), (3, 3, 3), (4, 4, 4, 4), (2, 4, 4), (2, 6, 6, 6), (3, 3, 6, 6)}


@pytest.mark.parametrize(("turns", "longest"), [(5, 12), (8, 20), (12, 30)])
def test_no_two_turns_meet_and_no_round_is_left_over(turns, longest):
    for periods, places in rhythms.nested_periods(turns, longest).items():
        assert tuple(period for period, _ in places) == periods
        assert len(periods) <= turns
        assert max(periods) <= longest
        length = np.lcm.reduce(periods)
        due = np.zeros(length, int)
        for period, first in places:
            due[first::period] += 1
        assert (due == 1).all()


@given(bandits(arms=6, s_max=6))
@settings(max_examples=50)
def test_every_arm_of_a_nested_cycle_keeps_its_period(bandit):
    for cycle in rhythms.nested_cycles(bandit.means, 40):
        assert len(cycle) <= 40
        for arm in set(cycle.tolist()):
            gaps = np.diff(np.flatnonzero(np.tile(cycle, 2) == arm))
            assert len(set(gaps.tolist())) == 1


def earned(means, periods, arms):
    return sum(means[arm, period - 1] / period for arm, period in zip(arms, periods, strict=True))


@given(bandits(arms=4, s_max=6))
@settings(max_examples=50)
def test_the_best_arms_get_the_periods(bandit):
    """Against all ways of giving the periods to arms, each of which earns what its hope allows."""
    means, arms = bandit.means, range(bandit.arms)
    every = {}
    for periods in rhythms.nested_periods(min(bandit.arms, rhythms.MOST_TURNS), bandit.s_max):
        every[periods] = max(earned(means, periods, chosen)
                             for chosen in permutations(arms, len(periods)))
    found = []
    for cycle in rhythms.nested_cycles(means, 60):
        pulls = np.bincount(cycle)
        used = np.flatnonzero(pulls)
        found.append(earned(means, len(cycle) // pulls[used], used))
    assert sorted(found) == pytest.approx(sorted(every.values()), abs=1e-12)


def test_those_that_may_be_best_come_first():
    """By what each period would earn with its best arms, which is never less than it does earn."""
    means = rb.family("free", 12, 8, 1).means
    hopes = []
    for cycle in rhythms.nested_cycles(means, 100):
        pulls = np.bincount(cycle)
        periods = (len(cycle) // pulls[pulls > 0]).tolist()
        best = {period: sorted(means[:, period - 1])[::-1] for period in periods}
        hopes.append(sum(best[period].pop(0) / period for period in periods))
        assert hopes[-1] >= earned(means, periods, np.flatnonzero(pulls)) - 1e-12
    assert len(hopes) > 5
    assert hopes == pytest.approx(sorted(hopes, reverse=True), abs=1e-12)


def most_worth(worth):
    """By trying everything: the most that the rows so far are worth with each set of columns."""
    best = {frozenset(): 0.0}
    for row in worth:
        following = {}
        for used, value in best.items():
            for column, more in enumerate(row):
                if column not in used:
                    now = used | {column}
                    following[now] = max(value + more, following.get(now, -np.inf))
        best = following
    return max(best.values())


@given(st.integers(1, 8), st.integers(0, 1), st.integers(0, 10**6))
@settings(max_examples=60, deadline=None)
@example(8, 1, 15)
@example(8, 1, 30)
def test_an_assignment_is_worth_most_of_all(rows, more, seed):
    """The examples go wrong where columns keep their first price."""
    worth = np.random.default_rng(seed).integers(-5, 6, size=(rows, rows + more)) / 2
    found = rhythms.assign(worth)
    assert len(set(found.tolist())) == rows
    assert worth[np.arange(rows), found].sum() == pytest.approx(most_worth(worth), abs=1e-12)
