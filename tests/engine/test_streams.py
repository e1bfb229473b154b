"""Every simulation has a random stream of its own, at an address that never changes."""

import dataclasses
import hashlib

import numpy as np
import pytest

import rb_core as rb
from rb_core.engine.streams import address, stream_at

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
        stream_at(place, seed, simulation).bit_generator.random_raw()
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
    draws = np.array([stream_at(place, 0, i).random(4000) for i in range(30)])
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
from rb_core.engine.streams import address
print(address(rb.setting("6-hetero"), rb.SSSarsa(0.9)))
"""
    printed = {run_program(program, PYTHONHASHSEED=seed) for seed in ("1", "2")}
    assert printed == {f"{address(rb.setting('6-hetero'), rb.SSSarsa(0.9))}\n"}


def test_seeds_of_any_size_are_seeds():
    runs = [rb.trace(BANDIT, rb.RandomPull(), 50, seed=seed).arms for seed in (0, 2**70, 2**700)]
    assert len({run.tobytes() for run in runs}) == 3


# The first numbers of all agents of an experiment, of simulations 0 and 999. Names of classes and
# fields, and defaults of fields, are part of every seed: whoever changes one, changes these.
PINNED = {
    "small-bernoulli-discounted": "d609baa3f074",
    "small-bernoulli-undiscounted": "346aa1f97c6f",
    "small-normal-discounted": "76ae4ee7ee28",
    "small-normal-undiscounted": "f59e88f160d6",
    "6-hetero-increasing-bernoulli-discounted": "578a2d005cf2",
    "6-hetero-increasing-bernoulli-undiscounted": "dd539f18639c",
    "6-hetero-increasing-normal-discounted": "b243eb24c23c",
    "6-hetero-increasing-normal-undiscounted": "b97b59c57fdd",
    "6-hetero-peaked-bernoulli-discounted": "4ff60b484a89",
    "6-hetero-peaked-bernoulli-undiscounted": "b76f70dbd8a2",
    "6-hetero-peaked-normal-discounted": "41234d31fac4",
    "6-hetero-peaked-normal-undiscounted": "d7cee2dfb2ac",
    "6-homo-increasing-bernoulli-discounted": "a5bc1061e4af",
    "6-homo-increasing-bernoulli-undiscounted": "276a47e63f7c",
    "6-homo-increasing-normal-discounted": "f473393be2fc",
    "6-homo-increasing-normal-undiscounted": "a0b6bb25ebfd",
    "6-homo-peaked-bernoulli-discounted": "6133ae6fca6f",
    "6-homo-peaked-bernoulli-undiscounted": "6a115b5c129b",
    "6-homo-peaked-normal-discounted": "7bf20de2312d",
    "6-homo-peaked-normal-undiscounted": "553d23e8eb0a",
    "10-hetero-increasing-bernoulli-discounted": "78f78e886bb6",
    "10-hetero-increasing-bernoulli-undiscounted": "3d7d5727fef8",
    "10-hetero-increasing-normal-discounted": "9e5a4032a7f6",
    "10-hetero-increasing-normal-undiscounted": "6b6f1ef12539",
    "10-hetero-peaked-bernoulli-discounted": "fd08fcf6c396",
    "10-hetero-peaked-bernoulli-undiscounted": "9c7755974a50",
    "10-hetero-peaked-normal-discounted": "797690e5a044",
    "10-hetero-peaked-normal-undiscounted": "1dab493431bc",
    "10-homo-increasing-bernoulli-discounted": "69ec04c85713",
    "10-homo-increasing-bernoulli-undiscounted": "5407345297ed",
    "10-homo-increasing-normal-discounted": "08809e1206bd",
    "10-homo-increasing-normal-undiscounted": "1d2afcc21c55",
    "10-homo-peaked-bernoulli-discounted": "1b6ff3960da7",
    "10-homo-peaked-bernoulli-undiscounted": "d85dfab22133",
    "10-homo-peaked-normal-discounted": "21b9e3ba4dce",
    "10-homo-peaked-normal-undiscounted": "9589dfc1fa17",
}


@pytest.mark.parametrize("name", rb.experiments())
def test_the_streams_of_the_36_experiments_do_not_move(name):
    experiment, digest = rb.experiment(name), hashlib.sha256()
    for agent in experiment.agents.values():
        for simulation in (0, 999):
            draws = rb.stream(experiment.bandit, agent, 0, simulation).bit_generator.random_raw(4)
            digest.update(draws.tobytes())
    assert digest.hexdigest()[:12] == PINNED[name]
