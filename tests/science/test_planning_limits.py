"""A problem too large to plan for is refused at once, with its size."""

import numpy as np
import pytest

import rb_core as rb
from rb_core.planning import Optimum


@pytest.fixture
def large():
    return rb.RecoveringBandit(np.random.default_rng(0).random((10, 10)))


@pytest.mark.parametrize(
    "plan",
    [
        lambda bandit: rb.optimum(bandit, 10),
        lambda bandit: rb.optimum(bandit, None, 0.9),
        lambda bandit: rb.q_star(bandit, 0.9),
        lambda _: Optimum(rb.setting("10-homo"), 10, 1.0, kind_of=np.arange(10)),
    ],
)
def test_the_refusal_says_how_many_states_it_would_take(large, plan):
    with pytest.raises(rb.InputError, match="45,965,531 states"):
        plan(large)


def test_exchangeable_arms_make_a_large_problem_small():
    bandit = rb.RecoveringBandit([np.linspace(0.1, 0.6, 10)] * 40)
    best = rb.optimum(bandit, 100)
    assert best.states == rb.reachable_states(40, 10, groups=[40])
    assert best.value == pytest.approx(60)


def test_hundred_arms_are_refused_without_counting_one_by_one():
    with pytest.raises(rb.InputError, match="100 arms and s_max 100"):
        rb.optimum(rb.RecoveringBandit(np.random.default_rng(0).random((100, 100))), 10)
