"""Schedules for bandits of any size: a cycle, and a bound that says how far from best it can be."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

import numpy as np

from rb_core.bandit import RecoveringBandit
from rb_core.checks import InputError, number
from rb_core.periods import pull_between, timetable_room
from rb_core.policy_iteration import Known, follow, grouped_graph, improve, most_gain
from rb_core.pricing import advantages, price_of_a_pull
from rb_core.rhythms import nested_cycles
from rb_core.search import anneal, beam_room, best_window, cycle_average, cycle_room, least_loss

MOVES = 50_000_000  # of annealing, at effort 1
CLOSE = 1e-6  # how far a bound may be from the best price's, as a share
GROUPED = 60_000  # joint states that a group of the bound may have
EXACT = 200_000  # joint states over which a few arms are planned exactly
TINY = 1e-9  # differences below this are not worth another step of policy iteration
WIDTH, TRIED, DEPTH = 64, 16, 8  # of the beam; its depth in s_max rounds
NESTED = 100  # nested cycles that are looked at
BEGINNINGS = 12  # cycles at which annealing begins
PASSES = 100  # recoveries that others' cycles are long, where they do not come back by themselves
SHARES = 240  # of the moves: every one begins anew
# Annealing begins in turn at these temperatures, in spreads of the means, and ends at a fiftieth.
HOT = (0.03, 0.1, 0.05, 0.3, 0.02)


@dataclass(frozen=True)
class Schedule:
    """A cycle of pulls for a bandit, what it earns, and what no policy can exceed.

    Attributes
    ----------
    cycle : list of (arm, state)
        Arms count from 0, states from 1; to be repeated for ever.
    average : float
        What it earns a round in the long run.
    bound : float
        No policy earns more a round in the long run.

    Examples
    --------
    >>> import rb_core as rb
    >>> found = rb.schedule(rb.setting("small"), effort=0.01)
    >>> round(found.average, 4), round(found.gap, 4)
    (0.2333, 0.0)
    """

    cycle: list[tuple[int, int]]
    average: float
    bound: float

    @property
    def gap(self) -> float:
        """The share of the bound that the cycle lacks: it is at most this far from the best."""
        return (self.bound - self.average) / abs(self.bound) if self.bound else 0.0


def upper_bound(bandit: RecoveringBandit) -> float:
    """A number that no policy's long-run average exceeds, for any number of arms.

    Every arm may be pulled or rested as it likes, for a price a pull that is paid back: what all
    of them earn alone is a bound, and the best price gives the least. It becomes less still where
    the arms that are in each other's way are taken together, a few at a time, each group with at
    most one pull a round.

    Parameters
    ----------
    bandit : RecoveringBandit

    Examples
    --------
    >>> import rb_core as rb
    >>> round(rb.upper_bound(rb.setting("10-homo", "peaked")), 4)
    0.6
    """
    _check(bandit)
    return bound_by_groups(bandit.means, most_together(bandit.arms, bandit.s_max, GROUPED))


def bound_by_groups(means: np.ndarray, most: int) -> float:
    """The bound with groups of up to `most` arms."""
    price, alone = price_of_a_pull(means)
    together = [_least(_Grouped(means, price, size), price, 12)
                for size in (most, most - 1) if size > 1]
    # Of a sum of K + 1 numbers, each with a subtraction and a division, or the biases of a group.
    arms, s_max = means.shape
    slack = (arms + 4) * (s_max + 4) * np.finfo(float).eps * np.abs(means).max()
    return float(min([alone, *together]) + slack)


def order_of_use(means: np.ndarray, price: float) -> np.ndarray:
    """The arms, those first that earn most alone at this price."""
    return np.argsort(-((means - price) / np.arange(1, means.shape[1] + 1)).max(axis=1),
                      kind="stable")


def most_together(arms: int, s_max: int, states: int) -> int:
    """How many arms have at most that many joint states."""
    return min(arms, int(math.log(states) / math.log(s_max) + 1e-9)) if s_max > 1 else arms


class _Grouped:
    """The bound at a price if arms of use are taken together, and its slope."""

    def __init__(self, means: np.ndarray, price: float, size: int):
        arms, s_max = means.shape
        order = order_of_use(means, price)
        # Arms of no use stay alone, unless they fill up a group.
        useful = int(((means[order] - price).max(axis=1) > 0).sum())
        ends = range(0, min(-(-useful // size) * size, arms), size)
        self.groups = [order[first : first + size] for first in ends]
        self.alone = means[order[len(self.groups) * size :]]
        self.means = means
        self.graphs = [grouped_graph(len(group), s_max, rest=True) for group in self.groups]

    def __call__(self, price: float) -> tuple[float, float]:
        bound, slope = price, 1.0
        for group, known in zip(self.groups, self.graphs, strict=True):
            cells = np.append((self.means[group] - price).ravel(), 0.0)
            improve(known, cells, TINY)
            bound += most_gain(known, cells)
            slope -= _pulls(known, len(group))
        if len(self.alone):
            gains = (self.alone - price) / np.arange(1, self.alone.shape[1] + 1)
            best = np.maximum(gains.max(axis=1), 0.0)
            bound += math.fsum(best)
            slope -= math.fsum(1.0 / (gains.argmax(axis=1)[best > 0] + 1))
        return bound, slope


def _pulls(known: Known, rest: int) -> float:
    """How often a round the policy of a group pulls one of its arms."""
    arms = np.empty(len(known.policy), np.int32)
    start, end = follow(known, len(arms) - 1, arms)
    return float(np.mean(arms[start:end] != rest))


def _least(bound_at: Callable[[float], tuple[float, float]], price: float, steps: int) -> float:
    """The least bound that a few steps from `price` find: any price gives a valid one."""
    bound, slope = bound_at(price)
    least, low, high = bound, None, None
    reach = 0.1 * max(abs(bound - price), 1e-3)
    for _ in range(steps):
        if slope == 0:
            break
        here = (price, bound, slope)
        low, high = (here, high) if slope < 0 else (low, here)
        if low is None or high is None:  # not yet between two prices: further and further
            price, reach = price - reach if low is None else price + reach, 4 * reach
        else:
            meet = (low[1] - low[2] * low[0] - high[1] + high[2] * high[0]) / (high[2] - low[2])
            possible = low[1] + low[2] * (meet - low[0])  # where both lines meet, no bound is less
            if not low[0] < meet < high[0] or least - possible < CLOSE * abs(least):
                break
            price = meet
        bound, slope = bound_at(price)
        least = min(least, bound)
    return least


def schedule(bandit: RecoveringBandit, effort: float = 1.0) -> Schedule:
    """A good cycle for a bandit of any size, and how far from the best it can be.

    Parameters
    ----------
    bandit : RecoveringBandit
    effort : float
        Scales how many cycles are tried; at 1 it takes about five seconds. The same effort always
        gives the same cycle.

    Returns
    -------
    Schedule

    Examples
    --------
    >>> import rb_core as rb
    >>> found = rb.schedule(rb.setting("10-hetero", "peaked"), effort=0.01)
    >>> len(found.cycle), round(found.average, 4), round(found.bound, 4)
    (4, 0.6, 0.6)
    """
    _check(bandit)
    effort = number("effort", effort, 0, 1000, open_low=True)
    bound = upper_bound(bandit)
    arms = _shortest(search_cycle(bandit.means, bound, round(MOVES * effort)))
    pulls = list(zip(arms.tolist(), states_of(arms, bandit.s_max), strict=True))
    average = math.fsum(bandit.means[arm, state - 1] for arm, state in pulls) / len(pulls)
    return Schedule(pulls, average, bound)


def _shortest(arms: np.ndarray) -> np.ndarray:
    """The same cycle without repetition."""
    for length in range(1, len(arms)):
        if len(arms) % length == 0 and (arms == np.tile(arms[:length], len(arms) // length)).all():
            return arms[:length]
    return arms


def states_of(arms: np.ndarray, s_max: int) -> list[int]:
    """The states in which the arms of a cycle are pulled when it is repeated."""
    last = {arm: i - len(arms) for i, arm in enumerate(arms.tolist())}
    states = []
    for i, arm in enumerate(arms.tolist()):
        states.append(min(i - last[arm], s_max))
        last[arm] = i
    return states


class Found(NamedTuple):
    average: float
    arms: np.ndarray


def search_cycle(
    means: np.ndarray, bound: float, moves: int, exact: int = EXACT
) -> np.ndarray:
    """The arms of the best cycle that nesting, exact plans of a few arms, beams and annealing find.

    Annealing begins in turn at the best cycle so far and at one that was there before it, made
    longer by repetition, and shares its moves out over many such beginnings. A few arms are
    planned exactly, over at most `exact` joint states.
    """
    arms, s_max = means.shape
    begun = sorted(_beginnings(means, exact), key=lambda found: -found.average)[:BEGINNINGS]
    best, spread, close = begun[0], means.max() - means.min(), TINY * np.abs(means).max()
    cycle = cycle_room(arms, 4 * DEPTH * s_max, 0)
    for share in range(SHARES):
        if spread == 0 or best.average >= bound - close:
            break
        begin = (best if share % 2 else begun[share // 2 % len(begun)]).arms
        wanted = s_max * (1 + share // len(HOT) % 4)
        longer = np.tile(begin, max(wanted // len(begin), 1))[: len(cycle.arms)]
        cycle.arms[: len(longer)], cycle.length[0] = longer, len(longer)
        hot = HOT[share % len(HOT)] * spread
        average = anneal(cycle, means, moves // SHARES, hot, hot / 50)
        if average > best.average + 1e-12:
            best = Found(average, cycle.best[: cycle.length[1]].copy())
    return best.arms


def _beginnings(means: np.ndarray, exact: int) -> Iterator[Found]:
    """Nested cycles, one of the few best arms, planned exactly, and windows of a beam search."""
    arms, s_max = means.shape
    for cycle in islice(nested_cycles(means, 4 * DEPTH * s_max), NESTED):
        yield Found(cycle_average(means, cycle, 0, len(cycle), np.zeros(arms, np.int32)), cycle)

    price, _ = price_of_a_pull(means)
    few = order_of_use(means, price)[: most_together(arms, s_max, exact)]
    known = grouped_graph(len(few), s_max, rest=False)
    average = improve(known, means[few].ravel(), TINY)
    path = np.zeros(len(known.policy), np.int32)
    start, end = follow(known, len(path) - 1, path)
    yield Found(average, few[path[start:end]].astype(np.int32))

    advantage = np.empty_like(means)
    advantages(means, price, advantage)
    beam = beam_room(arms, s_max, WIDTH, TRIED, DEPTH * s_max)
    path = np.zeros(DEPTH * s_max, np.int32)
    least_loss(beam, advantage, np.full(arms, s_max), path)
    for most in (s_max, 2 * s_max, len(path)):
        average, start, end = best_window(beam, means, path, most)
        yield Found(average, path[start:end].copy())


def followed(
    bandit: RecoveringBandit, period: np.ndarray, slots: np.ndarray, bound: float
) -> Schedule:
    """What a timetable of others' planners does, its free rounds filled."""
    room = timetable_room(bandit.arms, bandit.s_max)._replace(period=period)
    state, arms = np.full(bandit.arms, bandit.s_max), slots.copy()
    for t, arm in enumerate(slots):
        arms[t] = arm if arm >= 0 else pull_between(room, bandit.means, state)
        state = np.minimum(state + 1, bandit.s_max)
        state[arms[t]] = 1
    pulls = list(zip(arms.tolist(), states_of(arms, bandit.s_max), strict=True))
    average = math.fsum(bandit.means[arm, state - 1] for arm, state in pulls) / len(pulls)
    return Schedule(pulls, average, bound)


def _check(bandit: RecoveringBandit) -> None:
    if not isinstance(bandit, RecoveringBandit):
        raise InputError(f"bandit must be a RecoveringBandit, not {type(bandit).__name__}.")
