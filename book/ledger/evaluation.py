"""The claims of the paper's result sections, its appendix B and its conclusion, from our runs."""

from functools import cache

import numpy as np
from claim import Case, Claim, chapter

import rb_core as rb

ENOUGH = 0.9  # what "generally" and "in most trials" are taken to mean
CLOSE = 0.05  # what "similar" and "competitive" allow between two rates
TABULAR = ("SARSA", "Q-learning")

PAGES = {
    "small": chapter("09_small"),
    "monotone": chapter("10_monotone"),
    "peaked": chapter("11_peaked"),
    "undiscounted": chapter("12_undiscounted"),
    "why": chapter("13_why"),
}


@cache
def summaries(name):
    return rb.results(name)[0]


def chosen(*settings, shape="increasing", reward=None):
    """The discounted experiments of some settings."""
    return [each for setting in settings
            for each in rb.experiments(setting, shape, reward, discounted=True).values()]


def everything(reward=None):
    return [each for shape in ("increasing", "peaked")
            for each in rb.experiments(None, shape, reward, discounted=True).values()]


def rate(experiment, agent):
    return summaries(experiment.name)[agent].rate


def median(experiment, agent):
    return np.median(summaries(experiment.name)[agent].regret)


def spread(experiment, agent):
    """Width of the 5-95% band of the regret at the end."""
    low, high = summaries(experiment.name)[agent].quantiles[[0, -1], -1]
    return high - low


def gap(experiment, first, second):
    """Difference of mean regrets, first minus second, with its interval."""
    found = summaries(experiment.name)
    return mean_of(found[first].regret - found[second].regret)


def mean_gap(experiment, first, second):
    """The same without its interval."""
    found = summaries(experiment.name)
    return np.mean(found[first].regret - found[second].regret)


def mean_of(differences):
    """As `rb.compare_paired` has it, without the two other estimates that it makes."""
    return rb.bootstrap(differences, np.mean)


def width(number):
    """Widths below 10 with a decimal: some are told apart only there."""
    return f"{number:,.0f}" if number >= 10 else f"{number:,.1f}"


def signed(estimate):
    """With a decimal where the sign of a rounded number would say too little."""
    return f"{estimate:+,.1f}" if min(map(abs, estimate)) < 10 else f"{estimate:+,.0f}"


def reaches(experiments, agents):
    for each in experiments:
        for agent in agents:
            found = rate(each, agent)
            yield Case(f"{each.panel}, {agent}", f"{found:.1%}", found.low >= ENOUGH)


def misses(experiments, agents):
    for each in experiments:
        for agent in agents:
            found = rate(each, agent)
            yield Case(f"{each.panel}, {agent}", f"{found:.1%}", found.high < ENOUGH)


def higher_rate(experiments, first, second):
    for each in experiments:
        one, other = rate(each, first), rate(each, second)
        yield Case(each.panel, f"{first} {one:.1%}, {second} {other:.1%}",
                   one.low > other.high)


def rate_not_lower(experiments, first, second):
    for each in experiments:
        one, other = rate(each, first), rate(each, second)
        yield Case(each.panel, f"{first} {one:.1%}, {second} {other:.1%}",
                   one.value >= other.value - CLOSE)


def less_regret(experiments, first, second):
    for each in experiments:
        found = gap(each, first, second)
        yield Case(each.panel, f"{first} minus {second}: {signed(found)}", found.high < 0)


def steadier(experiments, first, others):
    for each in experiments:
        widths = {agent: spread(each, agent) for agent in (first, *others)}
        said = ", ".join(f"{agent} {width(found)}" for agent, found in widths.items())
        yield Case(each.panel, said, widths[first] == min(widths.values()))


def flat_after_exploring(agent):
    for each in chosen("6-hetero", "6-homo"):
        summary = summaries(each.name)[agent]
        explored = np.searchsorted(summary.checkpoints, 0.1 * each.rounds)
        middle = summary.quantiles[2]
        later = max(1 - middle[explored] / middle[-1], 0.0)  # not -0.0%
        yield Case(each.panel, f"{later:.1%} of the median regret comes after the exploration",
                   later < 0.05)


def slightly_unstable():
    for each in chosen("small", reward="bernoulli"):
        one, others = rate(each, "1RGP-TS"), {a: rate(each, a) for a in ("SS-SARSA", *TABULAR)}
        said = ", ".join(f"{agent} {found:.1%}" for agent, found in others.items())
        yield Case(each.panel, f"1RGP-TS {one:.1%}; {said}",
                   all(one.high < found.low for found in others.values()))


def two_step_fails(experiments):
    for each in experiments:
        found = rate(each, "2RGP-TS")
        yield Case(each.panel, f"{found:.1%}", found.high < 0.5)


def worse_with_noise():
    for plain, noisy in zip(everything("bernoulli"), everything("normal"), strict=True):
        for agent, one in summaries(plain.name).items():
            found = mean_of(summaries(noisy.name)[agent].regret - one.regret)
            yield Case(f"{noisy.panel}, {agent}",
                       f"normal minus Bernoulli: {signed(found)}", found.low > 0)


def low_rate_from_noise():
    plain, noisy = chosen("6-hetero")
    one, other = rate(plain, "1RGP-TS"), rate(noisy, "1RGP-TS")
    yield Case(plain.short, f"Bernoulli {one:.1%}, normal {other:.1%}",
               other.high < one.low)


def scales_better(agent):
    for each in chosen("6-hetero", "6-homo"):
        for name in (agent, "1RGP-TS"):
            for tabular in TABULAR:
                one, other = rate(each, name), rate(each, tabular)
                yield Case(f"{each.panel}, {name} and {tabular}",
                           f"{one:.1%} and {other:.1%}", one.low > other.high)


def memory_of_tables():
    for setting, rounds in (("10-hetero", 1_000_000), ("10-homo", 1_000_000)):
        bandit = rb.setting(setting)
        met = min(rounds, rb.reachable_states(bandit.arms, bandit.s_max))
        kept, table = (n * bandit.arms * 8 / 1e6 for n in (met, bandit.s_max**bandit.arms))
        yield Case(setting, f"{kept:,.1f} MB for the states that a run can meet, {table:,.0f} MB "
                   f"for all joint states", kept > 16_000)


def worst_of_three(agent):
    for each in chosen("10-hetero"):
        rates = {name: rate(each, name) for name in (agent, "1RGP-TS", "2RGP-TS")}
        regrets = {name: median(each, name) for name in rates}
        said = ", ".join(f"{name} {regrets[name]:,.0f} and {found.value:.1%}"
                         for name, found in rates.items())
        yield Case(each.panel, said,
                   regrets["2RGP-TS"] == max(regrets.values())
                   and rates["2RGP-TS"].value == min(r.value for r in rates.values()))


def more_regret_from_exploring(agent):
    for each in chosen("10-homo"):
        found = gap(each, agent, "1RGP-TS")
        summary = summaries(each.name)[agent]
        explored = summary.quantiles[2, np.searchsorted(summary.checkpoints, 0.1 * each.rounds)]
        share = explored / summary.quantiles[2, -1]
        yield Case(each.panel, f"{signed(found)} against 1RGP-TS; {share:.1%} of its median "
                   f"regret comes from the exploration", found.low > 0 and share > 0.9)


def best_in_hetero(agent):
    for each in chosen("6-hetero", "10-hetero"):
        others = [name for name in summaries(each.name) if not name.startswith("SS-")]
        least = min(others, key=lambda name: median(each, name))
        highest = max(others, key=lambda name: rate(each, name).value)
        lower = gap(each, agent, least)
        one, other = rate(each, agent), rate(each, highest)
        yield Case(each.panel, f"mean regret {signed(lower)} against {least}; rate {one:.1%}, "
                   f"{highest} {other:.1%}", lower.high < 0 and one.value >= other.value)


def better_or_competitive(agent):
    for each in chosen("6-hetero", "6-homo", "10-hetero", "10-homo", shape="peaked"):
        found = summaries(each.name)
        others = {name: s.reward.mean() for name, s in found.items() if not name.startswith("SS-")}
        best = max(others, key=others.get)
        own = found[agent].reward.mean()
        yield Case(each.panel, f"mean reward {own:,.0f}, {best} {others[best]:,.0f} "
                   f"({own / others[best] - 1:+.1%})", own >= 0.99 * others[best])


def no_more_regret_than_1rgp(agent):
    for each in chosen("6-homo", "10-homo", shape="peaked"):
        found = gap(each, agent, "1RGP-TS")
        yield Case(each.panel, f"{signed(found)} against 1RGP-TS", found.low <= 0)


def overall(agent):
    for each in everything():
        names = [name for name in summaries(each.name) if not name.startswith("SS-")]
        one = rate(each, agent)
        best = max(names, key=lambda name: rate(each, name).value)
        own, narrowest = spread(each, agent), min(spread(each, name) for name in names)
        yield Case(each.panel, f"rate {one.value:.1%}, {best} {rate(each, best).value:.1%}; 5-95% "
                   f"band {width(own)}, narrowest other {width(narrowest)}",
                   one.value >= rate(each, best).value - CLOSE and own <= narrowest)


def drops_in_hetero():
    for scale, reward in (("6", "bernoulli"), ("6", "normal"), ("10", "bernoulli"),
                          ("10", "normal")):
        (homo,) = chosen(f"{scale}-homo", reward=reward)
        (hetero,) = chosen(f"{scale}-hetero", reward=reward)
        one, other = rate(hetero, "1RGP-TS"), rate(homo, "1RGP-TS")
        yield Case(hetero.panel, f"{one:.1%}, {homo.short} {other:.1%}", one.high < other.low)


def drops_when_peaked():
    for setting in ("6-hetero", "6-homo", "10-hetero", "10-homo"):
        pairs = zip(chosen(setting), chosen(setting, shape="peaked"), strict=True)
        for plain, peaked in pairs:
            one, other = rate(peaked, "1RGP-TS"), rate(plain, "1RGP-TS")
            yield Case(peaked.panel, f"{one:.1%}, {plain.shape} {other:.1%}", one.high < other.low)


def similar_rates():
    for each in everything():
        differences = {name: rate(each.twin, name).value - rate(each, name).value
                       for name in summaries(each.name)}
        most = max(differences, key=lambda name: abs(differences[name]))
        yield Case(each.panel, f"largest change: {most} {100 * differences[most]:+.1f} points",
                   abs(differences[most]) <= CLOSE)


def lead_grows(agent):
    peaked = chosen("6-hetero", "6-homo", "10-hetero", "10-homo", shape="peaked")
    for each in peaked:
        # A lead in reward is a negative difference of regrets.
        lead, later = (-mean_gap(x, agent, "1RGP-TS") for x in (each, each.twin))
        yield Case(each.panel, f"{agent} minus 1RGP-TS in mean reward: {lead:+,.0f} discounted, "
                   f"{later:+,.0f} without discount", later > lead > 0)


def well_without_discount(agent):
    return reaches([each.twin for each in everything()], [agent])


MONOTONE = ("6-hetero", "6-homo", "10-hetero", "10-homo")
BAND = "Width of the 5-95% band of the regret at the end; holds if"
RATES = "Rates of optimal policy with 95% Wilson intervals; holds if"

CLAIMS = [
    Claim("6.1", "Normal rewards, with their larger variance, make learning harder.",
          "Mean regret of every agent in every setting; holds if it is larger with normal than "
          "with Bernoulli rewards, with a 95% bootstrap interval above zero.",
          *PAGES["small"], worse_with_noise),
    Claim("6.2.1", "Small problem, Bernoulli: all agents but 2RGP-TS generally end optimally.",
          f"{RATES} the lower end is at least {ENOUGH:.0%}.",
          *PAGES["small"], lambda agent: reaches(
              chosen("small", reward="bernoulli"), (agent, *TABULAR, "1RGP-TS")),
          readings=True),
    Claim("6.2.1", "There, 1RGP-TS is slightly unstable.",
          f"{RATES} 1RGP-TS's lies below those of the three value learners.",
          *PAGES["small"], slightly_unstable),
    Claim("6.2.1", "There, 2RGP-TS does not perform well.",
          f"{RATES} the upper end is below one half.",
          *PAGES["small"], lambda: two_step_fails(chosen("small", reward="bernoulli"))),
    Claim("6.2.2", "Six arms: Q-learning and SARSA do not reach the optimal policy.",
          f"{RATES} the upper end is below {ENOUGH:.0%}.",
          *PAGES["monotone"], lambda: misses(chosen("6-hetero", "6-homo"), TABULAR)),
    Claim("6.2.2", "Six arms: SS-SARSA reaches it in most trials.",
          f"{RATES} the lower end is at least {ENOUGH:.0%}.",
          *PAGES["monotone"], lambda agent: reaches(chosen("6-hetero", "6-homo"), (agent,)),
          readings=True),
    Claim("6.2.2", "Six arms: SS-SARSA's regret no longer grows after the exploration.",
          "Share of its median regret that comes after round 0.1 T; holds below 5%.",
          *PAGES["monotone"], flat_after_exploring, readings=True),
    Claim("6.2.2", "6-Hetero: 1RGP-TS has a lower rate than SS-SARSA.",
          f"{RATES} SS-SARSA's is the higher, intervals apart.",
          *PAGES["monotone"], lambda agent: higher_rate(chosen("6-hetero"), agent, "1RGP-TS"),
          readings=True),
    Claim("6.2.2", "6-Hetero: 1RGP-TS's failures are more frequent with normal rewards.",
          f"{RATES} the one with normal rewards is the lower, intervals apart.",
          *PAGES["monotone"], low_rate_from_noise),
    Claim("6.2.2", "6-Hetero: 2RGP-TS tends to fail.",
          f"{RATES} the upper end is below one half.",
          *PAGES["monotone"], lambda: two_step_fails(chosen("6-hetero"))),
    Claim("6.2.2", "Six arms: SS-SARSA and 1RGP-TS cope far better with the larger state space "
          "than Q-learning and SARSA.",
          f"{RATES} theirs is higher, intervals apart.",
          *PAGES["monotone"], scales_better, readings=True),
    Claim("6.2.2", "Ten arms: SARSA and Q-learning need too much memory to be run.",
          "Memory for the estimates of all states that a run can meet; holds beyond 16 GB.",
          *PAGES["monotone"], memory_of_tables),
    Claim("6.2.2", "10-Hetero: SS-SARSA's rate is competitive with 1RGP-TS's, or higher.",
          f"Rates of optimal policy; holds if it is not lower by more than {100 * CLOSE:.0f} "
          f"points.",
          *PAGES["monotone"], lambda agent: rate_not_lower(chosen("10-hetero"), agent, "1RGP-TS"),
          readings=True),
    Claim("6.2.2", "10-Hetero: SS-SARSA has low regret, no more than 1RGP-TS.",
          "Difference of mean regrets with its 95% bootstrap interval; holds if it is below zero.",
          *PAGES["monotone"], lambda agent: less_regret(chosen("10-hetero"), agent, "1RGP-TS"),
          readings=True),
    Claim("6.2.2", "10-Hetero: SS-SARSA's regret is more stable than 1RGP-TS's.",
          f"{BAND} SS-SARSA's is the narrower.",
          *PAGES["monotone"], lambda agent: steadier(chosen("10-hetero"), agent, ("1RGP-TS",)),
          readings=True),
    Claim("6.2.2", "10-Hetero: 2RGP-TS is the worst of the three.",
          "Median regret and rate; holds if it has the largest regret and the lowest rate.",
          *PAGES["monotone"], worst_of_three, readings=True),
    Claim("6.2.2", "10-Homo: SS-SARSA has more regret than 1RGP-TS, because it explores.",
          "Difference of mean regrets, and the share of SS-SARSA's median regret in its "
          "exploration; holds if the difference is above zero and the share above 90%.",
          *PAGES["monotone"], more_regret_from_exploring, readings=True),
    Claim("6.2.2", "10-Homo: SS-SARSA's rate is competitive.",
          f"Rates of optimal policy; holds if it is not lower than 1RGP-TS's by more than "
          f"{100 * CLOSE:.0f} points.",
          *PAGES["monotone"], lambda agent: rate_not_lower(chosen("10-homo"), agent, "1RGP-TS"),
          readings=True),
    Claim("6.2.2", "With monotone rewards SS-SARSA is the most stable agent in any case.",
          f"{BAND} SS-SARSA's is the narrowest of SS-SARSA, 1RGP-TS and 2RGP-TS.",
          *PAGES["monotone"],
          lambda agent: steadier(chosen(*MONOTONE), agent, ("1RGP-TS", "2RGP-TS")),
          readings=True),
    Claim("6.2.2", "Heterogeneous arms: SS-SARSA has the lowest regret and the highest rate.",
          "Against the other agent with the least median regret, and the one with the highest "
          "rate; holds if SS-SARSA beats the one and is not below the other.",
          *PAGES["monotone"], best_in_hetero, readings=True),
    Claim("6.2.2", "Homogeneous arms: 1RGP-TS is slightly better than SS-SARSA.",
          "Difference of mean regrets; holds if 1RGP-TS has less.",
          *PAGES["monotone"],
          lambda agent: less_regret(chosen("6-homo", "10-homo"), "1RGP-TS", agent),
          readings=True),
    Claim("6.2.3", "Increasing-then-decreasing: SS-SARSA does better than the others, or "
          "competitively.",
          "Mean cumulative reward; holds if it is at least 99% of the best other agent's.",
          *PAGES["peaked"], better_or_competitive, readings=True),
    Claim("6.2.3", "There, SS-SARSA has no more regret than 1RGP-TS even with homogeneous arms.",
          "Difference of mean regrets; holds if its interval reaches zero or lies below.",
          *PAGES["peaked"], no_more_regret_than_1rgp, readings=True),
    Claim("6.2.3", "Overall, SS-SARSA is ahead in stability and rate, whatever the rewards.",
          f"All 18 discounted experiments; holds if its rate is not lower than any other agent's "
          f"by more than {100 * CLOSE:.0f} points and its 5-95% band of regret is the narrowest.",
          *PAGES["peaked"], overall, readings=True),
    Claim("6.2.3", "1RGP-TS gets significantly worse with heterogeneous arms.",
          f"{RATES} hetero is below homo, intervals apart (increasing rewards).",
          *PAGES["monotone"], drops_in_hetero),
    Claim("6.2.3", "1RGP-TS gets significantly worse with non-monotone rewards.",
          f"{RATES} peaked is below increasing, intervals apart.",
          *PAGES["peaked"], drops_when_peaked),
    Claim("B", "Without discount, rates of optimal policy are similar to those with discount.",
          f"Largest change over the agents; holds up to {100 * CLOSE:.0f} points.",
          *PAGES["undiscounted"], similar_rates),
    Claim("B", "Increasing-then-decreasing: without discount SS-SARSA's lead over 1RGP-TS grows.",
          "Difference of mean rewards; holds if it is positive and larger without discount.",
          *PAGES["undiscounted"], lead_grows, readings=True),
    Claim("6.1, B", "SS-SARSA performs well without discount, too.",
          f"{RATES} the lower end is at least {ENOUGH:.0%}.",
          *PAGES["undiscounted"], well_without_discount, readings=True),
    Claim("7", "SS-SARSA performs well with monotone and with non-monotone rewards.",
          f"{RATES} the lower end is at least {ENOUGH:.0%}.",
          *PAGES["peaked"], lambda agent: reaches(everything(), (agent,)), readings=True),
    Claim("7", "With many arms and a large s_max even SS-SARSA meets too many combinations.",
          "The paper names no size, and none of its settings is beyond that size.",
          *PAGES["why"], None),
    Claim("7", "There are no real data with enough observations of one person.",
          "A statement about the world, not about the algorithm.",
          *PAGES["why"], None),
]
