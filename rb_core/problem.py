"""What is played and how it is judged: a bandit, a number of rounds, a discount."""

from dataclasses import dataclass

from rb_core.bandit import RecoveringBandit
from rb_core.checks import MOST_ROUNDS, InputError, number, whole


@dataclass(frozen=True)
class Problem:
    """A bandit, the rounds that are played on it, and the discount of the *evaluation*.

    Parameters
    ----------
    bandit : RecoveringBandit
    rounds : int
    gamma : float
        In (0, 1]: the reward of round t has the weight gamma ** (t - 1).

    Examples
    --------
    >>> import rb_core as rb
    >>> rb.Problem(rb.setting("small"), rounds=100).discount
    0.99
    """

    bandit: RecoveringBandit
    rounds: int
    gamma: float = 1.0

    def __post_init__(self) -> None:
        if not isinstance(self.bandit, RecoveringBandit):
            raise InputError(
                f"bandit must be a RecoveringBandit, not {type(self.bandit).__name__}."
            )
        object.__setattr__(self, "rounds", whole("rounds", self.rounds, 1, MOST_ROUNDS))
        object.__setattr__(self, "gamma", number("gamma", self.gamma, 0, 1, open_low=True))

    @property
    def discount(self) -> float:
        """Its own discount, or the paper's for this many rounds if it has none."""
        return self.gamma if self.gamma < 1 else paper_gamma(self.rounds)


def paper_gamma(rounds: int) -> float:
    """The discount of the paper's evaluation, 1 - 1/T (its text has 1 - 10^-T, a misprint).

    Parameters
    ----------
    rounds : int

    Examples
    --------
    >>> paper_gamma(100_000)
    0.99999
    """
    return 1 - 1 / rounds
