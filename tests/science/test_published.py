"""Planners that others published: their periods are the best, their rates solve the programme."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rb_core as rb
from rb_core import interleaving
from rb_core.interleaving import rates
from rb_core.periods import best_timetable, timetable_room
from rb_core.pricing import price_of_a_pull
from rb_core.scheduling import followed
from tests.strategies import ANY_MEANS, tables

MEANS = tables(ANY_MEANS, 4, 5).map(np.array)


def every_share(means):
    """What every choice of periods earns a round above the least mean, for every base."""
    arms, s_max = means.shape
    above = means - means.min()
    for base in range(1, s_max + 1, 2):
        length = next(base * 2**i for i in range(10) if base * 2**i >= s_max)
        doubled = [base * 2**i for i in range(10) if base * 2**i <= length]
        for periods in itertools.product([0, *doubled], repeat=arms):
            if sum(length // d for d in periods if d) <= length:
                yield sum(above[a, min(d, s_max) - 1] / d for a, d in enumerate(periods) if d)


@given(MEANS)
@settings(max_examples=60)
def test_the_periods_are_the_best_of_all(means):
    room = timetable_room(*means.shape)
    length = best_timetable(room, means)
    slots, s_max = room.slots[:length], means.shape[1]
    for arm, d in enumerate(room.period.tolist()):
        at = np.flatnonzero(slots == arm)
        assert len(at) == (length // d if d else 0)
        assert d == 0 or (np.diff(at) == d).all()
    above = means - means.min()
    earned = sum(above[a, min(d, s_max) - 1] / d for a, d in enumerate(room.period.tolist()) if d)
    assert earned == pytest.approx(max(every_share(means)), abs=1e-7)


@given(MEANS)
def test_the_rates_solve_the_linear_programme(means):
    """One pull a round in all, and what that earns is the value of the dual."""
    few, many, share = rates(means)
    pulls = [(part / d, means[a, d - 1]) for part, periods in ((1 - share, few), (share, many))
             for a, d in enumerate(periods.tolist()) if d]
    assert math.fsum(rate for rate, _ in pulls) == pytest.approx(1.0)
    value = math.fsum(rate * mean for rate, mean in pulls)
    assert value == pytest.approx(price_of_a_pull(means)[1], abs=1e-6)


@given(tables(ANY_MEANS, 4, 5).map(lambda means: rb.RecoveringBandit(means, "normal")),
       st.integers(0, 9))
@settings(max_examples=30)
def test_no_planner_exceeds_the_bound_and_its_average_is_that_of_its_cycle(bandit, seed):
    for found in (rb.periodic(bandit), rb.interleaved(bandit, seed)):
        assert found.average <= found.bound
        arms = [arm for arm, _ in found.cycle]
        played = rb.states_along(bandit, np.array(arms * 3))[len(arms) : 2 * len(arms)]
        for (arm, state), states in zip(found.cycle, played, strict=True):
            assert states[arm] == state or len(arms) < bandit.s_max
        mean = np.mean([bandit.means[arm, state - 1] for arm, state in found.cycle])
        assert found.average == pytest.approx(mean, abs=1e-12)


@pytest.mark.parametrize("name", ["rising", "exponential", "concave", "blocking"])
def test_interleaving_earns_what_is_guaranteed_where_arms_recover(name):
    for seed in range(3):
        bandit = rb.family(name, 10, 8, seed)
        found = [rb.interleaved(bandit, draw) for draw in range(10)]
        assert np.mean([each.average for each in found]) > (1 - 1 / math.e) * found[0].bound


def test_every_arm_draws_the_period_of_the_lower_price_with_its_share(monkeypatch):
    """Of arms that are all alike, and ask for a pull every 5 rounds, or for none."""
    drawn = []
    monkeypatch.setattr(interleaving, "followed", lambda bandit, period, *rest:
                        drawn.append(period) or followed(bandit, period, *rest))
    bandit = rb.RecoveringBandit(np.tile([0.0, 0.0, 0.0, 0.0, 0.9], (20, 1)))
    few, many, share = rates(bandit.means)
    assert (set(few), set(many), share) == ({0}, {5}, pytest.approx(0.25))
    for seed in range(50):
        rb.interleaved(bandit, seed)
    # Of 1,000 draws; the interval has a probability of more than 0.9999.
    assert 0.19 < np.mean(np.array(drawn) == 5) < 0.31


def test_interleaved_arms_come_in_their_periods_and_the_best_goes_first():
    bandit = rb.RecoveringBandit([[0.0, 0.9, 0.9, 0.9], [0.2, 0.2, 0.2, 0.5], [0.3] * 4])
    found = [[arm for arm, _ in rb.interleaved(bandit, seed).cycle] for seed in range(20)]
    assert all(len(arms) == 100 * bandit.s_max for arms in found)
    # Half of the rounds in which arm 1 might begin are arm 0's: from there it never has a turn.
    assert {tuple(sorted(set(arms))) for arms in found} == {(0, 1, 2), (0, 2)}
    for arms in found:
        assert set(np.diff(np.flatnonzero(np.array(arms) == 0))) == {2}
        assert set(np.diff(np.flatnonzero(np.array(arms) == 1))) <= {4}
    assert rb.interleaved(bandit, 3) == rb.interleaved(bandit, 3)


def test_rounds_of_nobodys_go_to_the_best_arm_at_that_moment():
    """Beside an arm with period 2: one that must recover first, and one that always pays 0.3."""
    bandit = rb.RecoveringBandit([[0.9] * 4, [0.0, 0.0, 0.4, 0.5], [0.3] * 4])
    found = followed(bandit, np.array([2, 0, 0]), np.array([0, -1] * 4), 1.0)
    assert [arm for arm, _ in found.cycle] == [0, 1, 0, 2, 0, 1, 0, 2]
    assert found.average == pytest.approx((0.9 * 4 + 0.5 * 2 + 0.3 * 2) / 8)
    everybody_has_one = followed(bandit, np.array([2, 4, 4]), np.array([0, -1] * 4), 1.0)
    assert {arm for arm, _ in everybody_has_one.cycle} == {0}


def test_a_bad_bandit_or_seed_is_refused():
    for planner in (rb.periodic, rb.interleaved):
        with pytest.raises(rb.InputError, match="RecoveringBandit"):
            planner(0.5)
    with pytest.raises(rb.InputError, match="seed"):
        rb.interleaved(rb.setting("small"), -1)
