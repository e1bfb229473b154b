"""Ponds for assignment 5."""

import numpy as np

import rb_core as rb

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
    in_turn = all(late > 1 - 1e-9 for late in _endings(numbers, "random"))
    costly = in_turn and np.mean([*_endings(numbers, "first")]) < 0.85
    return (
        numbers["ponds"],
        len(numbers["profile"]),
        *(numbers[name] for name in ("rounds", "explored", "games")),
        in_turn,
        bool(costly),
    )


def _endings(numbers, ties):
    """What each of the student's games brings a round at its end, as a share of the best."""
    bandit = rb.RecoveringBandit(np.tile(numbers["profile"], (numbers["ponds"], 1)))
    rounds, tail = numbers["rounds"], 3 * bandit.s_max
    agent = rb.SSSarsa(numbers["gamma"], numbers["t0"], numbers["explored"] / rounds, ties)
    for game in range(numbers["games"]):
        memory = agent.init(bandit.arms, bandit.s_max, rounds).grow(1, rounds)
        rng = np.random.default_rng([numbers["seed"], game])
        yield rb.play(bandit, memory, rounds, rng).expected[-tail:].mean() / bandit.means[0, -1]
