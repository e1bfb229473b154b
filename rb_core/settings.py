"""The paper's evaluation as data: 9 settings, 2 reward laws, 2 discountings, 36 experiments."""

from dataclasses import dataclass
from fractions import Fraction

from rb_core.agents import RGPTS, QLearning, Sarsa, SSSarsa
from rb_core.bandit import REWARD_LAWS, RecoveringBandit
from rb_core.errors import choice

SHAPES = ("increasing", "peaked")
SIMULATIONS = 1000


@dataclass(frozen=True)
class Row:
    """A row of the paper's table: expected rewards start at 1/10 and peak at 6/10, or at 5/10
    for the arms that are not best, in state s_max or, if peaked, one state earlier."""

    arms: int
    s_max: int
    rounds: int
    best_arms: int


TABLE = {
    "6-hetero": Row(arms=6, s_max=3, rounds=100_000, best_arms=3),
    "6-homo": Row(arms=6, s_max=6, rounds=100_000, best_arms=6),
    "10-hetero": Row(arms=10, s_max=5, rounds=1_000_000, best_arms=5),
    "10-homo": Row(arms=10, s_max=10, rounds=1_000_000, best_arms=10),
}
SMALL = ((0.1, 0.1, 0.3), (0.2, 0.2, 0.2), (0.2, 0.2, 0.2))
SETTINGS = ("small", *TABLE)
ROUNDS = {"small": 100_000, **{name: row.rounds for name, row in TABLE.items()}}


def setting(name, shape="increasing", reward="bernoulli"):
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
    choice("setting", name, SETTINGS)
    choice("shape", shape, SHAPES if name != "small" else SHAPES[:1])
    choice("reward law", reward, REWARD_LAWS)
    if name == "small":
        return RecoveringBandit(SMALL, reward)
    row = TABLE[name]
    return RecoveringBandit(means_like(row.arms, row.s_max, row.best_arms, shape), reward)


def means_like(arms, s_max, best_arms, shape):
    """Expected rewards as in the paper's table, for any size; peaked ones need three states."""
    peaks = [Fraction(6, 10)] * best_arms + [Fraction(5, 10)] * (arms - best_arms)
    return [_means(s_max, shape, peak) for peak in peaks]


def _means(s_max, shape, peak):
    low = Fraction(1, 10)
    rises = s_max - 1 if shape == "increasing" else s_max - 2
    step = (peak - low) / rises
    means = [low + step * i for i in range(rises + 1)]
    if shape == "peaked":
        means.append(peak - step)
    return [float(mean) for mean in means]


@dataclass(frozen=True)
class Experiment:
    """One of the 36: a bandit, its rounds, and whether rewards are discounted.

    `dataclasses.replace(experiment, rounds=...)` gives a shorter one, discounted accordingly.
    """

    setting: str
    shape: str
    reward: str
    discounted: bool
    rounds: int

    @property
    def name(self):
        """What `rb run` and :func:`experiments` call it."""
        shape = () if self.setting == "small" else (self.shape,)
        kind = "discounted" if self.discounted else "undiscounted"
        return "-".join((self.setting, *shape, self.reward, kind))

    @property
    def bandit(self):
        """Its bandit."""
        return setting(self.setting, self.shape, self.reward)

    @property
    def gamma(self):
        """1 - 1/T, which is what the paper's captions say where its text has 1 - 10^-T; or 1."""
        return 1 - 1 / self.rounds if self.discounted else 1.0

    def agents(self):
        """The agents that are compared, by the names that figures and tables use.

        The paper left the tabular agents out where there are ten arms.
        """
        return agents_at(self.gamma)


def agents_at(gamma):
    """The paper's agents, by the names that figures and tables use."""
    return {
        "SS-SARSA": SSSarsa(gamma),
        "SS-SARSA (sep.)": SSSarsa(gamma, visits="separated"),
        "SARSA": Sarsa(gamma),
        "Q-learning": QLearning(gamma),
        "1RGP-TS": RGPTS(lookahead=1),
        "2RGP-TS": RGPTS(lookahead=2),
    }


def experiments():
    """The paper's 36 experiments, by name."""
    found = [
        Experiment(name, shape, reward, discounted, ROUNDS[name])
        for name in SETTINGS
        for shape in (SHAPES[:1] if name == "small" else SHAPES)
        for reward in REWARD_LAWS
        for discounted in (True, False)
    ]
    return {experiment.name: experiment for experiment in found}


def experiment(name):
    """One of the 36 by its name; a wrong name fails with the closest one."""
    return experiments()[choice("experiment", name, experiments())]
