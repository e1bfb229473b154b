"""The claims of the paper's result sections, its appendix B and its conclusion, from our runs."""

from functools import cache
from itertools import pairwise, product

import numpy as np
from claim import Case, Claim, once
from measures import (
    SETTINGS,
    at_end_of_exploring,
    change,
    chosen,
    deviations,
    everything,
    gap,
    more_regret,
    optimal_value,
    others,
    rate,
    regret,
    reward,
    signed,
    spread,
    summaries,
    swept,
    switched,
    up_to_six,
    width,
    within,
)
from rules import (
    COMPETITIVE,
    COMPETITIVE_REWARD,
    DIFFERENT,
    FLAT,
    LARGE,
    NO_LOWER,
    NOT_APART,
    OURS,
    SLIGHTLY,
)

import rb_core as rb

TABULAR = ("SARSA", "Q-learning")
HETERO, HOMO = ("6-hetero", "10-hetero"), ("6-homo", "10-homo")


def reaches(view, experiments, agents):
    for each in experiments:
        for agent in agents:
            found = rate(view, each, agent)
            yield Case(f"{each.panel}, {agent}", f"{found:.1%}", found.low >= view.most)


def misses(view, experiments, agents):
    for each in experiments:
        for agent in agents:
            found = rate(view, each, agent)
            yield Case(f"{each.panel}, {agent}", f"{found:.1%}", found.high < view.most)


def higher_rate(view, experiments, first, second):
    for each in experiments:
        one, other = rate(view, each, first), rate(view, each, second)
        found = rb.compare_rates(one, other)
        yield Case(each.panel, f"{first} {one:.1%}, {second} {other:.1%}: {found:+.1f} points",
                   found.low > 0)


def competitive_rate(view, experiments, first, second):
    for each in experiments:
        one, other = rate(view, each, first), rate(view, each, second)
        found = rb.compare_rates(one, other)
        yield Case(each.panel, f"{first} {one:.1%}, {second} {other:.1%}: {found:+.1f} points",
                   within(NO_LOWER, found))


def highest_rate(view, experiments, agent, ahead=False):
    """Is it not beaten, or even ahead of all others?"""
    for each in experiments:
        best = max(others(each), key=lambda name: rate(view, each, name).value)
        one, other = rate(view, each, agent), rate(view, each, best)
        found = rb.compare_rates(one, other)
        yield Case(each.panel, f"{one:.1%}, {best} {other:.1%}: {found:+.1f} points",
                   found.low > 0 if ahead else found.high >= 0)


def less_regret(view, experiments, first, second):
    for each in experiments:
        found = gap(view, each, first, second)
        yield Case(each.panel, f"{first} minus {second}: {signed(found)}", found.high < 0)


def low_regret(view, experiments, agent):
    for each in experiments:
        share = regret(view, each, agent) / optimal_value(each)
        yield Case(each.panel, f"loses {share:.1%} of the optimal value", share <= view.low)


def near_the_least_regret(view, experiments, agent):
    for each in experiments:
        least = min(others(each), key=lambda name: regret(view, each, name))
        times = regret(view, each, agent) / regret(view, each, least)
        yield Case(each.panel, f"{times:.1f} times the regret of {least}", times <= SLIGHTLY)


def steadiest(view, experiments, agent, rivals=None):
    for each in experiments:
        widths = {name: spread(view, each, name) for name in (agent, *(rivals or others(each)))}
        said = ", ".join(f"{name} {width(found)}" for name, found in widths.items())
        yield Case(each.panel, said, widths[agent] == min(widths.values()))


def worse_with_noise(view):
    for noisy in everything(view, "normal"):
        (plain,) = rb.experiments(noisy.setting, noisy.shape, "bernoulli",
                                  noisy.discounted).values()
        for agent in summaries(noisy.name):
            found = change(view, agent, noisy, plain)
            yield Case(f"{noisy.panel}, {agent}",
                       f"normal minus Bernoulli: {signed(found)}", found.low > 0)


def small(view):
    return chosen(view, "small", reward="bernoulli")


def slightly_unstable(view):
    for each in small(view):
        widths = {name: spread(view, each, name) for name in ("1RGP-TS", "SS-SARSA", *TABULAR)}
        said = ", ".join(f"{name} {width(found)}" for name, found in widths.items())
        yield Case(each.panel, said, widths["1RGP-TS"] == max(widths.values()))


def lower_than_all(view, experiments, agent):
    for each in experiments:
        rates = {name: rate(view, each, name) for name in summaries(each.name)}
        own = rates.pop(agent)
        lowest = min(rates, key=lambda name: rates[name].value)
        found = rb.compare_rates(own, rates[lowest])
        yield Case(each.panel, f"{own:.1%}, the lowest of the others {lowest} "
                   f"{rates[lowest]:.1%}: {found:+.1f} points", found.high < 0)


def two_steps_with_known_means(experiments):
    """2RGP-TS against a player who plans as it does but knows the means."""
    for each in experiments:
        known, learnt = known_means(each.setting), rate(OURS, each, "2RGP-TS")
        found = rb.compare_rates(known, learnt)
        yield Case(f"{each.panel}: a cause of failures", f"with known means {known:.1%}, 2RGP-TS "
                   f"{learnt:.1%}: {found:+.1f} points", found.low > 0)


def learning_explains_most(view, experiments):
    yield from two_steps_with_known_means(experiments)
    for each in experiments:
        known, learnt = known_means(each.setting), rate(OURS, each, "2RGP-TS")
        avoided = (known.value - learnt.value) / (1 - learnt.value)
        yield Case(f"{each.panel}: the cause of most failures",
                   f"known means avoid {avoided:.0%} of them", avoided >= view.most)


def plan_explains_most(view, experiments):
    """A plan of two rounds that fails although it knows all means."""
    for each in experiments:
        known, learnt = known_means(each.setting), rate(OURS, each, "2RGP-TS")
        left = (1 - known.value) / (1 - learnt.value)
        yield Case(each.panel, f"with known means {known:.1%} end optimally, 2RGP-TS "
                   f"{learnt.value:.1%}: {min(left, 1.0):.0%} of the failures are left",
                   left >= view.most)


@cache
def known_means(setting):
    """Rate of 1,000 runs of a player who knows all means and plans two rounds; a tie is a coin."""
    bandit, rng, ended = rb.setting(setting), np.random.default_rng(0), 0
    best, window, rounds = rb.optimum(bandit, 1), 3 * bandit.s_max, 20 * bandit.s_max
    for _ in range(1000):
        state, earned = (bandit.s_max,) * bandit.arms, []
        while len(earned) < rounds:
            top = best_pairs(setting, state)
            for arm in top[rng.integers(len(top))]:
                earned.append(pays(bandit, state, arm))
                state = after(bandit, state, arm)
        ended += window * best.average - sum(earned[-window:]) < 1e-9
    return rb.wilson(int(ended), 1000)


@cache
def best_pairs(setting, state):
    """The pairs of arms that pay most in the next two rounds."""
    bandit = rb.setting(setting)
    plans = {(a, b): pays(bandit, state, a) + pays(bandit, after(bandit, state, a), b)
             for a, b in product(range(bandit.arms), repeat=2)}
    return [plan for plan, value in plans.items() if value > max(plans.values()) - 1e-12]


def pays(bandit, state, arm):
    return bandit.means[arm, state[arm] - 1]


def after(bandit, state, arm):
    return tuple(1 if k == arm else min(s + 1, bandit.s_max) for k, s in enumerate(state))


def flat_after_exploring(view, agent):
    for each in chosen(view, "6-hetero", "6-homo"):
        later = max(1 - at_end_of_exploring(each, agent), 0.0)  # not -0.0%
        yield Case(each.panel, f"{later:.1%} of the median regret comes after the exploration",
                   later < FLAT)


def kept_losing(view):
    """Did a run of 1RGP-TS settle in a wrong cycle? The mildest that its last rounds could show."""
    for each in chosen(view, "6-hetero"):
        weights = each.gamma ** np.arange(each.rounds)
        # Three best arms and a lesser one: 0.1 less in one of four rounds, from 0.1 T on.
        cost = 0.1 / 4 * weights[each.rounds // 10 :].sum()
        worst = summaries(each.name)["1RGP-TS"].regret.max()
        yield Case(each.panel, f"its worst run loses {worst:,.0f} in all; the mildest wrong cycle "
                   f"alone would cost {cost:,.0f}", worst >= cost)


def now_and_then_ends_otherwise(view):
    for each in chosen(view, "6-hetero"):
        found = rate(view, each, "1RGP-TS")
        yield Case(each.panel, f"{found:.1%} of its runs end optimally", found.high < 1)


def grows_after_exploring(view):
    for each in chosen(view, "6-hetero"):
        later = 1 - at_end_of_exploring(each, "1RGP-TS")
        yield Case(each.panel, f"{later:.1%} of its median regret comes after round 0.1 T",
                   later >= FLAT)


def by_law(view):
    """6-Hetero with Bernoulli and with normal rewards."""
    plain, noisy = (rb.experiments("6-hetero", "increasing", law, view.discounted).values()
                    for law in ("bernoulli", "normal"))
    return zip(plain, noisy, strict=True)


def more_regret_from_noise(view):
    for one, other in by_law(view):
        found = change(view, "1RGP-TS", other, one)
        yield Case(one.short, f"normal minus Bernoulli: {signed(found)}", found.low > 0)


def more_failures_from_noise(view):
    for one, other in by_law(view):
        plain, noisy = (rate(view, each, "1RGP-TS") for each in (one, other))
        found = rb.compare_rates(noisy, plain)
        yield Case(one.short, f"Bernoulli {plain:.1%}, normal {noisy:.1%}: {found:+.1f} points",
                   found.high < 0)


def scales_better(view, agent):
    for each in chosen(view, "6-hetero", "6-homo"):
        for name in (agent, "1RGP-TS"):
            for tabular in TABULAR:
                one, other = rate(view, each, name), rate(view, each, tabular)
                found = rb.compare_rates(one, other)
                yield Case(f"{each.panel}, {name} and {tabular}",
                           f"{one:.1%} and {other:.1%}: {found:+.1f} points", found.low > 0)


def memory_of_tables(view):
    for setting in ("10-hetero", "10-homo"):
        bandit = rb.setting(setting)
        gigabytes = bandit.s_max**bandit.arms * bandit.arms * 8 / 1e9
        yield Case(setting, f"{gigabytes:,.1f} GB for a table of all joint states",
                   gigabytes > LARGE)


def memory_of_met_states(view):
    for setting in ("10-hetero", "10-homo"):
        bandit = rb.setting(setting)
        met = min(1_000_000, rb.reachable_states(bandit.arms, bandit.s_max))
        gigabytes = met * bandit.arms * 8 / 1e9
        yield Case(setting, f"{gigabytes:.2f} GB for the states that a run can meet",
                   gigabytes > LARGE)


def worst_of_three(view, agent, by_regret=True, by_rate=True):
    for each in chosen(view, "10-hetero"):
        rates = {name: rate(view, each, name) for name in (agent, "1RGP-TS", "2RGP-TS")}
        regrets = {name: regret(view, each, name) for name in rates}
        said = ", ".join(f"{name} {regrets[name]:,.0f} and {found.value:.1%}"
                         for name, found in rates.items())
        most_regret = regrets["2RGP-TS"] == max(regrets.values())
        lowest_rate = rates["2RGP-TS"].value == min(r.value for r in rates.values())
        yield Case(each.panel, said, (most_regret or not by_regret)
                   and (lowest_rate or not by_rate))


def regret_is_exploration(view, agent):
    for each in chosen(view, "10-homo"):
        share = at_end_of_exploring(each, agent)
        yield Case(each.panel, f"{share:.1%} of its median regret comes from the exploration",
                   share > 1 - FLAT)


def only_slightly(view, agent):
    for each in chosen(view, *HOMO):
        times = regret(view, each, agent) / regret(view, each, "1RGP-TS")
        yield Case(each.panel, f"{agent} has {times:.1f} times the regret", 1 < times <= SLIGHTLY)


def only_slightly_of_the_optimum(view, agent):
    for each in chosen(view, *HOMO):
        more = regret(view, each, agent) - regret(view, each, "1RGP-TS")
        share = more / optimal_value(each)
        yield Case(each.panel, f"{agent} loses {share:.1%} of the optimal value more",
                   0 < share <= view.low)


def unstable_with_both(view, in_proportion=False):
    """Is 1RGP-TS's spread largest where arms differ and rewards vary more?"""
    for size in ("6", "10"):
        widths = {each.panel: spread(view, each, "1RGP-TS")
                  / (regret(view, each, "1RGP-TS") if in_proportion else 1)
                  for each in chosen(view._replace(reward=None), f"{size}-hetero", f"{size}-homo")}
        said = ", ".join(f"{panel} {found:.0%}" if in_proportion else f"{panel} {width(found)}"
                         for panel, found in widths.items())
        yield Case(f"{size} arms", said,
                   max(widths, key=widths.get) == f"{size}-Hetero, increasing: Normal")


def peaked(view, *settings):
    return chosen(view, *(settings or SETTINGS), shape="peaked")


def better_or_competitive(view, agent):
    for each in peaked(view):
        best = max(others(each), key=lambda name: reward(view, each, name))
        ratio = reward(view, each, agent) / reward(view, each, best)
        yield Case(each.panel, f"{reward(view, each, agent):,.0f}, {best} "
                   f"{reward(view, each, best):,.0f} ({ratio - 1:+.1%})",
                   ratio >= 1 - COMPETITIVE_REWARD)


def most_reward(view, agent, ahead=False):
    for each in everything(view):
        best = max(others(each), key=lambda name: reward(view, each, name))
        found = gap(view, each, agent, best)
        yield Case(each.panel, f"regret against {best}: {signed(found)}",
                   found.high < 0 if ahead else found.low <= 0)


def no_more_regret_than_1rgp(view, agent):
    for each in peaked(view, *HOMO):
        found = gap(view, each, agent, "1RGP-TS")
        yield Case(each.panel, f"{signed(found)} against 1RGP-TS", found.low <= 0)


def evenness_saves_regret(view, agent):
    """With ten arms nobody has run random exploration."""
    for each in up_to_six(view):
        if each.setting == "6-homo" and each.shape == "peaked":
            found = more_regret(switched("variants", each, exploration="random"),
                                summaries(each.name)[agent]).map(lambda more: -more)
            yield Case(each.panel, f"{agent} minus random exploration: {signed(found)}",
                       found.high < 0)


def closest_rival(view):
    for each in everything(view):
        least = min((name for name in others(each) if name != "1RGP-TS"),
                    key=lambda name: regret(view, each, name))
        found = gap(view, each, "1RGP-TS", least)
        yield Case(each.panel, f"1RGP-TS against {least}: {signed(found)}", found.low <= 0)


def pairs(view, shape):
    """Heterogeneous experiments, each with the homogeneous one of the same size."""
    for each in chosen(view, *HETERO, shape=shape):
        homo = each.setting.replace("hetero", "homo")
        (other,) = rb.experiments(homo, each.shape, each.reward, each.discounted).values()
        yield each, other


def more_regret_in_hetero(view):
    for shape in ("increasing", "peaked"):
        for each, other in pairs(view, shape):
            found = change(view, "1RGP-TS", each, other)
            yield Case(each.panel, f"regret against {other.short}: {signed(found)}", found.low > 0)


def lower_rate_in_hetero(view):
    for shape in ("increasing", "peaked"):
        for each, other in pairs(view, shape):
            one, two = rate(view, each, "1RGP-TS"), rate(view, other, "1RGP-TS")
            found = rb.compare_rates(one, two)
            yield Case(each.panel, f"{one:.1%}, {other.short} {two:.1%}: {found:+.1f} points",
                       found.high < 0)


def increasing_twin(each):
    (found,) = rb.experiments(each.setting, "increasing", each.reward, each.discounted).values()
    return found


def more_regret_when_peaked(view):
    for each in peaked(view):
        found = change(view, "1RGP-TS", each, increasing_twin(each))
        yield Case(each.panel, f"regret against increasing: {signed(found)}", found.low > 0)


def lower_rate_when_peaked(view):
    for each in peaked(view):
        one, other = (rate(view, x, "1RGP-TS") for x in (each, increasing_twin(each)))
        found = rb.compare_rates(one, other)
        yield Case(each.panel, f"{one:.1%}, increasing {other:.1%}: {found:+.1f} points",
                   found.high < 0)


def similar_rates(view):
    """The agents that learn by a discount; the others make the same pulls with and without."""
    for each in everything(view._replace(discounted=True)):
        changes = {name: rb.compare_rates(rate(view, each.twin, name), rate(view, each, name))
                   for name in summaries(each.name) if not name.endswith("RGP-TS")}
        held = [within(NOT_APART, change) for change in changes.values()]
        farthest = max(changes, key=lambda name: max(-changes[name].low, changes[name].high))
        yield Case(each.panel, f"{farthest} {changes[farthest]:+.1f} points",
                   False if False in held else None if None in held else True)


def regrets_differ(view):
    for each in everything(view._replace(discounted=True)):
        ratios = {name: regret(view, each.twin, name) / regret(view, each, name)
                  for name in summaries(each.name)}
        least = min(ratios, key=ratios.get)
        yield Case(each.panel, f"at least {ratios[least]:.2f} times as much ({least})",
                   ratios[least] > 1 + DIFFERENT)


def leads(view, each, agent):
    """SS-SARSA's lead over 1RGP-TS in reward, with discount and without."""
    return [regret(view, x, "1RGP-TS") - regret(view, x, agent) for x in (each, each.twin)]


def difference_grows(view, agent):
    for each in peaked(view._replace(discounted=True)):
        first, second = (gap(view, x, "1RGP-TS", agent) for x in (each, each.twin))
        more = abs(second.value) - abs(first.value)
        half = np.hypot(first.high - first.value, second.high - second.value)
        yield Case(each.panel, f"{agent} minus 1RGP-TS in reward: {signed(first)} discounted, "
                   f"{signed(second)} without discount", more - half > 0)


def lead_grows(view, agent):
    for each in peaked(view._replace(discounted=True)):
        with_discount, without = leads(view, each, agent)
        yield Case(each.panel, f"{with_discount:+,.0f} and {without:+,.0f}",
                   without > with_discount > 0)


def performs_well(view, agent):
    """By the paper's measures: the rate, and the reward where it has no rate."""
    yield from reaches(view, [each for each in everything(view) if each.shape != "peaked"],
                       [agent])
    yield from low_regret(view, peaked(view), agent)


def well_without_discount(view, agent):
    return performs_well(view._replace(discounted=False), agent)


def six_arms(shapes=("increasing", "peaked")):
    """The settings with six arms and Bernoulli rewards, as sweeps call them."""
    for setting in ("6-hetero", "6-homo"):
        for shape in shapes:
            (each,) = rb.experiments(setting, shape, "bernoulli", discounted=True).values()
            yield each, {"s_max": each.bandit.s_max, "shape": shape}


@cache
def by_t0(shape, s_max):
    """The regrets with the paper's t0, and the differences of deviations against smaller ones."""
    *small, large = (swept("steps").where(shape=shape, s_max=s_max, t0=t0).regret
                     for t0 in (50, 500, 5000))
    return large, {t0: deviations(large, each) for t0, each in zip((50, 500), small, strict=True)}


def steadier_by_t0(holds):
    for each, where in six_arms():
        large, found = by_t0(**where)
        for t0, apart in found.items():
            yield Case(f"{each.panel}, against t0 = {t0}",
                       f"t0 = 5,000: {width(np.std(large))}; {signed(apart)}", holds(apart))


@once
def large_t0_is_steadier(view=OURS):
    return steadier_by_t0(lambda found: found.high < 0)


@once
def large_t0_is_no_less_steady(view=OURS):
    return steadier_by_t0(lambda found: found.low <= 0)


@once
def more_exploration_costs(view=OURS):
    for each, where in six_arms():
        runs = {share: swept("exploring").where(explore=share, **where)
                for share in (0.1, 0.2, 0.4)}
        more = [more_regret(longer, shorter) for shorter, longer in pairwise(runs.values())]
        yield Case(each.panel, ", ".join(f"E = {share} T: {some.mean_regret.value:,.0f}"
                                         for share, some in runs.items()),
                   all(found.low > 0 for found in more))


@once
def less_exploration_misses(view=OURS):
    for each, where in six_arms():
        low, ours = (swept("exploring").where(explore=share, **where).rate
                     for share in (0.01, 0.1))
        found = rb.compare_rates(low, ours)
        yield Case(each.panel, f"E = 0.01 T: {low:.1%}, E = 0.1 T: {ours:.1%}: "
                   f"{found:+.1f} points", found.high < 0)


BAND = "Width of the 5-95% band of the regret at the end; holds if"
RATES = "Rates of optimal policy with 95% intervals; holds if"
APART = "the 95% interval of the difference"
DIFFERENCE = "Difference of mean regrets with its 95% interval; holds if"
IDENTIFIES = ("We take it that learning is what fails. The same two-step plan with all means "
              "known, over 1,000 runs: learning is a cause if it ends optimally more often than "
              f"2RGP-TS ({APART} lies above zero), and the cause if it avoids most of 2RGP-TS's "
              "failures.")

CLAIMS = [
    Claim("headline-rewards", "abstract, 1", "SS-SARSA is superior in cumulative rewards.",
          "Mean regret against the other agent with the highest mean reward, in all discounted "
          "experiments; holds if SS-SARSA's is not larger, with its 95% interval.",
          "why", most_reward, readings=True, also={"if it must be ahead": lambda view, agent:
                                                   most_reward(view, agent, ahead=True)}),
    Claim("normal-is-harder", "6.1",
          "Normal rewards, with their larger variance, make learning harder.",
          "Mean regret of every agent in every setting, normal minus Bernoulli; holds if the 95% "
          "interval lies above zero.", "small", worse_with_noise),
    Claim("large-t0-is-steadier", "6.1", "A large t0 makes learning more stable.",
          "Standard deviation of SS-SARSA's regret over 1,000 runs, with the paper's t0 = "
          f"5,000 minus that with 50 or 500; holds if {APART} lies below zero.", "sensitivity",
          large_t0_is_steadier,
          also={"if it need only not be less stable": large_t0_is_no_less_steady}),
    Claim("more-exploration-costs", "6.1", "Too much exploration leads to large regret.",
          "Mean regret over 1,000 runs; holds if it grows from E = 0.1 T to 0.2 T and 0.4 T: the "
          "95% intervals of both differences lie above zero.", "sensitivity",
          more_exploration_costs),
    Claim("less-exploration-misses", "6.1",
          "Too little exploration leads to a low probability of choosing the best arm.",
          "Rates over 1,000 runs; holds if E = 0.01 T has a lower one than the paper's "
          f"0.1 T: {APART} lies below zero.", "sensitivity", less_exploration_misses),
    Claim("small-generally-optimal", "6.2.1",
          "Small problem, Bernoulli: all agents but 2RGP-TS generally achieve the optimal policy.",
          f"{RATES} they lie at or above the share that is called most.", "small",
          lambda view, agent: reaches(view, small(view), (agent, *TABULAR, "1RGP-TS")),
          readings=True),
    Claim("small-1rgp-slightly-unstable", "6.2.1", "There, 1RGP-TS is slightly unstable.",
          f"{BAND} 1RGP-TS's is wider than those of the three value learners.", "small",
          slightly_unstable),
    Claim("small-2rgp-poor", "6.2.1", "There, 2RGP-TS does not perform well.",
          f"{RATES} 2RGP-TS's is the lowest: {APART} to the next lies below zero.", "small",
          lambda view: lower_than_all(view, small(view), "2RGP-TS"),
          also={"if it must fail in most runs": lambda view: misses(
              view, small(view), ("2RGP-TS",))}),
    Claim("small-2rgp-cause", "6.2.1",
          "The cause: 2RGP-TS fails to identify the best sequence of arms.",
          IDENTIFIES, "drgp_ts",
          lambda view: learning_explains_most(view, small(view)), also={
              "if one cause of several is enough": lambda view: two_steps_with_known_means(
                  small(view)),
              "if a plan that is too short is meant": lambda view: plan_explains_most(
                  view, small(view))}),
    Claim("six-tabular-miss", "6.2.2",
          "Six arms: Q-learning and SARSA do not achieve the optimal policy.",
          f"{RATES} they lie below the share that is called most.", "monotone",
          lambda view: misses(view, chosen(view, "6-hetero", "6-homo"), TABULAR)),
    Claim("six-ss-reaches", "6.2.2", "Six arms: SS-SARSA reaches it in most trials.",
          f"{RATES} they lie at or above the share that is called most.", "monotone",
          lambda view, agent: reaches(view, chosen(view, "6-hetero", "6-homo"), (agent,)),
          readings=True),
    Claim("six-ss-flat", "6.2.2",
          "Six arms: SS-SARSA's regret does not increase after the exploration.",
          f"Share of its median regret that comes after round 0.1 T; holds below {FLAT:.0%}.",
          "monotone", flat_after_exploring, readings=True),
    Claim("six-hetero-1rgp-lower", "6.2.2", "6-Hetero: 1RGP-TS has a lower rate than SS-SARSA.",
          f"{RATES} SS-SARSA's is the higher: {APART} lies above zero.", "monotone",
          lambda view, agent: higher_rate(view, chosen(view, "6-hetero"), agent, "1RGP-TS"),
          readings=True),
    Claim("six-hetero-1rgp-cause", "6.2.2",
          "The cause: 1RGP-TS now and then fails to find the optimal policy ...",
          "The largest regret of its 1,000 runs; holds if it reaches what settling in the mildest "
          "wrong cycle after a tenth of the rounds would cost.", "monotone", kept_losing,
          also={"if an end that is not optimal is enough": now_and_then_ends_otherwise}),
    Claim("six-hetero-1rgp-grows", "6.2.2",
          "... which can be seen by the increase of its regret.",
          f"Share of 1RGP-TS's median regret that comes after round 0.1 T; holds at {FLAT:.0%} or "
          f"more.", "monotone", grows_after_exploring),
    Claim("six-hetero-1rgp-noise", "6.2.2",
          "6-Hetero: 1RGP-TS's failures are more notable with normal rewards.",
          "The paper sees it by the increase of cumulative regret: mean regret, normal minus "
          "Bernoulli; holds if the 95% interval lies above zero.", "monotone",
          more_regret_from_noise, also={"by the rate": more_failures_from_noise}),
    Claim("six-hetero-2rgp-fails", "6.2.2", "6-Hetero: 2RGP-TS tends to fail.",
          f"{RATES} they lie below the share that is called most.", "monotone",
          lambda view: misses(view, chosen(view, "6-hetero"), ("2RGP-TS",))),
    Claim("six-hetero-2rgp-cause", "6.2.2",
          "6-Hetero: 2RGP-TS fails for the same reason as in the small problem.",
          IDENTIFIES, "monotone",
          lambda view: learning_explains_most(view, chosen(view, "6-hetero")), also={
              "if one cause of several is enough": lambda view: two_steps_with_known_means(
                  chosen(view, "6-hetero")),
              "if a plan that is too short is meant": lambda view: plan_explains_most(
                  view, chosen(view, "6-hetero"))}),
    Claim("six-scales", "6.2.2",
          "Six arms: SS-SARSA and 1RGP-TS cope much better with the larger state space than "
          "Q-learning and SARSA.",
          f"{RATES} theirs is higher: {APART} lies above zero.", "monotone", scales_better,
          readings=True),
    Claim("ten-tabular-memory", "6.2.2",
          "Ten arms: SARSA and Q-learning require a large memory.",
          "Memory for a table of all joint states, as the paper counts them; holds if it is large.",
          "monotone", memory_of_tables,
          also={"for the states that are met": memory_of_met_states}),
    Claim("ten-hetero-low-regret", "6.2.2", "10-Hetero: SS-SARSA has low regret.",
          "Mean regret as a share of the optimal value; holds if it is low.", "monotone",
          lambda view, agent: low_regret(view, chosen(view, "10-hetero"), agent), readings=True,
          also={"against the least regret of the others": lambda view, agent:
                near_the_least_regret(view, chosen(view, "10-hetero"), agent)}),
    Claim("ten-hetero-competitive", "6.2.2",
          "10-Hetero: SS-SARSA is competitive with 1RGP-TS in the rate of optimal policy.",
          f"Rates; holds if {APART} lies above -{COMPETITIVE:.0f} points, not if below; else "
          f"undecided.", "monotone", lambda view, agent: competitive_rate(
              view, chosen(view, "10-hetero"), agent, "1RGP-TS"), readings=True),
    Claim("ten-hetero-higher-rate", "6.2.2", "10-Hetero: SS-SARSA has a higher rate than 1RGP-TS.",
          f"{RATES} SS-SARSA's is the higher: {APART} lies above zero.", "monotone",
          lambda view, agent: higher_rate(view, chosen(view, "10-hetero"), agent, "1RGP-TS"),
          readings=True),
    Claim("ten-hetero-steadier", "6.2.2",
          "10-Hetero: SS-SARSA's regret is more stable than 1RGP-TS's.",
          f"{BAND} SS-SARSA's is the narrower.", "monotone",
          lambda view, agent: steadiest(view, chosen(view, "10-hetero"), agent, ("1RGP-TS",)),
          readings=True),
    Claim("ten-hetero-2rgp-worst", "6.2.2", "10-Hetero: 2RGP-TS is the worst of the three.",
          "Mean regret and rate; holds if it has the largest regret and the lowest rate.",
          "monotone", worst_of_three, readings=True,
          also={"by the regret alone": lambda view, agent: worst_of_three(
              view, agent, by_rate=False),
                "by the rate alone": lambda view, agent: worst_of_three(
                    view, agent, by_regret=False)}),
    Claim("ten-homo-more-regret", "6.2.2", "10-Homo: SS-SARSA has more regret than 1RGP-TS.",
          f"{DIFFERENCE} it lies above zero.", "monotone",
          lambda view, agent: less_regret(view, chosen(view, "10-homo"), "1RGP-TS", agent),
          readings=True),
    Claim("ten-homo-cause", "6.2.2", "The cause: its exploration phase.",
          f"Share of SS-SARSA's median regret in its exploration; holds above {1 - FLAT:.0%}.",
          "monotone", regret_is_exploration, readings=True),
    Claim("ten-homo-competitive", "6.2.2", "10-Homo: SS-SARSA's rate is competitive.",
          f"Rates, held against 1RGP-TS's; holds if {APART} lies above -{COMPETITIVE:.0f} points, "
          f"not if below; else undecided.", "monotone", lambda view, agent: competitive_rate(
              view, chosen(view, "10-homo"), agent, "1RGP-TS"), readings=True),
    Claim("monotone-most-stable", "6.2.2",
          "With monotone rewards SS-SARSA is the most stable agent in any case.",
          f"{BAND} SS-SARSA's is the narrowest of all agents.", "monotone",
          lambda view, agent: steadiest(view, chosen(view, *SETTINGS), agent), readings=True),
    Claim("hetero-low-regret", "6.2.2", "Heterogeneous arms: SS-SARSA has low regret.",
          "Mean regret as a share of the optimal value; holds if it is low.", "monotone",
          lambda view, agent: low_regret(view, chosen(view, *HETERO), agent), readings=True,
          also={"against the least regret of the others": lambda view, agent:
                near_the_least_regret(view, chosen(view, *HETERO), agent)}),
    Claim("hetero-highest-rate", "6.2.2", "Heterogeneous arms: SS-SARSA has the highest rate.",
          f"{RATES} no other agent's is higher: {APART} does not lie below zero.", "monotone",
          lambda view, agent: highest_rate(view, chosen(view, *HETERO), agent), readings=True,
          also={"if it must be ahead": lambda view, agent: highest_rate(
              view, chosen(view, *HETERO), agent, ahead=True)}),
    Claim("homo-1rgp-better", "6.2.2", "Homogeneous arms: 1RGP-TS is better than SS-SARSA ...",
          f"{DIFFERENCE} 1RGP-TS has less.", "monotone",
          lambda view, agent: less_regret(view, chosen(view, *HOMO), "1RGP-TS", agent),
          readings=True),
    Claim("homo-1rgp-only-slightly", "6.2.2", "... but only slightly.",
          "SS-SARSA's mean regret as a multiple of 1RGP-TS's; holds if it is slight.", "monotone",
          only_slightly, readings=True,
          also={"as a share of the optimal value": only_slightly_of_the_optimum}),
    Claim("1rgp-unstable", "6.2.2",
          "1RGP-TS becomes unstable with heterogeneous arms and rewards of high variance.",
          "Width of the 5-95% band of 1RGP-TS's regret; holds if of the four settings with as many "
          "arms the heterogeneous one with normal rewards has the widest.", "monotone",
          unstable_with_both, also={"in proportion to its regret": lambda view:
                                    unstable_with_both(view, in_proportion=True)}),
    Claim("peaked-better-or-competitive", "6.2.3",
          "Increasing-then-decreasing: SS-SARSA does better than the others, or competitively.",
          "Mean cumulative reward, the paper's measure there; holds if it is competitive.",
          "peaked", better_or_competitive, readings=True),
    Claim("peaked-homo-no-more-regret", "6.2.3",
          "There, SS-SARSA does not have more regret than 1RGP-TS even with homogeneous arms.",
          f"{DIFFERENCE} it reaches zero or lies below.", "peaked", no_more_regret_than_1rgp,
          readings=True),
    Claim("peaked-homo-cause", "6.2.3",
          "The reason: Uniform-Explore-First updates all states evenly.",
          "Mean regret in 6-Homo with increasing-then-decreasing rewards, against SS-SARSA with "
          f"random exploration; holds if {APART} lies below zero.", "peaked",
          evenness_saves_regret, readings=True),
    Claim("overall-stability", "6.2.3",
          "Overall, SS-SARSA's regret is more stable than that of all other agents.",
          f"{BAND} SS-SARSA's is the narrowest (all 18 discounted experiments).", "peaked",
          lambda view, agent: steadiest(view, everything(view), agent), readings=True),
    Claim("overall-rate", "1, 6.2.3",
          "Overall, SS-SARSA has the highest rate of optimal policy.",
          f"{RATES} no other agent's is higher: {APART} does not lie below zero (all 18 discounted "
          f"experiments; the paper has no rates for the increasing-then-decreasing ones).",
          "peaked", lambda view, agent: highest_rate(view, everything(view), agent), readings=True,
          also={"where the paper has rates": lambda view, agent: highest_rate(
              view, [each for each in everything(view) if each.shape != "peaked"], agent),
                "if it must be ahead": lambda view, agent: highest_rate(
                    view, everything(view), agent, ahead=True)}),
    Claim("closest-rival", "6.2.3", "The only agent that comes close to SS-SARSA is 1RGP-TS.",
          "Mean regret of 1RGP-TS minus the least of the other agents that are no form of "
          f"SS-SARSA; holds unless {APART} lies above zero.", "peaked", closest_rival),
    Claim("1rgp-worse-hetero", "6.2.3",
          "1RGP-TS's performance significantly decreases with heterogeneous arms.",
          "Mean regret against the homogeneous setting with as many arms, for both shapes of "
          "rewards; holds if the 95% interval lies above zero.", "monotone",
          more_regret_in_hetero, also={"by the rate": lower_rate_in_hetero}),
    Claim("1rgp-worse-peaked", "6.2.3",
          "1RGP-TS's performance significantly decreases with non-monotone rewards.",
          "Mean regret against increasing rewards; holds if the 95% interval lies above zero.",
          "peaked", more_regret_when_peaked, also={"by the rate": lower_rate_when_peaked}),
    Claim("undiscounted-similar-rates", "B",
          "Without discount, rates of optimal policy are similar to those with discount.",
          f"Change of the rate of every agent that learns by a discount; holds if {APART} lies "
          f"within {COMPETITIVE:.0f} points of zero, not if beyond for any agent; else undecided. "
          f"The agent whose interval reaches farthest is shown.", "undiscounted", similar_rates),
    Claim("undiscounted-regret-differs", "B",
          "Cumulative regret and rewards differ, because late rewards count in full.",
          "Mean regret without discount as a multiple of that with it; holds if it is larger by "
          f"more than {DIFFERENT:.0%} for every agent.", "undiscounted", regrets_differ),
    Claim("undiscounted-difference", "B",
          "Increasing-then-decreasing: without discount the difference in rewards between "
          "SS-SARSA and 1RGP-TS is greater.",
          "Difference of mean rewards; holds if it is larger in size, beyond chance, whoever is "
          "ahead.",
          "undiscounted", difference_grows, readings=True,
          also={"if SS-SARSA must be ahead": lead_grows}),
    Claim("undiscounted-well", "6.1, B", "SS-SARSA performs well without discount, too.",
          "By the paper's measures: the rate, and with increasing-then-decreasing rewards the "
          "reward; holds if the rate is that of most runs, and the regret low.", "undiscounted",
          well_without_discount, readings=True),
    Claim("well-monotone", "7", "SS-SARSA performs well with monotone rewards.",
          f"{RATES} they lie at or above the share that is called most.", "monotone",
          lambda view, agent: reaches(
              view, [each for each in everything(view) if each.shape != "peaked"], (agent,)),
          readings=True),
    Claim("well-peaked", "7", "SS-SARSA performs well with non-monotone rewards.",
          "Mean regret as a share of the optimal value; holds if it is low.", "peaked",
          lambda view, agent: low_regret(view, peaked(view), agent), readings=True,
          also={"by the rate": lambda view, agent: reaches(view, peaked(view), (agent,))}),
    Claim("too-many-combinations", "7",
          "With many arms and a large s_max even SS-SARSA meets too many combinations.",
          "The paper names no size, and none of its settings is beyond that size.", "why", None),
    Claim("no-real-data", "7", "There are no real data with enough observations of one person.",
          "A statement about the world, not about the algorithm.", "why", None),
]
