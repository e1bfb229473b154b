"""A loaded die of the student's own: one favourite arm, one rare one, two in between."""

import numpy as np

WANTED = (4, 5, 1, 3, True, True, True)


def numbers(rng):
    """Draws until the die is as hard as everybody else's."""
    while True:
        favourite, rare = int(rng.integers(515, 581)), int(rng.integers(80, 116))
        third = int(rng.integers(130, 236))
        thousandths = [favourite, rare, third, 1000 - favourite - rare - third]
        drawn = {
            "probs": [round(each / 1000, 3) for each in rng.permutation(thousandths).tolist()],
            "s_max": 5,
            "visits_wanted": int(rng.integers(80, 200)),
        }
        if difficulty(drawn) == WANTED:
            return drawn


def difficulty(numbers):
    """Sizes; arms that surprise; arms that do not; and answers that are clear-cut."""
    p = np.array(numbers["probs"])[:, None]
    if p.min() <= 0:
        return ()
    s_max = numbers["s_max"]
    s = np.arange(1, s_max + 1)
    visits = p * (1 - p) ** (s - 1) * np.where(s < s_max, p, 1)
    least, next_to_least = np.sort(visits, axis=None)[:2]
    rounds = numbers["visits_wanted"] / least
    return (
        len(p),
        s_max,
        int((visits.argmin(axis=1) == s_max - 1).sum()),
        int((visits.argmax(axis=1) == s_max - 1).sum()),
        bool(visits.argmin() == p.argmin() * s_max + s_max - 2),
        bool(next_to_least > 1.1 * least),
        bool(0.001 < rounds % 1 < 0.999),  # rounding of floats cannot change the answer
    )
