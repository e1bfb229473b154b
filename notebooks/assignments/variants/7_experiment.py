"""Twelve games of two methods for assignment 7, and the seed of the student's own experiment."""

import math

import numpy as np

GAMES = 12
WANTED = (GAMES, True, True, True, True, True)


def numbers(rng):
    """Draws until the games are as hard to judge as everybody else's."""
    while True:
        both = rng.normal(60, 12, GAMES)  # the guests and the weather of each game
        drawn = {
            "regret_a": (both + rng.normal(0, 3, GAMES)).round(1).tolist(),
            "regret_b": (both - rng.uniform(4, 7) + rng.normal(0, 3, GAMES)).round(1).tolist(),
            "wanted": int(rng.integers(10, 16)) / 10,
            "seed": int(rng.integers(1, 100_000)),
        }
        if difficulty(drawn) == WANTED:
            return drawn


def difficulty(numbers):
    """Games; whether the interval of pairs excludes 0, and the other one does not; whether the
    games needed are some dozens; and whether no usual mistake hits that number, nor rounding."""
    a, b = np.array(numbers["regret_a"]), np.array(numbers["regret_b"])
    spread, apart = np.std(a - b, ddof=1), (a - b).mean()
    loose = math.hypot(np.std(a, ddof=1), np.std(b, ddof=1))
    needed = (1.96 * spread / numbers["wanted"]) ** 2
    mistakes = [
        (1.96 * loose / numbers["wanted"]) ** 2,
        (2 * 1.96 * spread / numbers["wanted"]) ** 2,
        (1.96 * spread / 2 / numbers["wanted"]) ** 2,
        (1.96 * np.std(a - b) / numbers["wanted"]) ** 2,
        1.96 * spread * math.sqrt(GAMES) / numbers["wanted"],  # as if the interval shrank like 1/n
    ]
    return (
        len(a),
        bool(apart > 1.2 * 1.96 * spread / math.sqrt(GAMES)),
        bool(abs(apart) < 0.8 * 1.96 * loose / math.sqrt(GAMES)),
        bool(20 <= needed <= 80),
        bool(all(math.ceil(each) != math.ceil(needed) for each in mistakes)),
        bool(0.01 < needed % 1 < 0.99),
    )
