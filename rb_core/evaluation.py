"""The paper's evaluation as data: 9 settings, 2 reward laws, 2 discountings, 36 experiments."""

from dataclasses import dataclass, replace
from functools import cache, cached_property

from rb_core.agents import AGENTS
from rb_core.bandit import REWARD_LAWS, RecoveringBandit
from rb_core.checks import InputError, choice, shown
from rb_core.problem import Problem, paper_gamma
from rb_core.settings import SETTINGS, SHAPES, setting

SIMULATIONS = 1000
PAPER = ("small", "6-hetero", "6-homo", "10-hetero", "10-homo")  # a closed list
# Who is compared, in this order. The paper left the tabular agents out where there are ten arms.
COMPARED = ("SS-SARSA", "SS-SARSA (sep.)", "SARSA", "Q-learning", "1RGP-TS", "2RGP-TS")
# Who goes beyond the paper, on a seed that chose no constant of it: these were chosen on 1000 here.
BEYOND, BEYOND_SEED = ("PlanUCB",), 16
WORDS = {"increasing": "increasing rewards", "peaked": "increasing-then-decreasing rewards"}


@dataclass(frozen=True)
class Experiment:
    """One of the 36: a bandit, its rounds, and whether rewards are discounted.

    `dataclasses.replace(experiment, rounds=...)` gives a shorter one, discounted accordingly.

    Attributes
    ----------
    setting, shape, reward : str
        What the bandit is, as in :func:`setting`.
    discounted : bool
        Whether rewards are discounted, as the paper does it, or not.
    rounds : int
    compared : tuple of str
        Who is compared: by default the paper's agents.
    seed : int
        Of the simulations.

    Examples
    --------
    >>> import rb_core as rb
    >>> each = rb.experiment("6-hetero-peaked-normal-discounted")
    >>> each.title
    '6-Hetero, increasing-then-decreasing rewards: Normal, discounted'
    >>> each.short, each.panel
    ('6-Hetero, peaked', '6-Hetero, peaked: Normal')
    >>> each.twin.name
    '6-hetero-peaked-normal-undiscounted'
    >>> list(each.beyond.agents)
    ['PlanUCB']
    """

    setting: str
    shape: str
    reward: str
    discounted: bool
    rounds: int
    compared: tuple[str, ...] = COMPARED
    seed: int = 0

    @property
    def name(self) -> str:
        """What `rb run` and :func:`experiments` call it."""
        shape = (self.shape,) if self.has_shapes else ()
        kind = "discounted" if self.discounted else "undiscounted"
        return "-".join((self.setting, *shape, self.reward, kind))

    @property
    def has_shapes(self) -> bool:
        """Whether its setting comes in several shapes, so that names must say which."""
        return len(SETTINGS[self.setting].shapes) > 1

    @property
    def short(self) -> str:
        """What its setting and shape are called beside others, in tables and figures."""
        name = self.setting.title()
        return f"{name}, {self.shape}" if self.has_shapes else f"{name} problem"

    @property
    def panel(self) -> str:
        """What it is called beside others of the same discounting."""
        return f"{self.short}: {self.reward.title()}"

    @property
    def title(self) -> str:
        """The heading of its page."""
        setting = self.short.replace(self.shape, WORDS[self.shape])
        kind = "discounted" if self.discounted else "undiscounted"
        return f"{setting}: {self.reward.title()}, {kind}"

    @property
    def twin(self) -> "Experiment":
        """The same with the other discounting."""
        return replace(self, discounted=not self.discounted)

    @property
    def beyond(self) -> "Experiment":
        """The same with agents that go beyond the paper, on a seed of their own."""
        return replace(self, compared=BEYOND, seed=BEYOND_SEED)

    @cached_property
    def bandit(self) -> RecoveringBandit:
        """Its bandit."""
        return setting(self.setting, self.shape, self.reward)

    @property
    def gamma(self) -> float:
        """The discount of its evaluation: the paper's, or 1."""
        return paper_gamma(self.rounds) if self.discounted else 1.0

    @cached_property
    def problem(self) -> Problem:
        """Its bandit, rounds and discount."""
        return Problem(self.bandit, self.rounds, self.gamma)

    @property
    def agents(self) -> dict[str, object]:
        """The agents that are compared, by the names that figures and tables use."""
        return {name: AGENTS[name].make(self.gamma) for name in self.compared}


@cache
def _paper() -> dict[str, Experiment]:
    found = [
        Experiment(name, shape, reward, discounted, SETTINGS[name].rounds)
        for name in PAPER
        for shape in SETTINGS[name].shapes
        for reward in REWARD_LAWS
        for discounted in (True, False)
    ]
    return {experiment.name: experiment for experiment in found}


def experiments(
    setting: str | None = None,
    shape: str | None = None,
    reward: str | None = None,
    discounted: bool | None = None,
) -> dict[str, Experiment]:
    """The paper's 36 experiments, by name; or those of one setting, shape, law or discounting.

    Parameters
    ----------
    setting : {"small", "6-hetero", "6-homo", "10-hetero", "10-homo"}, optional
    shape : {"increasing", "peaked"}, optional
    reward : {"bernoulli", "normal"}, optional
    discounted : bool, optional

    Returns
    -------
    dict
        Name -> Experiment.

    Examples
    --------
    >>> import rb_core as rb
    >>> len(rb.experiments()), len(rb.experiments(shape="peaked", discounted=True))
    (36, 8)
    """
    allowed = {"setting": PAPER, "shape": SHAPES, "reward": REWARD_LAWS}
    wanted = {"setting": setting, "shape": shape, "reward": reward, "discounted": discounted}
    for key, names in allowed.items():
        if wanted[key] is not None:
            choice(key, wanted[key], names)
    if discounted not in (None, True, False):
        raise InputError(f"discounted must be True or False, not {shown(discounted)}.")
    return {name: each for name, each in _paper().items()
            if all(value in (None, getattr(each, key)) for key, value in wanted.items())}


def experiment(name: str) -> Experiment:
    """One of the 36 by its name; a wrong name fails with the closest one.

    Parameters
    ----------
    name : str

    Examples
    --------
    >>> import rb_core as rb
    >>> rb.experiment("small-normal-undiscounted").rounds
    100000
    """
    return _paper()[choice("experiment", name, _paper())]
