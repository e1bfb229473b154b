"""dRGP-UCB: its width is that of its authors' program, and it stays apart from the paper's six."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rb_core as rb
from rb_core.agents import rgp_ucb
from rb_core.evaluation import COMPARED
from tests.strategies import SEEDS, bandits
from tests.witness import assert_same_run


@pytest.mark.parametrize("d", [1, 2, 3])
def test_its_width_is_that_of_its_authors_program(d, monkeypatch):
    widths, real = [], rgp_ucb.upper_sum
    monkeypatch.setattr(rgp_ucb, "upper_sum",
                        lambda memory, state, width: widths.append(width) or
                        real(memory, state, width))
    rb.trace(rb.family("free", 3, 4, 1), rb.RGPUCB(d), 3 + 2 * d, compiled=False)
    # Their rounds count from 0, and the first K of them try every arm.
    theirs = [math.sqrt(2 * math.log((t + d - 1) ** 2 * 3**d * 4)) for t in (3, 3 + d)]
    assert widths[:: 3**d] == pytest.approx(theirs, abs=1e-12)


@given(bandits(arms=3, s_max=2), SEEDS, st.integers(1, 40))
def test_sequences_may_be_longer_than_a_recovery(bandit, seed, rounds):
    assert_same_run(bandit, rb.RGPUCB(4), rounds, seed, compiled=False)


def test_the_more_it_trusts_a_reward_the_less_it_loses():
    """With the noise that Bernoulli rewards have at most, half as wide."""
    bandit = rb.family("gaussian", 4, 5, 0)
    wide, narrow = (rb.simulate(bandit, rb.RGPUCB(2, sigma=sigma), 20_000, sims=4).total.mean()
                    for sigma in (1.0, 0.5))
    by_chance = rb.simulate(bandit, rb.RandomPull(), 20_000, sims=4).total.mean()
    assert narrow > wide > by_chance


@pytest.mark.parametrize("parameter", ["lookahead", "sigma", "length_scale"])
def test_bad_parameters_are_refused_as_those_of_its_posterior_are(parameter):
    with pytest.raises(rb.InputError, match=parameter):
        rb.RGPUCB(**{parameter: 0})


def test_the_papers_comparison_stays_the_papers():
    rb.check_agent(rb.RGPUCB(2))
    assert not {"1RGP-UCB", "2RGP-UCB"} & set(COMPARED)
