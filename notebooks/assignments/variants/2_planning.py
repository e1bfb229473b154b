"""Squares, a fee and a diary for assignment 2."""

from itertools import pairwise, product

import numpy as np

SQUARES, S_MAX, DAYS = 3, 4, 12
PROBLEM = (SQUARES, S_MAX, 4, 3, 4, True, -0.75)
DIARY = (DAYS, 8, SQUARES, True)
WANTED = PROBLEM + DIARY


def numbers(rng):
    found = {}
    while not found or _problem(found) != PROBLEM:
        crowds = rng.choice(np.arange(10, 100), (SQUARES, S_MAX), replace=False) / 100
        found = {"means": np.sort(crowds).tolist(), "fee": int(rng.integers(5, 21)) / 100}
    while "visits" not in found or _diary(found) != DIARY:
        visits = rng.integers(SQUARES, size=DAYS).tolist()
        takings = _crowds_met(found["means"], visits) + rng.normal(0, 0.2, DAYS)
        found |= {"visits": visits, "takings": np.maximum(takings, 0).round(2).tolist()}
    return found


def difficulty(numbers):
    """What there is to find, and that the usual slips show: equal for every student."""
    return _problem(numbers) + _diary(numbers)


def _problem(numbers):
    """Squares and ages; rounds and moves of the shortest best cycle, and moves of the best one
    without a fee (so the fee changes what is best); whether greedy play loses; the slope of the
    gain as a function of the fee (one number, as no other cycle is just taking over)."""
    means, fee, little = numbers["means"], numbers["fee"], 1e-4
    rounds, moves, greedy_loses = _best(means, fee)
    rise = _gains(means, fee + little)[0] - _gains(means, fee - little)[0]
    slope = round(rise / (2 * little), 6)
    return len(means), len(means[0]), rounds, moves, _best(means, 0.0)[1], greedy_loses, slope


def _diary(numbers):
    """Days, moves, squares; whether takings and expectations differ visibly."""
    visits = numbers["visits"]
    luck = sum(numbers["takings"]) - sum(_crowds_met(numbers["means"], visits))
    moves = sum(here != there for here, there in pairwise(visits))
    return len(visits), moves, len(set(visits)), bool(abs(luck) > 0.25)


def _best(means, fee, longest=S_MAX):
    """Rounds and moves of the best cycle (0, 0 if a longer one is better); does greedy lose?"""
    short = [c for n in range(1, longest + 1) for c in product(range(len(means)), repeat=n)]
    average = [_average(cycle, means, fee) for cycle in short]
    best = short[int(np.argmax(np.round(average, 9)))]  # the first, so a shortest one
    gain, greedy = _gains(means, fee)
    if max(average) < gain - 1e-9:
        return 0, 0, False
    return len(best), _moves(best), bool(greedy < gain - 0.01)


def _average(cycle, means, fee):
    """A square that comes round after n days has age n, or the oldest there is."""
    paid, twice = -fee * _moves(cycle), cycle + cycle
    for day, square in enumerate(cycle):
        gap = twice.index(square, day + 1) - day
        paid += means[square][min(gap, len(means[square])) - 1]
    return paid / len(cycle)


def _moves(cycle):
    return sum(here != there for here, there in zip(cycle[-1:] + cycle[:-1], cycle, strict=True))


def _crowds_met(means, visits):
    """Expected takings of each visit, before fees."""
    last, met = {}, []
    for day, square in enumerate(visits):
        s_max = len(means[square])
        met.append(means[square][min(day - last.get(square, -s_max), s_max) - 1])
        last[square] = day
    return np.array(met)


def _gains(means, fee):
    """The best average of all, by Karp's formula, and that of greedy play."""
    s_max = len(means[0])
    states, pay, after = [(s_max,) * len(means)], [], []
    for state in states:  # grows while it is read
        before = state.index(1) if 1 in state else None
        pay.append([means[k][s - 1] - fee * (before not in (k, None)) for k, s in enumerate(state)])
        after.append([])
        for square in range(len(means)):
            ages = tuple(1 if k == square else min(s + 1, s_max) for k, s in enumerate(state))
            if ages not in states:
                states.append(ages)
            after[-1].append(states.index(ages))
    pay, after, n = np.array(pay), np.array(after), len(states)
    best = np.zeros((n + 1, n))
    for rounds in range(n):
        best[rounds + 1] = (pay + best[rounds][after]).max(axis=1)
    gain = ((best[n] - best[:n]) / np.arange(n, 0, -1)[:, None]).min(axis=0).max()
    state, met, paid = 0, {}, []
    while state not in met:
        met[state] = len(paid)
        square = int(np.argmax(pay[state]))
        paid.append(pay[state, square])
        state = after[state, square]
    return gain, np.mean(paid[met[state] :])
