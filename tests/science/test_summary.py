"""What is kept of many runs: quantiles, endings, curves; whether they come at once or in pieces."""

import dataclasses

import numpy as np
import pytest

import rb_core as rb
from rb_core.summary import LEVELS, Tally, cycles

ROUNDS, SIMS = 60, 70


@pytest.fixture(scope="module")
def best():
    return rb.optimum(rb.setting("small"), ROUNDS, 0.9)


@pytest.fixture(scope="module")
def runs():
    return rb.simulate(rb.setting("small"), rb.RandomPull(), ROUNDS, SIMS, gamma=0.9)


def part(runs, first, last):
    """Some of the runs."""
    arrays = (runs.cumulative, runs.total, runs.tail, runs.tail_arms, runs.tail_start)
    return rb.Runs(runs.problem, runs.agent, runs.seed, *(each[first:last] for each in arrays))


def test_a_summary_has_what_the_runs_have(runs, best):
    found, lost = rb.summarise(runs, best), rb.regret(runs, best)
    assert LEVELS == (0.05, 0.25, 0.5, 0.75, 0.95)
    np.testing.assert_array_equal(found.checkpoints, runs.checkpoints)
    np.testing.assert_array_equal(found.quantiles, np.quantile(lost, LEVELS, axis=0))
    np.testing.assert_array_equal(found.reward, runs.cumulative[:, -1])
    np.testing.assert_array_equal(found.total, runs.total)
    np.testing.assert_array_equal(found.regret, lost[:, -1])
    np.testing.assert_array_equal(found.optimal, rb.is_optimal(runs, best))
    np.testing.assert_array_equal(found.strictly_optimal, rb.is_strictly_optimal(runs, best))
    np.testing.assert_array_equal(found.tail_regret, rb.tail_regret(runs, best))
    np.testing.assert_array_equal(found.curves, lost[:50].astype(np.float32))
    assert found.rate == rb.wilson(int(found.optimal.sum()), SIMS)
    assert found.strict_rate == rb.wilson(int(found.strictly_optimal.sum()), SIMS)


def test_runs_may_come_in_pieces_and_in_any_order(runs, best):
    whole, tally = rb.summarise(runs, best), Tally(best, SIMS)
    for first, last in ((45, 52), (0, 45), (52, SIMS)):
        tally.add(first, part(runs, first, last))
    for one, other in zip(whole, tally.summary(), strict=True):
        np.testing.assert_array_equal(one, other)


def ending(arms, start=(1, 2, 3)):
    """One run of a bandit with arms 2 and 3 alike that ends with `arms`, from the state `start`."""
    runs = rb.simulate(rb.setting("small"), rb.RandomPull(), 9, sims=1)
    found = rb.Runs(runs.problem, runs.agent, 0, runs.cumulative, runs.total, runs.tail,
                    np.array([arms]), np.array([start]))
    return cycles(found)[0]


def test_endings_name_kinds_and_states_and_begin_at_the_least():
    assert ending([2, 2, 2, 2, 2, 2, 2, 2, 2], start=(3, 3, 1)) == "B1"
    assert ending([1, 2, 0, 1, 2, 0, 1, 2, 0], start=(1, 3, 2)) == "A3 B3 B3"
    assert ending([1, 2, 0, 2, 1, 0, 2, 1, 0], start=(1, 3, 2)) == "no cycle"


def test_a_cycle_is_seen_if_it_is_there_twice():
    arms = [0, 1, 1, 2]
    assert ending(arms * 2, start=(3, 3, 1)) == "A3 B3 B1 B3"
    assert ending((arms * 2)[:-1], start=(3, 3, 1)) == "no cycle"


def test_endings_are_counted_and_the_most_frequent_comes_first():
    runs = rb.simulate(rb.setting("small"), rb.RandomPull(), 9, sims=4)
    arms, starts = np.array([[2] * 9, [0] * 9, [1] * 9, [0, 1] * 4 + [0]]), [
        [3, 3, 1], [1, 3, 3], [3, 1, 3], [2, 1, 3]]
    found = rb.summarise(dataclasses.replace(runs, tail_arms=arms, tail_start=np.array(starts)),
                         rb.optimum(rb.setting("small"), 9))
    assert found.endings == [("B1", 2), ("A1", 1), ("A2 B2", 1)]


def test_kinds_have_letters_in_the_order_of_their_first_arm():
    means = [[0.9], [0.1], [0.9], [0.5]]
    assert rb.kind_letters(rb.RecoveringBandit(means)) == ["A", "B", "A", "C"]
    many = rb.kind_letters(rb.RecoveringBandit(np.arange(30)[:, None] / 30))
    assert many[24:28] == ["Y", "Z", "AA", "AB"]
