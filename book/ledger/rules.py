"""What words of the paper are taken to mean: one set of numbers for all claims, stated once.

A view puts other numbers, measures or cases in their place, to see which verdicts depend on them.
"""

from math import inf
from typing import NamedTuple

MOST = 0.5
COMPETITIVE = 5.0  # percentage points
NO_LOWER = (-COMPETITIVE, inf)
NOT_APART = (-COMPETITIVE, COMPETITIVE)
COMPETITIVE_REWARD = 0.01
LOW = 0.1
SLIGHTLY = 2.0
FLAT = 0.05
DIFFERENT = 0.01
LARGE = 16  # GB
ROOM = 0.99
EVEN = 0.5
CLOSE = 0.1
SPARE = 1.25

WORDS = {
    '"in most trials", "generally achieves", "performs well" (of a rate)':
        f"the 95% interval of the rate lies at or above {MOST:.0%}",
    '"does not achieve", "tends to fail"':
        f"the 95% interval of the rate lies below {MOST:.0%}",
    '"higher", "lower", "better", "larger", "more stable with a large t0", "significantly"':
        "the 95% interval of the difference (of rates, means or standard deviations) excludes zero",
    '"superior", "highest", "not higher", "the only one that comes close"':
        "not beaten: nothing that it is held against is better, in the sense of the line before",
    '"does not perform well"':
        "of all agents the lowest rate, in the sense of the first line on differences",
    '"better than" (another way to explore, or to look ahead)':
        f"higher, where that other way leaves room: the 95% interval of its rate lies below "
        f"{ROOM:.0%}",
    '"competitive", "similar", "arbitrary" (of a rate)':
        f"not lower, or not apart, by more than {COMPETITIVE:.0f} percentage points: the 95% "
        f"interval of the difference excludes more. If it says neither, the case is undecided",
    '"competitive" (of a reward)':
        f"not lower than the best other agent's mean by more than {COMPETITIVE_REWARD:.0%}",
    '"low regret", "performs well" (of a reward)':
        f"the mean regret is at most {LOW:.0%} of the optimal value",
    '"slightly better"':
        f"better, and the other's mean regret is at most {SLIGHTLY:.0f} times as large",
    '"stable", "most stable"':
        "by the width of the 5-95% band of the regret at the end, which the paper's box plots "
        "show; the narrowest",
    '"no increase after exploration"':
        f"less than {FLAT:.0%} of the median regret comes after round 0.1 T",
    '"differ" (of regrets)':
        f"by more than {DIFFERENT:.0%}",
    '"large" (of a memory)':
        f"more than {LARGE} GB",
    '"evenly", "uniformly" (of pulls over states)':
        f"by how much the most pulled state exceeds the least pulled one, as a share of the "
        f"latter, is less than {EVEN:.0%} of the same under random pulling",
    '"approach", "converge" (of an estimate, in so many rounds), ">" (of a printed bound)':
        f"within {CLOSE:.0%}",
    '"linear" (of a measured time)':
        f"it grows as said, neither faster nor slower by more than a factor of {SPARE}",
    '"O(...)" (of a measured time)':
        f"it grows no faster, up to a factor of {SPARE}",
}


class View(NamedTuple):
    """What a claim is judged by.

    Attributes
    ----------
    most : the share of runs that "most" asks for
    room : below which rate another way leaves room to be better
    low : the share of the optimal value that is called low
    strict : whether a rate is the strict one instead of the paper's
    medians : whether regrets and rewards are compared by medians instead of means
    deviations : whether "stable" is measured by standard deviations instead of the 5-95% band
    reward : the one reward law that is looked at, or None for both
    discounted : which experiments are looked at where the claim does not say so
    own : whether only settings of the paper itself are looked at
    """

    most: float = MOST
    room: float = ROOM
    low: float = LOW
    strict: bool = False
    medians: bool = False
    deviations: bool = False
    reward: str | None = None
    discounted: bool = True
    own: bool = False


OURS = View()
VIEWS = {
    "at 75%": View(most=0.75),
    "at 90%": View(most=0.9),
    "counting cases without room": View(room=inf),
    "if 5% is low": View(low=LOW / 2),
    "if 20% is low": View(low=2 * LOW),
    "by the strict rate": View(strict=True),
    "by medians": View(medians=True),
    "by standard deviations": View(deviations=True),
    "Bernoulli only": View(reward="bernoulli"),
    "normal only": View(reward="normal"),
    "without discount": View(discounted=False),
    "in the paper's own settings": View(own=True),
}
