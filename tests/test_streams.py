"""Every simulation has a random stream of its own, at an address that never changes."""

import dataclasses

import numpy as np
import pytest

import rb_core as rb
from rb_core.seeds import address, stream

BANDIT = rb.RecoveringBandit([[0.1, 0.2], [0.3, 0.4]], "normal", variance=0.5)
BANDITS = [
    BANDIT,
    rb.RecoveringBandit(BANDIT.means),
    rb.RecoveringBandit(BANDIT.means, "normal", variance=0.6),
    rb.RecoveringBandit(BANDIT.means[::-1], "normal"),
    rb.RecoveringBandit(BANDIT.means.reshape(1, 4), "normal"),
    rb.RecoveringBandit(BANDIT.means + 1e-16, "normal"),
]
OTHER_VALUES = {
    "gamma": 0.8,
    "t0": 4999,
    "explore": 0.2,
    "ties": "first",
    "visits": "separated",
    "lookahead": 2,
    "sigma": 2.0,
    "length_scale": 1.0,
    "refresh": "state",
    "samples": "fresh",
}


def variants():
    """Every agent, and every agent with one parameter changed."""
    for agent in (rb.SSSarsa(0.9), rb.Sarsa(0.9), rb.QLearning(0.9), rb.RGPTS(), rb.RandomPull()):
        yield agent
        for field in dataclasses.fields(agent):
            yield dataclasses.replace(agent, **{field.name: OTHER_VALUES[field.name]})


def first_draws(places, seeds=(0,), simulations=(0,)):
    """The first 64 bits of every stream."""
    return [
        stream(place, seed, simulation).bit_generator.random_raw()
        for place in places
        for seed in seeds
        for simulation in simulations
    ]


def test_bandits_agents_seeds_and_simulations_have_different_streams():
    places = [address(bandit, agent) for bandit in BANDITS for agent in variants()]
    assert len(places) == 6 * 25
    draws = first_draws(places, seeds=(0, 1, 2**40, 2**40 + 1), simulations=(0, 1, 2, 1000))
    assert len(set(draws)) == len(draws)


def test_thousands_of_simulations_never_share_a_stream():
    draws = first_draws([address(BANDIT, rb.RandomPull())], range(20), range(1000))
    assert len(set(draws)) == len(draws)


def test_neighbouring_streams_are_uncorrelated():
    place = address(BANDIT, rb.RandomPull())
    draws = np.array([stream(place, 0, i).random(4000) for i in range(30)])
    off_diagonal = np.corrcoef(draws)[np.triu_indices(30, 1)]
    assert np.abs(off_diagonal).max() < 6 / np.sqrt(4000)  # 435 pairs: fails once in 1e6


@pytest.mark.parametrize(
    ("one", "same"),
    [
        (rb.SSSarsa(1), rb.SSSarsa(1.0)),
        (rb.SSSarsa(0.9, t0=5000), rb.SSSarsa(np.float64(0.9), 5000.0)),
        (rb.RGPTS(2), rb.RGPTS(np.int64(2))),
    ],
)
def test_equal_parameters_give_the_same_stream_whatever_their_type(one, same):
    assert address(BANDIT, one) == address(BANDIT, same)


def test_addresses_are_the_same_in_every_process(run_program):
    """Committed results stay reproducible: an address that moves would change them all."""
    program = """
import rb_core as rb
from rb_core.seeds import address
print(address(rb.setting("6-hetero"), rb.SSSarsa(0.9)))
"""
    printed = {run_program(program, PYTHONHASHSEED=seed) for seed in ("1", "2")}
    assert printed == {f"{address(rb.setting('6-hetero'), rb.SSSarsa(0.9))}\n"}


def test_seeds_of_any_size_are_seeds():
    runs = [rb.trace(BANDIT, rb.RandomPull(), 50, seed=seed).arms for seed in (0, 2**70, 2**700)]
    assert len({run.tobytes() for run in runs}) == 3
