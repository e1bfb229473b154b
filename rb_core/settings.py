"""The paper's bandits as data: a small one, and four sizes in two shapes."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from rb_core.bandit import REWARD_LAWS, RecoveringBandit
from rb_core.checks import choice

SHAPES = ("increasing", "peaked")


@dataclass(frozen=True)
class Row:
    """A row of the paper's table: expected rewards start at 1/10 and peak at 6/10, or at 5/10
    for the arms that are not best, in state s_max or, if peaked, one state earlier."""

    arms: int
    s_max: int
    rounds: int
    best_arms: int

    shapes = SHAPES

    def means(self, shape: str) -> Sequence[Sequence[float]]:
        """Expected rewards, arm by arm."""
        return means_like(self.arms, self.s_max, self.best_arms, shape)


@dataclass(frozen=True)
class Given:
    """A bandit whose expected rewards are typed, not computed: it has one shape."""

    table: tuple[tuple[float, ...], ...]
    rounds: int

    shapes = SHAPES[:1]

    def means(self, shape: str) -> Sequence[Sequence[float]]:
        """Expected rewards, arm by arm."""
        return self.table


SETTINGS: dict[str, Row | Given] = {
    "small": Given(((0.1, 0.1, 0.3), (0.2, 0.2, 0.2), (0.2, 0.2, 0.2)), rounds=100_000),
    "6-hetero": Row(arms=6, s_max=3, rounds=100_000, best_arms=3),
    "6-homo": Row(arms=6, s_max=6, rounds=100_000, best_arms=6),
    "10-hetero": Row(arms=10, s_max=5, rounds=1_000_000, best_arms=5),
    "10-homo": Row(arms=10, s_max=10, rounds=1_000_000, best_arms=10),
}


def setting(
    name: str, shape: str = "increasing", reward: str = "bernoulli"
) -> RecoveringBandit:
    """One of the paper's bandits.

    Parameters
    ----------
    name : {"small", "6-hetero", "6-homo", "10-hetero", "10-homo"}
    shape : {"increasing", "peaked"}
        Expected rewards increase up to s_max, or up to s_max - 1 and then decrease. The small
        setting has one shape only.
    reward : {"bernoulli", "normal"}

    Examples
    --------
    >>> setting("6-hetero").means[[0, 5]]
    array([[0.1 , 0.35, 0.6 ],
           [0.1 , 0.3 , 0.5 ]])
    >>> setting("6-hetero", shape="peaked").means[0]
    array([0.1, 0.6, 0.1])
    """
    chosen = SETTINGS[choice("setting", name, SETTINGS)]
    choice("shape", shape, chosen.shapes)
    choice("reward law", reward, REWARD_LAWS)
    return RecoveringBandit(chosen.means(shape), reward)


def means_like(arms: int, s_max: int, best_arms: int, shape: str) -> list[list[float]]:
    """Expected rewards as in the paper's table, for any size; peaked ones need three states."""
    peaks = [Fraction(6, 10)] * best_arms + [Fraction(5, 10)] * (arms - best_arms)
    return [_means(s_max, shape, peak) for peak in peaks]


def _means(s_max: int, shape: str, peak: Fraction) -> list[float]:
    low = Fraction(1, 10)
    rises = s_max - 1 if shape == "increasing" else s_max - 2
    step = (peak - low) / rises
    means = [low + step * i for i in range(rises + 1)]
    if shape == "peaked":
        means.append(peak - step)
    return [float(mean) for mean in means]
