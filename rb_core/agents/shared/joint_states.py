"""A hash table of joint states that grows with the states visited, not with s_max ** arms.

Each state met gets the next free row number; whatever an agent keeps per state lives in arrays
with one row per state. Used by everything that counts or learns over joint states (chapter 6).
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from rb_core.engine.compiled import inlined, lean_kernel
from rb_core.reachable import reachable_states

_EMPTY = -1


class JointStates(NamedTuple):
    """Row numbers of the joint states met.

    Attributes
    ----------
    weights : array
        The key of a state is the sum over arms of (s - 1) * weight.
    keys : array
        One per slot, a power of two of them.
    rows : array
        The row number of the state with that key.
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
    keys: np.ndarray
    rows: np.ndarray
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
        keys=np.full(16, _EMPTY),
        rows=np.zeros(16, np.int32),
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
def _find(keys: np.ndarray, key: int) -> int:
    """The slot that holds `key`, or the empty one where it belongs."""
    mask = len(keys) - 1
    # Multiplicative hashing in 63 bits, so that plain Python integers give the same slots.
    slot = ((((key ^ (key >> 31)) & 0x7FFFFFFF) * 0x9E3779B1) >> 25) & mask
    while keys[slot] != key and keys[slot] != _EMPTY:
        slot = (slot + 1) & mask
    return slot


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
    >>> table = joint_states(arms=2, s_max=3)
    >>> [int(row_of(table, np.array(state))) for state in ([3, 3], [1, 3], [3, 3])]
    [0, 1, 0]
    """
    key = 0
    for k in range(len(state)):
        key += (state[k] - 1) * table.weights[k]
    slot = _find(table.keys, key)
    if table.keys[slot] == _EMPTY:
        table.keys[slot] = key
        table.rows[slot] = table.rows_used[0]
        table.rows_used[0] += 1
    return table.rows[slot]


def rows_needed(table: JointStates, rounds: int) -> int:
    """How many rows there may be after `rounds` more rounds, each of which meets one new state.

    Parameters
    ----------
    table : JointStates
    rounds : int

    Examples
    --------
    >>> rows_needed(joint_states(arms=6, s_max=3), 10), rows_needed(joint_states(6, 3), 1000)
    (11, 37)
    """
    return min(int(table.rows_used[0]) + rounds + 1, table.reachable)


def grown_table(table: JointStates, rows: int) -> JointStates:
    """The same table with room for `rows` states at a load of at most one half.

    Parameters
    ----------
    table : JointStates
    rows : int

    Returns
    -------
    JointStates

    Examples
    --------
    >>> len(grown_table(joint_states(arms=6, s_max=3), 20).keys)
    64
    """
    size = len(table.keys)
    while size < 2 * rows:
        size *= 2
    if size == len(table.keys):
        return table
    larger = table._replace(keys=np.full(size, _EMPTY), rows=np.zeros(size, np.int32))
    _move(table.keys, table.rows, larger.keys, larger.rows)
    return larger


@lean_kernel
def _move(
    keys: np.ndarray, rows: np.ndarray, larger_keys: np.ndarray, larger_rows: np.ndarray
) -> None:
    for i in range(len(keys)):
        if keys[i] != _EMPTY:
            slot = _find(larger_keys, keys[i])
            larger_keys[slot] = keys[i]
            larger_rows[slot] = rows[i]


def grown_rows(array: np.ndarray, rows: int) -> np.ndarray:
    """`array` with at least `rows` rows, the new ones zero.

    Parameters
    ----------
    array : array
        Is changed in place: nothing else may hold it.
    rows : int

    Examples
    --------
    >>> grown_rows(np.ones((1, 2)), 3).tolist()
    [[1.0, 1.0], [0.0, 0.0], [0.0, 0.0]]
    """
    if len(array) < rows:
        # In place: large arrays are remapped, not copied, and there is never a second one.
        array.resize((rows, array.shape[1]), refcheck=False)
    return array
