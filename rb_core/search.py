"""Search for good cycles where there are too many joint states for exact planning.

Beam search follows the sequences of arms that lose least against the bound of `pricing`, round by
round; annealing changes a cycle here and there and keeps what is better. Nothing here looks at a
clock or draws from a generator of its caller's: the same call finds the same cycle.
"""

from typing import NamedTuple

import numpy as np

from rb_core.engine.compiled import inlined, lean_kernel


class Beam(NamedTuple):
    """Room for a beam search: `width` nodes a round, of which each tries its `tried` best arms."""

    states: np.ndarray  # (now, next) x node x arm
    cost: np.ndarray  # (now, next) x node: what was lost on the way there
    key: np.ndarray  # (now, next) x node: a number that stands for its joint state
    parent: np.ndarray  # round x node
    arm: np.ndarray  # round x node: the arm that led there
    best: np.ndarray  # the best arms of a node, and room for one more
    mark: np.ndarray  # arm x state: the numbers that add up to keys
    met: np.ndarray  # the arms of a window, in the order in which it meets them
    first: np.ndarray  # arm: its first round in a window
    last: np.ndarray  # arm: its last one


def beam_room(arms: int, s_max: int, width: int, tried: int, depth: int) -> Beam:
    """Room for `depth` rounds."""
    tried = min(tried, arms)
    # Two joint states share a key with probability 2^-62: 63 bits, drawn once for all.
    mark = np.random.default_rng(20).integers(0, 2**62 // max(arms, 1), size=(arms, s_max))
    return Beam(
        states=np.zeros((2, width, arms), np.int32),
        cost=np.zeros((2, width)),
        key=np.zeros((2, width), np.int64),
        parent=np.zeros((depth, width), np.int32),
        arm=np.zeros((depth, width), np.int32),
        best=np.zeros(tried + 1, np.int32),
        mark=mark,
        met=np.zeros(arms, np.int32),
        first=np.zeros(arms, np.int32),
        last=np.zeros(arms, np.int32),
    )


@lean_kernel
def least_loss(beam: Beam, advantage: np.ndarray, state: np.ndarray, path: np.ndarray) -> float:
    """Fills `path` with the arms that lose least from `state` on; returns their loss.

    A round loses the sum of all positive advantages less that of the arm pulled. Nodes of the same
    joint state are one: the cheaper stays.
    """
    depth, width = beam.parent.shape
    arms, s_max = advantage.shape
    for k in range(arms):
        beam.states[0, 0, k] = state[k]
    beam.cost[0, 0] = 0.0
    nodes = 1
    for step in range(depth):
        now, new = step % 2, (step + 1) % 2
        kept = 0
        for i in range(nodes):
            wanted, key, tried = 0.0, 0, 0
            for k in range(arms):
                s = beam.states[now, i, k]
                a = advantage[k, s - 1]
                if a > 0.0:
                    wanted += a
                key += beam.mark[k, min(s, s_max - 1)]
                # The best arms in order, by insertion; what falls off the end is forgotten.
                at = tried
                while at > 0:
                    other = beam.best[at - 1]
                    if advantage[other, beam.states[now, i, other] - 1] >= a:
                        break
                    beam.best[at] = other
                    at -= 1
                beam.best[at] = k
                tried = min(tried + 1, len(beam.best) - 1)
            for rank in range(tried):
                k = beam.best[rank]
                s = beam.states[now, i, k]
                cost = beam.cost[now, i] + (wanted - advantage[k, s - 1])
                if kept == width and cost >= beam.cost[new, width - 1]:
                    break  # the node's other arms cost more
                kept = _insert(beam, step, new, kept, cost,
                               key - beam.mark[k, min(s, s_max - 1)] + beam.mark[k, 0], i, k)
        for j in range(kept):
            i, k = beam.parent[step, j], beam.arm[step, j]
            for b in range(arms):
                beam.states[new, j, b] = min(beam.states[now, i, b] + 1, s_max)
            beam.states[new, j, k] = 1
        nodes = kept
    j = 0
    for step in range(depth - 1, -1, -1):
        path[step] = beam.arm[step, j]
        j = beam.parent[step, j]
    return beam.cost[depth % 2, 0]


@inlined
def _insert(
    beam: Beam, step: int, new: int, kept: int, cost: float, key: int, parent: int, arm: int
) -> int:
    """Puts a node among the `kept` cheapest of the next round, in order; returns how many."""
    width = beam.cost.shape[1]
    at = kept
    for j in range(kept):
        if beam.key[new, j] == key:
            if beam.cost[new, j] <= cost:
                return kept
            at = j  # the dearer one of the same joint state gives up its place
            kept -= 1
            break
    else:
        if kept == width:
            at = width - 1
            kept -= 1
    while at > 0 and beam.cost[new, at - 1] > cost:
        beam.cost[new, at] = beam.cost[new, at - 1]
        beam.key[new, at] = beam.key[new, at - 1]
        beam.parent[step, at] = beam.parent[step, at - 1]
        beam.arm[step, at] = beam.arm[step, at - 1]
        at -= 1
    beam.cost[new, at], beam.key[new, at] = cost, key
    beam.parent[step, at], beam.arm[step, at] = parent, arm
    return kept + 1


@lean_kernel
def best_window(
    beam: Beam, means: np.ndarray, path: np.ndarray, most: int
) -> tuple[float, int, int]:
    """The part of `path`, at most `most` rounds, that earns most a round if it is repeated.

    Returns its average, where it begins, and where it ends (the round after its last).
    """
    arms, s_max = means.shape
    best, best_from, best_to = -np.inf, 0, len(path)
    for start in range(len(path)):
        for k in range(arms):
            beam.first[k] = -1
        inside, distinct = 0.0, 0  # rewards of arms that the window has pulled before
        for end in range(start + 1, min(start + most, len(path)) + 1):
            k = path[end - 1]
            if beam.first[k] < 0:
                beam.first[k] = end - 1
                beam.met[distinct] = k
                distinct += 1
            else:
                inside += means[k, min(end - 1 - beam.last[k], s_max) - 1]
            beam.last[k] = end - 1
            total = inside
            for j in range(distinct):
                k = beam.met[j]
                total += means[k, min(end - start + beam.first[k] - beam.last[k], s_max) - 1]
            average = total / (end - start)
            if average > best:
                best, best_from, best_to = average, start, end
    return best, best_from, best_to


@lean_kernel
def cycle_average(
    means: np.ndarray, path: np.ndarray, start: int, end: int, last: np.ndarray
) -> float:
    """What the arms of `path` from `start` up to `end`, repeated for ever, earn a round."""
    s_max, length = means.shape[1], end - start
    for i in range(start, end):
        last[path[i]] = i - length
    total = 0.0
    for i in range(start, end):
        total += means[path[i], min(i - last[path[i]], s_max) - 1]
        last[path[i]] = i
    return total / length


class Cycle(NamedTuple):
    """A cycle that annealing works on, and the best that it has met."""

    arms: np.ndarray
    gaps: np.ndarray  # round: the state in which its arm is pulled
    best: np.ndarray
    last: np.ndarray  # arm: room
    length: np.ndarray  # two elements: of the cycle, and of the best one
    random: np.ndarray  # one element: the state of the generator


def cycle_room(arms: int, most: int, seed: int) -> Cycle:
    """Room for cycles of at most `most` rounds."""
    return Cycle(
        np.zeros(most, np.int32), np.zeros(most, np.int32), np.zeros(most, np.int32),
        np.zeros(arms, np.int32), np.zeros(2, np.int32), np.full(1, 2463534242 ^ seed),
    )


@inlined
def _draw(cycle: Cycle, count: int) -> int:
    """A whole number from 0 to `count` - 1, by 32 bits of xorshift."""
    x = cycle.random[0]
    x ^= (x << 13) & 0xFFFFFFFF
    x ^= x >> 17
    x ^= (x << 5) & 0xFFFFFFFF
    cycle.random[0] = x
    return (x * count) >> 32


@lean_kernel
def _retrace(cycle: Cycle, means: np.ndarray) -> float:
    """All gaps anew; returns the sum of the rewards of a cycle."""
    s_max, length = means.shape[1], cycle.length[0]
    for i in range(length):
        cycle.last[cycle.arms[i]] = i - length
    total = 0.0
    for i in range(length):
        k = cycle.arms[i]
        cycle.gaps[i] = min(i - cycle.last[k], s_max)
        cycle.last[k] = i
        total += means[k, cycle.gaps[i] - 1]
    return total


@lean_kernel
def _place(cycle: Cycle, means: np.ndarray, at: int, arm: int) -> float:
    """Pull `arm` in round `at` of the cycle instead; returns what that adds to the rewards.

    Only the gaps of the round, and of the next pulls of the old and the new arm, change.
    """
    s_max, length, old = means.shape[1], cycle.length[0], cycle.arms[at]
    if old == arm:
        return 0.0
    added = -means[old, cycle.gaps[at] - 1]
    i = at
    for _ in range(min(s_max, length) - 1):  # the next pull of the old arm now waits longer
        i = i + 1 if i + 1 < length else 0
        if cycle.arms[i] == old:
            gap = min(cycle.gaps[i] + cycle.gaps[at], s_max)
            added += means[old, gap - 1] - means[old, cycle.gaps[i] - 1]
            cycle.gaps[i] = gap
            break
    i = at
    for gap in range(1, min(s_max, length)):  # that of the new arm waits less
        i = i + 1 if i + 1 < length else 0
        if cycle.arms[i] == arm:
            added += means[arm, gap - 1] - means[arm, cycle.gaps[i] - 1]
            cycle.gaps[i] = gap
            break
    cycle.arms[at] = arm
    i, own = at, min(s_max, length)
    for gap in range(1, own):
        i = i - 1 if i > 0 else length - 1
        if cycle.arms[i] == arm:
            own = gap
            break
    cycle.gaps[at] = own
    return added + means[arm, own - 1]


@inlined
def _insert_round(cycle: Cycle, at: int, arm: int) -> None:
    """One round more, in which `arm` is pulled."""
    for i in range(cycle.length[0], at, -1):
        cycle.arms[i] = cycle.arms[i - 1]
    cycle.arms[at] = arm
    cycle.length[0] += 1


@inlined
def _delete_round(cycle: Cycle, at: int) -> None:
    """One round less."""
    cycle.length[0] -= 1
    for i in range(at, cycle.length[0]):
        cycle.arms[i] = cycle.arms[i + 1]


@lean_kernel
def anneal(cycle: Cycle, means: np.ndarray, moves: int, hot: float, cold: float) -> float:
    """Changes the cycle `moves` times at random; returns the average of the best one met.

    A change for the worse by d is kept with probability exp(-d / temperature), and the temperature
    falls from `hot` to `cold`. Half of the arms tried come from the cycle itself.
    """
    arms, s_max = means.shape
    total = _retrace(cycle, means)
    best = -np.inf
    cooling = (cold / hot) ** (1.0 / max(moves, 1))
    temperature = hot
    for move in range(moves):
        length = cycle.length[0]
        at, kind = _draw(cycle, length), _draw(cycle, 16)
        other = _draw(cycle, length)
        arm = cycle.arms[other] if _draw(cycle, 2) == 0 else _draw(cycle, arms)
        old, fresh = cycle.arms[at], total
        if kind == 0 and length < len(cycle.arms):
            _insert_round(cycle, at, arm)
            fresh = _retrace(cycle, means)
            better = fresh - total - total / length
        elif kind == 1 and length > 1:
            _delete_round(cycle, at)
            fresh = _retrace(cycle, means)
            better = fresh - total + total / length
        elif kind < 9:
            fresh += _place(cycle, means, at, arm)
            better = fresh - total
        else:  # two rounds not far apart change places
            other = (at + 1 + _draw(cycle, s_max)) % length
            arm = cycle.arms[other]
            fresh += _place(cycle, means, at, arm)
            fresh += _place(cycle, means, other, old)
            better = fresh - total
        threshold = np.log((_draw(cycle, 1 << 30) + 1.0) / (1 << 30)) * temperature
        if better >= threshold:
            total = fresh
            if total > (best + 1e-12) * cycle.length[0]:
                best = total / cycle.length[0]
                cycle.length[1] = cycle.length[0]
                for i in range(cycle.length[0]):
                    cycle.best[i] = cycle.arms[i]
        elif kind == 0 and length < len(cycle.arms):
            _delete_round(cycle, at)
            total = _retrace(cycle, means)
        elif kind == 1 and length > 1:
            _insert_round(cycle, at, old)
            total = _retrace(cycle, means)
        elif kind < 9:
            _place(cycle, means, at, old)
        else:
            _place(cycle, means, other, arm)
            _place(cycle, means, at, old)
        if move % 1024 == 0:
            total = _retrace(cycle, means)  # which forgets what rounding has added up
        temperature *= cooling
    return best
