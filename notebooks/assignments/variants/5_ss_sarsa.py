"""Ponds for assignment 5."""

import numpy as np

import rb_core as rb
from rb_core.loop import Log, Problem, play

FIXED = {"ponds": 6, "rounds": 420, "explored": 240, "gamma": 0.99, "t0": 100, "games": 5}
WANTED = (6, 6, 420, 240, 5, True, True)


def numbers(rng):
    found = {}
    while not found or difficulty(found) != WANTED:
        profile = np.cumsum(rng.integers(4, 15, size=6)) / 100
        found = {"profile": profile.tolist(), **FIXED, "seed": int(rng.integers(1, 100_000))}
    return found


def difficulty(numbers):
    """Sizes; whether all games with random ties end with all ponds in turn; and whether ties by
    index cost at least 15 % of that."""
    best = numbers["profile"][-1]
    at_random, first = (_endings(numbers, ties) / best for ties in ("random", "first"))
    return (
        numbers["ponds"],
        len(numbers["profile"]),
        *(numbers[name] for name in ("rounds", "explored", "games")),
        bool(at_random.min() > 1 - 1e-9),
        bool(first.mean() < 0.85),
    )


def _endings(numbers, ties):
    """The expected reward per round at the end of each of the student's games."""
    means = np.tile(numbers["profile"], (numbers["ponds"], 1))
    rounds, tail = numbers["rounds"], 3 * means.shape[1]
    share = numbers["explored"] / rounds
    agent = rb.SSSarsa(numbers["gamma"], numbers["t0"], share, ties)
    late = []
    for game in range(numbers["games"]):
        one, few, nothing = np.empty(1), np.empty(len(means), np.int32), np.empty(0)
        log = Log(np.array([rounds]), one, one.copy(), np.empty(tail), np.empty(tail, np.int32),
                  few, nothing.astype(int), nothing)
        rng = np.random.default_rng([numbers["seed"], game])
        play(Problem(means, False, 0.0), agent, rng, rounds, 1.0, log, np.zeros(1, bool))
        late.append(log.tail.mean())
    return np.array(late)
