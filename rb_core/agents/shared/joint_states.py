"""A hash table of joint states that grows with the states visited, not with s_max ** arms.

Each state met gets the next row number, from 1 on; whatever an agent keeps per state lives in
arrays with one row per state, and row 0 is nobody's. Used by everything that counts or learns over
joint states (chapter tabular).
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from rb_core.engine.compiled import inlined, lean_kernel
from rb_core.reachable import reachable_states


class JointStates(NamedTuple):
    """Row numbers of the joint states met.

    Attributes
    ----------
    weights : array
        The key of a state is the sum over arms of s * weight.
    slots : array
        The row number of the state that belongs there, or 0; a power of two of them.
    keys : array
        By row number: whose row it is.
    rows_used : array
        One element: how many states were met.
    reachable : int
        There can never be more states than this.

    Examples
    --------
    >>> joint_states(arms=6, s_max=3).reachable
    37
    """

    weights: np.ndarray
    slots: np.ndarray
    keys: np.ndarray
    rows_used: np.ndarray
    reachable: int


def joint_states(arms: int, s_max: int) -> JointStates:
    """An empty table for joint states.

    Parameters
    ----------
    arms, s_max : int

    Returns
    -------
    JointStates

    Examples
    --------
    >>> int(joint_states(arms=6, s_max=3).rows_used[0])
    0
    """
    return JointStates(
        weights=_weights(arms, s_max).copy(),
        slots=np.zeros(16, np.uint32),
        keys=np.zeros(1, np.int64),
        rows_used=np.zeros(1, np.int64),
        reachable=_row_limit(arms, s_max),
    )


@lru_cache
def _row_limit(arms: int, s_max: int) -> int:
    return min(reachable_states(arms, s_max), 2**62)


@lru_cache
def _weights(arms: int, s_max: int) -> np.ndarray:
    if s_max**arms < 2**62:
        return s_max ** np.arange(arms)  # mixed radix: every state has a key of its own
    # Too many conceivable states for one integer: random weights. Two of n states met share a key
    # with probability below n^2 * arms * s_max / 2^63, e.g. 1e-5 for a million states of 20 arms.
    largest = 2**62 // (arms * s_max)
    return np.random.default_rng(20).integers(1, largest, size=arms)


@inlined
def _find(table: JointStates, key: int) -> int:
    """The slot that has the row of the state with this key, or the empty one where it belongs."""
    mask = np.uint32(len(table.slots) - 1)  # unsigned: numba need not look for negative slots
    # Multiplicative hashing in 63 bits, so that plain Python integers give the same slots.
    slot = ((((key ^ (key >> 31)) & 0x7FFFFFFF) * 0x9E3779B1) >> 25) & mask
    while table.slots[slot] > 0 and table.keys[table.slots[slot]] != key:
        slot = (slot + 1) & mask
    return slot  # type: ignore[return-value]


@inlined
def row_of(table: JointStates, state: np.ndarray) -> int:
    """The row number of `state`, a new one if it was never met.

    Parameters
    ----------
    table : JointStates
        Must have room; :func:`grown_table` makes it.
    state : array
        The joint state.

    Examples
    --------
    >>> table = grown_table(joint_states(arms=2, s_max=3), 3)
    >>> [int(row_of(table, np.array(state))) for state in ([3, 3], [1, 3], [3, 3])]
    [1, 2, 1]
    """
    key = 0
    for k in range(len(state)):
        key += state[k] * table.weights[k]
    slot = _find(table, key)
    if table.slots[slot] == 0:
        table.rows_used[0] += 1
        table.slots[slot] = table.rows_used[0]
        table.keys[table.slots[slot]] = key
    return table.slots[slot]


def rows_needed(table: JointStates, rounds: int) -> int:
    """How many rows there may be after `rounds` more rounds, each of which meets one new state.

    One more than states: row 0 is nobody's.

    Parameters
    ----------
    table : JointStates
    rounds : int

    Examples
    --------
    >>> rows_needed(joint_states(arms=6, s_max=3), 10), rows_needed(joint_states(6, 3), 1000)
    (12, 38)
    """
    return min(int(table.rows_used[0]) + rounds + 1, table.reachable) + 1


def grown_table(table: JointStates, rows: int) -> JointStates:
    """The same table with room for `rows` rows, its slots at most half full.

    Parameters
    ----------
    table : JointStates
    rows : int

    Returns
    -------
    JointStates

    Examples
    --------
    >>> len(grown_table(joint_states(arms=6, s_max=3), 20).slots)
    64
    """
    table = table._replace(keys=grown_rows(table.keys, rows))
    size = len(table.slots)
    while size < 2 * rows:
        size *= 2
    if size == len(table.slots):
        return table
    larger = table._replace(slots=np.zeros(size, np.uint32))
    _fill_slots(larger)
    return larger


@lean_kernel
def _fill_slots(table: JointStates) -> None:
    for row in range(1, table.rows_used[0] + 1):
        table.slots[_find(table, table.keys[row])] = row


def grown_rows(array: np.ndarray, rows: int) -> np.ndarray:
    """`array`, or one with at least `rows` rows that begins with it and goes on with zeros.

    Parameters
    ----------
    array : array
    rows : int

    Examples
    --------
    >>> grown_rows(np.ones((1, 2)), 3).tolist()
    [[1.0, 1.0], [0.0, 0.0], [0.0, 0.0]]
    """
    if len(array) >= rows:
        return array
    # Twice as many, so that little is copied in all. And a new array: for a large one the system
    # gives large pages, and no page before it is used.
    larger = np.zeros((max(rows, 2 * len(array)), *array.shape[1:]), array.dtype)
    larger[: len(array)] = array
    return larger
