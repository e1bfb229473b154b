"""Timetables in which every arm has a period of its own, and no two arms ever meet.

Periods base, 2 base, 4 base, ... fit into each other: if they ask for no more than one pull a round
in all, the arms can be laid out one after the other, those with the shortest periods first, and
each finds a free place.
"""

from typing import NamedTuple

import numpy as np

from rb_core.engine.compiled import lean_kernel

TINY = 1e-9  # values that differ by less count as equal, and the first of them is taken


class Timetable(NamedTuple):
    """A timetable, and room to find it in."""

    period: np.ndarray  # arm: its period, 0 for none
    slots: np.ndarray  # round: the arm that it belongs to, or -1
    worth: np.ndarray  # rounds: the most that the arms considered so far earn in so many
    chosen: np.ndarray  # arm x rounds: the period with which it takes part in that


def timetable_room(arms: int, s_max: int) -> Timetable:
    """For the longest timetable there can be."""
    return Timetable(np.zeros(arms, np.int64), np.zeros(2 * s_max, np.int64),
                     np.zeros(2 * s_max + 1), np.zeros((arms, 2 * s_max + 1), np.int64))


@lean_kernel
def longest(base: int, s_max: int) -> int:
    """The length of the timetable: the first of the periods that lets an arm recover fully."""
    length = base
    while length < s_max:
        length *= 2
    return length


@lean_kernel
def share_out(room: Timetable, means: np.ndarray, base: int) -> float:
    """Shares the rounds out among the arms as well as can be; what that earns above the least mean.

    Arm by arm: the most that the arms so far can earn in c rounds of the timetable, for every c.
    """
    arms, s_max = means.shape
    length, low = longest(base, s_max), means[0, 0]
    for a in range(arms):
        for s in range(s_max):
            low = min(low, means[a, s])
    for c in range(length + 1):
        room.worth[c] = 0.0
    for a in range(arms):
        for c in range(length, -1, -1):
            best, room.chosen[a, c], d = room.worth[c], 0, base
            while d <= length:
                pulls = length // d
                if pulls <= c:
                    value = room.worth[c - pulls] + pulls * (means[a, min(d, s_max) - 1] - low)
                    if value > best + TINY:
                        best, room.chosen[a, c] = value, d
                d *= 2
            room.worth[c] = best
    return room.worth[length] / length


@lean_kernel
def best_timetable(room: Timetable, means: np.ndarray) -> int:
    """Fills `period` and `slots`, with the base that earns most; the length of the timetable."""
    arms, s_max = means.shape
    best, base = -np.inf, 1
    for odd in range(1, s_max + 1, 2):
        value = share_out(room, means, odd)
        if value > best + TINY:
            best, base = value, odd
    share_out(room, means, base)
    length = longest(base, s_max)
    left = length
    for a in range(arms - 1, -1, -1):
        room.period[a] = room.chosen[a, left]
        if room.period[a] > 0:
            left -= length // room.period[a]
    for i in range(length):
        room.slots[i] = -1
    d = base
    while d <= length:
        for a in range(arms):
            if room.period[a] == d:
                first = 0
                while room.slots[first] >= 0:
                    first += 1
                for i in range(first, length, d):
                    room.slots[i] = a
        d *= 2
    return length


@lean_kernel
def pull_between(room: Timetable, means: np.ndarray, state: np.ndarray) -> int:
    """The arm for a round of nobody's: the best now of those without a period, or else of all."""
    best, chosen = -np.inf, -1
    for everybody in range(2):
        for a in range(len(state)):
            free = room.period[a] == 0 or everybody == 1
            if free and means[a, state[a] - 1] > best + TINY:
                best, chosen = means[a, state[a] - 1], a
        if chosen >= 0:
            break
    return chosen
