"""Songs, a programme and a seed for assignment 1."""

import numpy as np

FRESH_AT = (3, 4, 5)  # in another order for each student
SLOTS, TALK = 20, 4
OFTEN = (3, 2, 2)  # how many times each song is played fresh, at least
WANTED = (FRESH_AT, SLOTS, TALK, True, 1, OFTEN, True, True)


def numbers(rng):
    while True:
        means = [_liking(rng, cap) for cap in rng.permutation(FRESH_AT)]
        programme = [None] * TALK + rng.integers(len(means), size=SLOTS - TALK).tolist()
        programme = [programme[i] for i in rng.permutation(SLOTS)]
        seed = int(rng.integers(1000, 10_000))
        found = {"means": means, "programme": programme, "seed": seed}
        if difficulty(found) == WANTED:
            return found


def difficulty(numbers):
    """What has to be done, and that the usual slips show: equal for every student.

    In this order: the ages at which songs are fresh, slots, talk among them, whether some states
    are met again (but not too many), how many more are met before slots than after them, how often
    each song is played fresh (up to OFTEN), whether each is also played tired, and whether what is
    earned differs visibly from what is expected.
    """
    means, programme = numbers["means"], numbers["programme"]
    caps = [len(row) for row in means]
    state, met, pulls = tuple(caps), [tuple(caps)], []
    for song in programme:
        pulls.append((song, None if song is None else state[song]))
        state = tuple(1 if k == song else min(s + 1, caps[k]) for k, s in enumerate(state))
        met.append(state)
    expected = [0.0 if song is None else means[song][age - 1] for song, age in pulls]
    earned = sum(np.random.default_rng(numbers["seed"]).random(len(expected)) < expected)
    fresh = [sum((song, cap) == pull for pull in pulls) for song, cap in enumerate(caps)]
    by_cap = [fresh[caps.index(cap)] for cap in sorted(caps)]
    tired = [any(song == k and age < caps[k] for song, age in pulls) for k in range(len(caps))]
    return (
        tuple(sorted(caps)),
        len(programme),
        programme.count(None),
        13 <= len(set(met[:-1])) <= 17,
        len(set(met[:-1])) - len(set(met[1:])),
        tuple(np.minimum(by_cap, OFTEN).tolist()),
        all(tired),
        bool(abs(sum(expected) - earned) > 0.4),
    )


def _liking(rng, cap):
    """Means that rise with rest, all different, in hundredths."""
    return (np.sort(rng.choice(np.arange(5, 96), cap, replace=False)) / 100).tolist()
