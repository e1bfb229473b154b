"""Cycles in which every arm keeps its own period, made by splitting periods into longer ones.

One arm in every round is a cycle. Where an arm is due every p rounds, q arms can take its turns
instead, each every p q rounds. Whatever comes of such splits, no two arms are ever due at once.
Which arm gets which period is then an assignment, and that is solved exactly.
"""

import math
from collections.abc import Iterator

import numpy as np

MOST_TURNS = 12  # arms in a cycle


Periods = tuple[int, ...]  # in order
Turns = list[tuple[int, int]]  # the same, each with the round in which it begins


def nested_periods(turns: int, longest: int) -> dict[Periods, Turns]:
    """All that splits lead to: at most so many turns, and no period longer than that."""
    found: dict[Periods, Turns] = {(1,): [(1, 0)]}
    todo: list[Periods] = [(1,)]
    while todo:
        split = found[todo.pop()]
        for period, first in dict(split).items():  # of equal periods, one is enough
            others = [turn for turn in split if turn != (period, first)]
            for parts in range(2, min(turns - len(others), longest // period) + 1):
                turn = [(period * parts, first + period * i) for i in range(parts)]
                every = sorted(others + turn)
                periods = tuple(each for each, _ in every)
                if periods not in found:
                    found[periods] = every
                    todo.append(periods)
    return found


def nested_cycles(means: np.ndarray, most: int) -> Iterator[np.ndarray]:
    """The arms of nested cycles of at most `most` rounds, those first that may be the best.

    In that order no cycle earns more than its periods would with the best arms for each of them,
    one arm twice included.
    """
    arms, s_max = means.shape
    best = np.sort(means, axis=0)[::-1].cumsum(axis=0)
    hopes = []
    for periods, turns in nested_periods(min(arms, MOST_TURNS), s_max).items():
        if math.lcm(*periods) <= most:
            hope = sum(best[periods.count(p) - 1, p - 1] / p for p in set(periods))
            hopes.append((hope, turns))
    for _, turns in sorted(hopes, reverse=True):
        every = np.array([period for period, _ in turns])
        cycle = np.zeros(np.lcm.reduce(every), np.int32)
        chosen = assign((means[:, every - 1] / every).T)
        for (period, first), arm in zip(turns, chosen, strict=True):
            cycle[first::period] = arm
        yield cycle


def assign(worth: np.ndarray) -> np.ndarray:
    """A column of its own for every row, so that what they are worth together is most.

    Row after row, by the shortest way of handing on columns that others have (the Hungarian
    method); there are at least as many columns as rows.
    """
    rows, columns = worth.shape
    cost = worth.max() - worth
    discount = np.zeros(columns)
    owner, column = np.full(columns, -1), np.full(rows, -1)
    for row in range(rows):
        way, before = cost[row] - discount, np.full(columns, row)
        done = np.zeros(columns, bool)
        while True:
            j = int(np.where(done, np.inf, way).argmin())
            done[j] = True
            if owner[j] < 0:
                break
            i = owner[j]
            through = way[j] + (cost[i] - discount) - (cost[i, j] - discount[j])
            nearer = ~done & (through < way)
            way[nearer], before[nearer] = through[nearer], i
        discount[done] += way[done] - way[j]
        while j >= 0:  # hand on columns along the way; the new row had none before
            owner[j] = before[j]
            column[owner[j]], j = j, int(column[owner[j]])
    return column
