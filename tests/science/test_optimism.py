"""What the proof in the chapter of PlanUCB uses: relative values of any table, and few plans."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import rb_core as rb
from rb_core.policy_iteration import improve, known_graph

SIZES = st.tuples(st.integers(1, 4), st.integers(2, 4))
TABLES = SIZES.flatmap(lambda size: arrays(float, size, elements=st.floats(0, 1, width=32)))


@settings(max_examples=60, deadline=None)
@given(TABLES)
def test_relative_values_solve_the_equation_and_differ_by_less_than_s_max(table):
    arms, s_max = table.shape
    known = known_graph(arms, s_max)
    gain = improve(known, table.reshape(-1), 1e-12)
    worth = table.reshape(-1)[known.cell] + known.bias[known.after]
    np.testing.assert_allclose(worth.max(axis=1), gain + known.bias, rtol=0, atol=1e-9)
    # The start, node 0, may be worth more: nothing leads back to it.
    assert known.bias[1:].max() - known.bias.min() <= (s_max - 1) * gain + 1e-9


@settings(max_examples=60, deadline=None)
@given(TABLES, st.integers(0, 2**32 - 1))
def test_a_larger_table_has_a_larger_best_average(table, seed):
    more = table + np.random.default_rng(seed).random(table.shape)
    least, most = (improve(known_graph(*table.shape), each.reshape(-1), 1e-12)
                   for each in (table, more))
    assert least <= most + 1e-12


@pytest.mark.parametrize("reward", ["bernoulli", "normal"])
def test_there_are_no_more_plans_than_counts_that_grow_by_a_tenth(reward):
    arms, s_max, rounds = 4, 5, 5000
    bandit = rb.family("free", arms, s_max, seed=31, reward=reward)

    class Counting:
        memory, plans, last = rb.PlanUCB().init(arms, s_max, rounds), 0, 0

        def act(self, t, state, rng):
            earliest = int(self.memory.wait[1])
            arm = int(self.memory.act(t, np.array(state, np.int32), rng))
            if self.memory.wait[1] != earliest:
                self.plans += 1
                assert t - self.last >= s_max  # a plan is followed for so long at least
                self.last = t
            return arm

        def learn(self, *seen):
            self.memory.learn(*seen)

    player = Counting()
    rb.play(bandit, player, rounds, np.random.default_rng(3))
    by_counts = 1 + arms * s_max * (1 + math.log(rounds) / math.log(1.1))
    assert 20 < player.plans <= min(by_counts + 1 + math.log2(rounds), rounds / s_max)
