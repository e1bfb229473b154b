"""What a view sees of the committed results: rates, regrets, spreads, and their differences."""

from functools import cache

import numpy as np

import rb_core as rb

SMALL = 10  # below, numbers are written with a decimal


@cache
def summaries(name):
    return rb.results(name)[0]


def chosen(view, *settings, shape="increasing", reward=None):
    """The experiments of some settings that a view looks at, of one law where the claim says so."""
    return [each for setting in settings
            for each in rb.experiments(setting, shape, reward, view.discounted).values()
            if view.reward in (None, each.reward)]


SETTINGS = ("6-hetero", "6-homo", "10-hetero", "10-homo")


def everything(view, reward=None):
    return [*chosen(view, "small", reward=reward),
            *(each for shape in ("increasing", "peaked")
              for each in chosen(view, *SETTINGS, shape=shape, reward=reward))]


@cache
def swept(name):
    return rb.read_swept(name)


def up_to_six(view, reward=None):
    """The experiments that sweeps over switches were made for: those with discount."""
    return [each for each in everything(view._replace(discounted=True), reward)
            if not each.setting.startswith("10")]


def ten_arms(view, reward=None):
    return [each for each in everything(view._replace(discounted=True), reward)
            if each.setting.startswith("10")]


def switched(sweep, experiment, **switches):
    """The runs of an experiment in which SS-SARSA has other switches, from a committed sweep."""
    if experiment.setting == "small":
        table = swept(f"{sweep}-small")
    else:
        table = swept(f"{sweep}-six").where(s_max=experiment.bandit.s_max, shape=experiment.shape)
    return table.where(**{"reward (given)": experiment.reward}, **switches)


def rate(view, experiment, agent):
    summary = summaries(experiment.name)[agent]
    return summary.strict_rate if view.strict else summary.rate


def others(experiment):
    """The agents of the experiment that are no form of SS-SARSA."""
    return [name for name in summaries(experiment.name) if not name.startswith("SS-")]


def regret(view, experiment, agent):
    """Mean regret, or the median."""
    return middle(view)(summaries(experiment.name)[agent].regret)


def reward(view, experiment, agent):
    """Mean cumulative reward, or the median."""
    return middle(view)(summaries(experiment.name)[agent].reward)


def within(margin, found):
    """Whether an interval lies within a margin; None if it may lie on either side of its end."""
    low, high = margin
    if low <= found.low and found.high <= high:
        return True
    return False if found.low > high or found.high < low else None


def middle(view):
    return np.median if view.medians else np.mean


def spread(view, experiment, agent):
    """How much the regret at the end varies between runs."""
    summary = summaries(experiment.name)[agent]
    if view.deviations:
        return summary.regret.std()
    low, high = summary.quantiles[[0, -1], -1]
    return high - low


def gap(view, experiment, first, second):
    """Regret of one agent minus that of another, with its interval."""
    return difference((experiment.name, first), (experiment.name, second), view.medians)


def change(view, agent, after, before):
    """Regret of an agent in one experiment minus that in another, with its interval."""
    return difference((after.name, agent), (before.name, agent), view.medians)


@cache
def difference(one, other, medians):
    """Of means or medians of regrets, with the interval of independent runs."""
    first, second = (summaries(name)[agent].regret for name, agent in (one, other))
    if medians:
        return apart(np.median, first, second)
    return rb.compare_unpaired(first, second)


def deviations(first, second):
    """One standard deviation of regrets minus another, with its interval."""
    return apart(np.std, first, second)


def apart(statistic, first, second):
    """A statistic of one sample minus that of another, with its interval."""
    return rb.bootstrap(np.column_stack([first, second]),
                        lambda pairs, axis: np.subtract(*statistic(pairs, axis=axis)))


def more_regret(table, other):
    """Mean regret of a condensed sweep minus that of another, or of a summary, as an interval."""
    return minus(table.mean_regret, other.mean_regret if isinstance(other, type(table))
                 else rb.mean_interval(other.regret))


def minus(one, other):
    """The difference of two independent estimates."""
    half = np.hypot(one.high - one.value, other.high - other.value)
    value = one.value - other.value
    return rb.Estimate(value, value - half, value + half)


def at_end_of_exploring(experiment, agent):
    """Share of the median regret that is there when a tenth of the rounds is over."""
    summary = summaries(experiment.name)[agent]
    explored = np.searchsorted(summary.checkpoints, 0.1 * experiment.rounds)
    return summary.quantiles[2, explored] / summary.quantiles[2, -1]


def optimal_value(experiment):
    """What the best player earns: the regret and the reward of any run add up to it."""
    summary = summaries(experiment.name)["SS-SARSA"]
    return float(summary.reward[0] + summary.regret[0])


def width(number):
    """Small widths with a decimal: some are told apart only there."""
    return f"{number:,.0f}" if number >= SMALL else f"{number:,.1f}"


def signed(estimate):
    """With a decimal where the sign of a rounded number would say too little."""
    return f"{estimate:+,.1f}" if min(map(abs, estimate)) < SMALL else f"{estimate:+,.0f}"
