"""The problem: arms whose mean reward depends on the rounds since their last pull (chapter
the_mdp)."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rb_core.checks import InputError, choice, number, whole
from rb_core.engine.streams import canonical_text

REWARD_LAWS = ("bernoulli", "normal")


@dataclass(frozen=True, eq=False)
class RecoveringBandit:
    """A recovering bandit: arm `a` in state `s` has the mean reward `means[a, s - 1]`.

    The state of an arm is the number of rounds since it was last pulled, from 1 up to `s_max`,
    where it stays. Every arm starts at `s_max`.

    Parameters
    ----------
    means : array_like, arms x s_max
        Expected rewards; a nested list, a NumPy array or a DataFrame.
    reward : {"bernoulli", "normal"}
        The law of a single reward around its mean.
    variance : float
        Variance of a normal reward; not used for Bernoulli rewards.

    Examples
    --------
    >>> bandit = RecoveringBandit([[0.1, 0.1, 0.3], [0.2, 0.2, 0.2], [0.2, 0.2, 0.2]])
    >>> bandit.arms, bandit.s_max
    (3, 3)
    >>> bandit.next_state([3, 3, 3], 0)
    array([1, 3, 3])
    """

    means: Any  # whatever NumPy makes a table of; once it is made, an array
    reward: str = "bernoulli"
    variance: float = 0.5

    def __post_init__(self) -> None:
        means = _table(self.means)
        choice("reward law", self.reward, REWARD_LAWS)
        variance = number("variance", self.variance, 0)
        if self.reward == "bernoulli" and (means.min() < 0 or means.max() > 1):
            raise InputError(
                f"Means of Bernoulli rewards must lie in [0, 1]; "
                f"these run from {means.min():g} to {means.max():g}."
            )
        means.setflags(write=False)
        object.__setattr__(self, "means", means)
        object.__setattr__(self, "variance", variance)

    @property
    def arms(self) -> int:
        """K, the number of arms."""
        return self.means.shape[0]

    @property
    def s_max(self) -> int:
        """The highest state: that of a fully recovered arm."""
        return self.means.shape[1]

    @property
    def start(self) -> np.ndarray:
        """The joint state in which every run begins: all arms at `s_max`."""
        return np.full(self.arms, self.s_max)

    def next_state(self, state: ArrayLike, arm: int) -> np.ndarray:
        """The joint state after `arm` is pulled in `state`.

        Parameters
        ----------
        state : array_like
            K numbers, from 1 to `s_max`.
        arm : int

        Returns
        -------
        array of K

        Examples
        --------
        >>> RecoveringBandit([[0.1, 0.3], [0.2, 0.2]]).next_state([1, 2], 1)
        array([2, 1])
        """
        after = np.minimum(np.asarray(state) + 1, self.s_max)
        # To NumPy, -1 would be the last arm; others' agents return arrays without axes.
        after[whole("arm", np.asarray(arm)[()], 0, self.arms - 1)] = 1
        return after

    def __reduce__(self) -> tuple:
        # Through the constructor: a table that was merely unpickled could be written to, and
        # compiled code would be compiled once more for such tables.
        return RecoveringBandit, (self.means, self.reward, self.variance)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RecoveringBandit) and canonical_text(self) == canonical_text(other)

    def __hash__(self) -> int:
        return hash(canonical_text(self))

    def __repr__(self) -> str:
        law = self.reward if self.reward == "bernoulli" else f"normal, variance {self.variance:g}"
        return f"<RecoveringBandit: {self.arms} arms, s_max {self.s_max}, {law}>"


def _table(means: Any) -> np.ndarray:
    try:
        if np.iscomplexobj(means):
            raise TypeError  # NumPy would drop the imaginary parts with no more than a warning
        # + 0.0 turns -0.0 into 0.0, so that equal tables have equal bytes.
        table = np.array(means, dtype=float, order="C") + 0.0
    except (TypeError, ValueError, OverflowError):
        raise InputError(
            "means must be a table of numbers with one row per arm, all rows of the same length."
        ) from None
    if table.ndim != 2 or 0 in table.shape:
        raise InputError(
            f"means must be a table of arms x states with at least one of each, "
            f"not an array of shape {table.shape}."
        )
    if not np.isfinite(table).all():
        raise InputError("means must be finite: the table holds NaN or infinity.")
    return table
