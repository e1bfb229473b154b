"""The claims of the paper's sections 1 to 5 and of its appendix A: counted, solved or played."""

import json
from itertools import pairwise, product
from math import ceil, log
from pathlib import Path

import numpy as np
from claim import Case, Claim, once
from measures import (
    minus,
    more_regret,
    rate,
    signed,
    summaries,
    swept,
    switched,
    ten_arms,
    up_to_six,
    within,
)
from rules import CLOSE, COMPETITIVE, EVEN, NOT_APART, OURS, SPARE

import rb_core as rb

SETTINGS = {each.setting: each for each in rb.experiments(
    shape="increasing", reward="bernoulli", discounted=False).values()}
SIZES = {name: each.bandit.means.shape for name, each in SETTINGS.items()}
TABLE = {name: each for name, each in SETTINGS.items() if each.has_shapes}
START, PEAK = 0.1, 0.6  # mean rewards of the paper's table
LISTED = 1000  # joint states that are gone through one by one


@once
def joint_states(view=OURS):
    for (name, (arms, s_max)), least in zip(
        SIZES.items(), (27, 7e2, 4.6e4, 9e6, 1e10), strict=True
    ):
        count = s_max**arms
        yield Case(name, f"{count:,} joint states", least <= count < (1 + CLOSE) * least)


def listed_states(arms, s_max):
    """Every joint state that can be met."""
    return rb.q_star(rb.RecoveringBandit(np.zeros((arms, s_max))), 0.5).states


@once
def never_visited(view=OURS):
    for name, (arms, s_max) in SIZES.items():
        if s_max**arms > LISTED:
            continue  # listed here; the chapter has the closed form for all
        states = listed_states(arms, s_max)
        shared = sum((state == 1).sum() > 1 for state in states)
        yield Case(
            name,
            f"{shared} of {len(states):,} reachable states have two arms in state 1; "
            f"{s_max**arms - len(states):,} of {s_max**arms:,} joint states are never visited",
            shared == 0 and len(states) < s_max**arms,
        )


def entries_met(states):
    """Row by row the entries that the pairs of these states and an arm average, and how many."""
    found, rows = {}, []
    for state, a in product(states, range(states.shape[1])):
        rows.append([found.setdefault((k, s, state[a], a), len(found))
                     for k, s in enumerate(state)])
    return rows, len(found)


def distance_from_class(bandit, gamma):
    """How far Q* is from every average of SS-Q-functions, relative to its own spread."""
    q = rb.q_star(bandit, gamma)
    values = q.values - q.values.mean()
    rows, count = entries_met(q.states)
    design = np.zeros((len(rows), count))
    np.put_along_axis(design, np.array(rows), 1 / bandit.arms, axis=1)
    fitted = design @ np.linalg.lstsq(design, values.ravel(), rcond=None)[0]
    return np.abs(fitted - values.ravel()).max() / np.ptp(values)


@once
def average_recovers_q(view=OURS):
    small = {
        "small": rb.setting("small"),
        "6-hetero increasing": rb.setting("6-hetero"),
        "6-hetero peaked": rb.setting("6-hetero", "peaked"),
    }
    rng = np.random.default_rng(0)
    small |= {
        f"random means (seed 0), K = s_max = 4, no. {i + 1}": rb.RecoveringBandit(
            rng.random((4, 4)))
        for i in range(5)
    }
    for name, bandit in small.items():
        gap = distance_from_class(bandit, 0.99)
        yield Case(name, f"discount 0.99: largest error of the best average {gap:.1%} of the "
                   f"range of Q*", gap < 1e-9, beyond="random" in name)


@once
def entries(view=OURS):
    for name, (arms, s_max) in SIZES.items():
        # The entry (k, s_k, s_a, a) with k = a has one state, not two.
        distinct = arms * (arms - 1) * s_max**2 + arms * s_max
        bound = s_max**2 * arms**2
        yield Case(name, f"{distinct:,} entries, {bound:,} by the formula, {s_max**arms * arms:,} "
                   f"in a table of joint states", distinct <= bound <= s_max**arms * arms)


@once
def same_size_when_small(view=OURS):
    arms, s_max = SIZES["small"]
    rows, met = entries_met(listed_states(arms, s_max))
    stated, joint = s_max**2 * arms**2, s_max**arms * arms
    yield Case("by the paper's formulas", f"{stated} and {joint}", stated == joint)
    yield Case("counting what can be met", f"{met} entries and {len(rows)} pairs",
               met == len(rows))


def one_update(seed):
    """One SS-SARSA update on random estimates: the step of each pair's average, and SARSA's."""
    rng = np.random.default_rng(seed)
    arms, s_max, alpha, gamma, reward = 3, 3, 0.1, 0.9, 1.0
    q = rng.random((arms, s_max + 1, s_max + 1, arms))  # k, s_k, s_a, a
    states = listed_states(arms, s_max)
    k = np.arange(arms)

    def average():
        return np.array([[q[k, s, s[a], a].mean() for a in range(arms)] for s in states])

    at = rng.integers(len(states))
    s, a, after = states[at], rng.integers(arms), rng.integers(arms)
    following = np.minimum(s + 1, s_max)
    following[a] = 1
    before = average()
    target = reward + gamma * q[k, following, following[after], after]
    sarsa = alpha * (target.mean() - before[at, a])
    q[k, s, s[a], a] += alpha * (target - q[k, s, s[a], a])
    step = average() - before
    visited = np.zeros(step.shape, bool)
    visited[at, a] = True
    return step[visited][0], sarsa, int((np.abs(step[~visited]) > 1e-12).sum())


def agree(gap):
    """Said without digits, because those of a rounding error differ between machines."""
    return "agree to 1e-12" if gap < 1e-12 else f"differ by up to {gap:.2g}"


@once
def visited_pair(view=OURS):
    gaps = [abs(step - sarsa) for step, sarsa, _ in map(one_update, range(100))]
    yield Case("100 random updates, K = s_max = 3",
               f"the two steps {agree(max(gaps))}", max(gaps) < 1e-12)


@once
def only_visited_pair(view=OURS):
    moved = [others for *_, others in map(one_update, range(100))]
    yield Case("100 random updates, K = s_max = 3",
               f"{min(moved)} to {max(moved)} other pairs move, too", max(moved) == 0)


def p_state(arms, s_max):
    """P(arm 1 is pulled in state i) under random pulling, in the long run, by the Markov chain."""
    chain = np.zeros((s_max, s_max))
    for i in range(s_max):
        chain[i, 0] += 1 / arms
        chain[i, min(i + 1, s_max - 1)] += 1 - 1 / arms
    law = np.linalg.matrix_power(chain, 10_000)[-1]
    return law / arms


@once
def visitation_below(view=OURS):
    for name, (arms, s_max) in SIZES.items():
        found = p_state(arms, s_max)[:-1]
        stated = (1 - 1 / arms) ** np.arange(s_max - 1) / arms**2
        gap = np.abs(found - stated).max()
        yield Case(name, f"formula and chain {agree(gap)}", gap < 1e-12)


@once
def visitation_numbers(view=OURS):
    for (arms, s_max), at, before in (((6, 6), 0.067, 0.013), ((6, 3), 0.116, 0.023)):
        found = p_state(arms, s_max)
        yield Case(f"K = {arms}, s_max = {s_max}", f"{found[-1]:.4f} and {found[-2]:.4f}",
                   (round(found[-1], 3), round(found[-2], 3)) == (at, before))


@once
def visitation_at_max(view=OURS):
    for name, (arms, s_max) in SIZES.items():
        found = p_state(arms, s_max)
        printed = 1 - found[:-1].sum()
        yield Case(name, f"formula {printed:.3f}, chain {found[-1]:.3f}",
                   abs(printed - found[-1]) < 1e-12)


@once
def more_at_max(view=OURS):
    for arms, s_max in (*SIZES.values(), (3, 5), (6, 12), (10, 24)):
        found = p_state(arms, s_max)[-1]
        yield Case(f"K = {arms}, s_max = {s_max}", f"{found:.4f} against {1 / arms**2:.4f}",
                   found > 1 / arms**2, beyond=(arms, s_max) not in SIZES.values())


@once
def stationary_from(view=OURS):
    for name, (arms, s_max) in SIZES.items():
        law = np.eye(s_max)[-1]  # round 1: every arm in state s_max
        first = {}
        for t in range(1, 2 * s_max + 1):
            stays = np.allclose(law / arms, p_state(arms, s_max), atol=1e-12)
            first.setdefault(stays, t)
            moved = np.append(0.0, law[:-1]) * (1 - 1 / arms)
            moved[-1] += law[-1] * (1 - 1 / arms)
            moved[0] = 1 / arms
            law = moved
        yield Case(name, f"stationary from round {first.get(True)} on", first.get(True) == s_max)


def below_max(bandit, visits, rounds=100_000):
    """Pulls in each state below s_max when all rounds explore."""
    agent = rb.SSSarsa(1.0, explore=1.0, visits=visits)
    played = rb.trace(bandit, agent, rounds)
    return np.bincount(played.states, minlength=bandit.s_max + 1)[1:-1]


@once
def even_exploration(view, agent):
    visits = "separated" if "sep" in agent else "joint"
    for name, (arms, s_max) in SIZES.items():
        counts = below_max(rb.setting(name), visits)
        law = p_state(arms, s_max)[:-1]
        own, random = (each.max() / each.min() for each in (counts, law))
        yield Case(name, f"most pulled state below s_max: {own:.2f} times the least pulled one; "
                   f"with random pulling {random:.2f}", own - 1 < EVEN * (random - 1))


def better_than_random_exploration(view, agent):
    """SS-SARSA that explores as the paper says, against one that pulls at random while exploring.

    Which arm is pulled while exploring does not depend on rewards, so that both explore equally
    long and are judged by how they end.
    """
    for each in up_to_six(view):
        own, found = rate(OURS, each, agent), switched(
            "variants", each, exploration="random").rate
        more = rb.compare_rates(own, found)
        if found.high < view.room:
            yield Case(each.panel, f"{agent} {own:.1%}, with random exploration {found:.1%}: "
                       f"{more:+.1f} points", more.low > 0)


def harm(each):
    """Rate with random exploration minus that with nearly even updates, and both in words."""
    even, random = (rate(OURS, each, "SS-SARSA (sep.)"),
                    switched("variants", each, exploration="random").rate)
    found = rb.compare_rates(random, even)
    return random, found, (f"nearly even {even:.1%}, random {random:.1%}: {found:+.1f} points")


def uneven_updates_harm(view=OURS):
    for each in up_to_six(view):
        random, found, said = harm(each)
        if random.high < view.room:
            yield Case(each.panel, said, found.high < 0)


def more_harm_when_peaked(view=OURS):
    for each in up_to_six(view):
        if each.shape == "peaked":
            (other,) = rb.experiments(each.setting, "increasing", each.reward,
                                      each.discounted).values()
            found = minus(harm(each)[1], harm(other)[1])
            yield Case(each.panel, f"{harm(each)[1]:+.1f}, {other.short} {harm(other)[1]:+.1f}: "
                       f"{found:+.1f} points more", found.high < 0)


def less_regret_than_random_exploration(view, agent):
    for each in up_to_six(view):
        found = more_regret(switched("variants", each, exploration="random"),
                            summaries(each.name)[agent])
        yield Case(each.panel, f"with random exploration {signed(found)}", found.low > 0)


def ties_do_not_matter(view=OURS):
    for each in up_to_six(view):
        yield tied(each, switched("switches", each, ties="first", visits="joint", steps="round",
                                  future="pulled", explore=0.1))
    for each in ten_arms(view, "bernoulli"):
        yield tied(each, swept("one-switch-ten").where(
            ties="first", s_max=each.bandit.s_max, shape=each.shape))


def tied(each, first):
    """Do random ties and the lowest index end alike?"""
    random = rate(OURS, each, "SS-SARSA")
    found = rb.compare_rates(first.rate, random)
    return Case(each.panel, f"end optimally: {random:.1%} with random ties, {first.rate:.1%} with "
                f"the lowest index: {found:+.1f} points", within(NOT_APART, found))


def looks_ahead(view, agent):
    """SS-SARSA against one whose future is switched off."""
    visits = "separated" if "sep" in agent else "joint"
    for each in up_to_six(view):
        one, other = rate(OURS, each, agent), switched(
            "variants", each, future="none", visits=visits, steps="round").rate
        more = rb.compare_rates(one, other)
        if other.high < view.room:
            yield Case(each.panel, f"end optimally: {one:.1%} with a future, {other:.1%} without: "
                       f"{more:+.1f} points", more.low > 0)


@once
def glie(view=OURS):
    """Does Uniform-Explore-First go on visiting every pair?"""
    for name in ("small", "6-hetero"):
        bandit, rounds = rb.setting(name), 100_000
        played = rb.trace(bandit, rb.SSSarsa(rb.paper_gamma(rounds)), rounds)
        states = rb.states_along(bandit, played.arms)[:-1]
        late = {(tuple(s), int(a)) for s, a in zip(
            states[rounds // 10 :].tolist(), played.arms[rounds // 10 :], strict=True)}
        pairs = rb.reachable_states(bandit.arms, bandit.s_max) * bandit.arms
        yield Case(name, f"{len(late)} of {pairs} pairs are visited in the {rounds * 9 // 10:,} "
                   f"rounds after its exploration", len(late) == pairs)


@once
def global_steps(view=OURS):
    """Tabular SARSA with the theorem's steps: one state, two arms, a GLIE policy, no noise."""
    rewards, gamma, rounds = (1.0, 0.5), 0.5, 1_000_000
    exact = 1.0 / (1 - gamma) * gamma + rewards[1]
    for seed in range(3):
        found = two_arms(rewards, gamma, rounds, seed)
        yield Case(f"two arms, epsilon = 5/t, run {seed + 1}",
                   f"after {rounds:,} rounds {found:.2f}, where Q* = {exact:.2f}",
                   abs(found - exact) < CLOSE * exact, beyond=True)


def two_arms(rewards, gamma, rounds, seed):
    """Q-hat of the second arm, which is pulled infinitely often but at steps that soon are small.

    In round t the policy pulls a random arm with probability 5/t and else the better one.
    """
    rng, q, last = np.random.default_rng(seed), [0.0, 0.0], None
    chance = rng.random((rounds, 2))
    for t in range(1, rounds + 1):
        epsilon = 5 / t
        explores = chance[t - 1, 0] < epsilon
        arm = int(chance[t - 1, 1] * 2) if explores else int(q[1] > q[0])
        if last is not None:
            q[last] += (rewards[last] + gamma * q[arm] - q[last]) / (t - 1 + 1)
        last = arm
    return q[1]


# No SS-Q-functions have this bandit's optimal policy: chapter ss_q_functions proves it.
NO_POLICY = ((0.1, 0.1, 0.2, 0.6, 0.9), (0.1, 0.15, 0.6, 0.7, 0.75),
             (0.2, 0.3, 0.35, 0.75, 0.95), (0.1, 0.2, 0.6, 0.75, 1.0))
# State, the optimal arm there, and another arm. Added up, an average would have to exceed itself.
PREFERENCES = (((1, 5, 2, 5), 2, 4), ((5, 1, 2, 5), 4, 1), ((5, 5, 2, 1), 1, 2),
               ((1, 5, 4, 5), 4, 2), ((5, 1, 4, 5), 1, 4), ((5, 5, 4, 1), 2, 1))


@once
def bellman_optimality(view=OURS):
    for name in ("small", "6-hetero"):
        found = distance_from_class(rb.setting(name), 0.99)
        yield Case(name, f"largest error of the best average: {found:.1%} of the range of Q*",
                   found < 1e-9)
    q = rb.q_star(rb.RecoveringBandit(NO_POLICY), 0.99)
    strict = [float(q.of(state)[one - 1] - q.of(state)[other - 1])
              for state, one, other in PREFERENCES]
    yield Case("a bandit with K = 4, s_max = 5", f"six preferences of Q*, by {min(strict):.3f} or "
               f"more, that no average of SS-Q-functions can have at once",
               min(strict) <= 0, beyond=True)


def sequences_planned(holds):
    bench = json.loads((Path(__file__).parents[1] / "benchmark.json").read_text())["speed"]
    time = {(each["size"], each["agent"]): each["compiled"] for each in bench}
    for agent, power in (("1RGP-TS", 1), ("2RGP-TS", 2)):
        six, ten = time["K = 6, s_max = 6", agent], time["K = s_max = 10", agent]
        bound = (10 / 6) ** power
        yield Case(f"{agent}, ten arms against six", f"a round takes {ten / six:.1f} times as "
                   f"long; K^d grows {bound:.1f} times", holds(ten / six / bound))


@once
def grows_as_sequences(view=OURS):
    return sequences_planned(lambda share: 1 / SPARE <= share <= SPARE)


@once
def grows_no_faster_than_sequences(view=OURS):
    return sequences_planned(lambda share: share <= SPARE)


@once
def estimates_approach_q_star(view=OURS):
    for name in ("small", "6-hetero", "6-homo"):
        rounds = 100_000
        q = rb.q_star(rb.setting(name), rb.paper_gamma(rounds))
        # Every estimate is at most the largest reward times the sum of all steps.
        ceiling = ceil(100 * log((rounds + 5000) / 5000)) / 100  # rounded up, as it is printed
        yield Case(name,
                   f"no estimate can exceed {ceiling:.2f} before round {rounds:,}; Q* is "
                   f"{q.values.min():,.0f} at least", ceiling >= (1 - CLOSE) * q.values.min())


@once
def counterexample(view=OURS):
    """Bandits for which no SS-Q-functions average to Q*: estimates cannot converge to it."""
    rng = np.random.default_rng(1)
    for i in range(5):
        gap = distance_from_class(rb.RecoveringBandit(rng.random((4, 4))), 0.9)
        yield Case(f"random means (seed 1), K = s_max = 4, no. {i + 1}",
                   f"discount 0.9: every average of SS-Q-functions misses Q* by {gap:.1%} of its "
                   f"range somewhere", gap < 1e-9, beyond=True)


@once
def reads_a_round(view=OURS):
    for name, (arms, _) in SIZES.items():
        yield Case(name, f"{arms} estimates updated a round, {arms**2} read to choose greedily",
                   arms**2 <= arms)


@once
def linear_in_rounds(view=OURS):
    bench = json.loads((Path(__file__).parents[1] / "benchmark.json").read_text())
    ratio = bench["scaling"]["10 times the rounds"]
    per_round = ratio / 10
    yield Case("SS-SARSA, measured by `make bench`",
               f"ten times the rounds take {ratio:.1f} times as long",
               1 / SPARE <= per_round <= SPARE)


@once
def max_operator(view=OURS):
    for name in ("small", "6-hetero"):
        bandit = rb.setting(name)
        played = rb.trace(bandit, rb.SSSarsa(1.0, explore=1.0), 10_000)
        states, k = listed_states(*bandit.means.shape), np.arange(bandit.arms)
        q = played.memory.q.reshape(bandit.arms, bandit.s_max, bandit.arms, bandit.s_max)
        values = np.array([[q[a, s[a] - 1, k, s - 1] for a in range(bandit.arms)] for s in states])
        of_maxima, of_averages = values.max(1).mean(1), values.mean(2).max(1)
        more = of_maxima - of_averages
        yield Case(f"{name}, after 10,000 rounds of exploration",
                   f"the average of maxima exceeds the maximum of averages in "
                   f"{(more > 1e-12).mean():.0%} of the joint states", bool((more > 1e-12).any()))


def maximum_ends_worse(view=OURS):
    """SS-SARSA with a maximum in each table, against the arm pulled next.

    With the paper's constants, and in a sweep with others, by which estimates have a future.
    """
    for each in up_to_six(view):
        yield held_against(each.panel, rate(OURS, each, "SS-SARSA"), switched(
            "variants", each, future="table").rate)
    table = swept("maximum")
    constants = ["shape", "gamma", "steps", "t0", "explore", "reward (given)"]
    for row in table.rows[constants].drop_duplicates().to_dict("records"):
        if view.reward in (None, row["reward (given)"]):
            yield held_against(
                f"6-Hetero, {row['shape']}: {row['reward (given)'].capitalize()}, gamma = "
                f"{row['gamma']:g}, {row['steps']} steps, t0 = {row['t0']:g}, E = "
                f"{row['explore']:g} T", *(table.where(future=future, **row).rate
                                           for future in ("pulled", "table")), beyond=True)


def maximum_misses(view=OURS):
    """Does SS-SARSA with a maximum in each table end optimally in less than most runs?"""
    for each in up_to_six(view):
        found = switched("variants", each, future="table").rate
        yield Case(each.panel, f"{found:.1%}", found.high < view.most)


def held_against(where, pulled, maximum, beyond=False):
    found = rb.compare_rates(maximum, pulled)
    return Case(where, f"end optimally: {pulled:.1%} with the pulled arm, {maximum:.1%} with a "
                f"maximum in each table: {found:+.1f} points", found.high < 0, beyond)


@once
def small_optimum(view=OURS):
    bandit = rb.setting("small")
    best = rb.optimum(bandit, 100_000, rb.paper_gamma(100_000))
    own, full = [state for arm, state in best.cycle if arm == 0], bandit.s_max
    yield Case("small", f"arm 1 has {len(own)} of the {len(best.cycle)} pulls of an optimal cycle, "
               f"in state {' and '.join(map(str, sorted(set(own))))}",
               set(own) == {full} and full * len(own) == len(best.cycle))


@once
def monotone_optimum(view=OURS):
    for name, each in TABLE.items():
        best, means = rb.optimum(each.bandit, each.rounds, 1.0), each.bandit.means
        good = all(means[arm, -1] == means.max() and state == each.bandit.s_max
                   for arm, state in best.cycle)
        yield Case(name, f"average {best.average:.3f} a round; only best arms in state s_max: "
                   f"{'yes' if good else 'no'}", good and abs(best.average - PEAK) < 1e-12)


@once
def peaked_optimum(view=OURS):
    for name, each in TABLE.items():
        best = rb.optimum(rb.setting(name, "peaked"), each.rounds, 1.0)
        lost = PEAK * each.rounds - best.value
        yield Case(name, f"{lost:.2f} less than {PEAK} T in all; {best.average:.3f} a round in the "
                   f"long run", lost > 1e-9)


@once
def table_of_rewards(view=OURS):
    for name, shape in product(TABLE, ("increasing", "peaked")):
        means = rb.setting(name, shape).means
        peak = -1 if shape == "increasing" else -2
        steps = {round(after - before, 10) for before, after in pairwise(means[0][:-1])}
        yield Case(f"{name} {shape}", f"0.1 to {means[0][peak]:.1f} in equal steps",
                   len(steps) == 1 and means[0][peak] == PEAK and means[0][0] == START)


def posterior(states, rewards, s_max, averaged):
    """A GP posterior mean from all rewards, or from the mean reward in each state only."""
    grid = np.arange(1, s_max + 1)
    kernel = np.exp(-((grid[:, None] - grid) ** 2) / (2 * 2.5**2))
    at = states - 1
    if not averaged:
        noisy = kernel[np.ix_(at, at)] + np.eye(len(at))
        return kernel[:, at] @ np.linalg.solve(noisy, rewards)
    counts = np.bincount(at, minlength=s_max)
    means = np.bincount(at, rewards, minlength=s_max) / np.maximum(counts, 1)
    return kernel @ np.linalg.solve(np.eye(s_max) + np.diag(counts) @ kernel, counts * means)


def same_posterior():
    rng = np.random.default_rng(0)
    gaps = []
    for _ in range(20):
        states, rewards = rng.integers(1, 7, 200), rng.normal(size=200)
        gaps.append(np.abs(posterior(states, rewards, 6, averaged=True)
                           - posterior(states, rewards, 6, averaged=False)).max())
    return max(gaps)


@once
def equivalent_update(view=OURS):
    gap = same_posterior()
    yield Case("20 random histories of 200 noisy rewards", f"the means {agree(gap)}",
               gap < 1e-12)


@once
def only_an_approximation(view=OURS):
    gap = same_posterior()
    yield Case("20 random histories of 200 noisy rewards", f"the means {agree(gap)}",
               gap >= 1e-12)


CLAIMS = [
    Claim("joint-states", "3",
          "There are s_max^K joint states: the sizes in the table of settings.",
          f"The power is computed; holds if it exceeds the bound that the table prints, by less "
          f"than {CLOSE:.0%}.", "the_mdp", joint_states),
    Claim("never-visited", "5, remark",
          "Some joint states are never visited, those with two arms in state 1.",
          "All reachable states are listed (settings with up to 1,000 joint states).", "the_mdp",
          never_visited),
    Claim("average-is-q", "4.1",
          "Averaging the SS-Q-functions over the arms gives back the Q-function.",
          "Q* (gamma 0.99) is projected on all averages of functions of (k, s_k, s_a, a), over "
          "reachable pairs; holds if nothing is left.", "ss_q_functions", average_recovers_q),
    Claim("average-is-bellman-optimal", "4.1",
          "The Bellman optimality equation can be had by averaging SS-Q-functions, too.",
          "Is Q*, or at least its optimal policy, that of an average? Two of the paper's settings, "
          "and a bandit of four arms; holds if it is.", "ss_q_functions", bellman_optimality),
    Claim("number-of-values", "4.1, 4.2",
          "At most s_max^2 K^2 values are to be learnt, fewer than s_max^K K.",
          "Entries are counted; holds if there are no more than the formula says, and the formula "
          "gives no more than the joint table has.", "ss_q_functions", entries),
    Claim("small-same-size", "6.1",
          "In the small problem SS-Q-functions and the Q-function have equally many values.",
          "Counted twice: by the two formulas, and as entries and pairs that can be met (two arms "
          "never share a state below s_max).", "the_mdp",
          same_size_when_small),
    Claim("visited-pair", "4.2",
          "At the visited pair, averaging the SS-SARSA updates gives the SARSA update.",
          "Both steps are computed on random estimates; holds if they agree to 1e-12.", "ss_sarsa",
          visited_pair),
    Claim("is-tabular-sarsa", "5, proof", "After averaging, SS-SARSA is tabular SARSA.",
          "Tabular SARSA moves the visited pair only; holds if no other pair's average moves.",
          "ss_sarsa", only_visited_pair),
    Claim("linear-in-rounds", "4.2", "The time is linear in the number of rounds.",
          f"Ratio of times in the committed benchmark; holds up to a factor of {SPARE}.", "status",
          linear_in_rounds),
    Claim("proportional-to-arms", "4.2",
          "The time of a round is proportional to the number of arms.",
          "Values that a round touches; holds if the greedy choice reads no more than K.",
          "ss_sarsa", reads_a_round),
    Claim("faster-than-blocks", "4.2", "It is faster than the combinatorial method of an earlier "
          "paper, whose time grows as K^(5/2) T^(9/4).",
          "That method is not part of this book; its exponent is cited, not measured.", "ss_sarsa",
          None),
    Claim("looks-far-ahead", "4.2",
          "SS-SARSA looks ahead over all rounds, where bandit methods plan a few.",
          "Rate of optimal policy of SS-SARSA against one whose updates have no future, up to six "
          "arms, where the latter leaves room; holds if the 95% interval of the difference lies "
          "above zero.",
          "ss_sarsa", looks_ahead, readings=True),
    Claim("max-does-not-average", "4.2, remark",
          "With a Q-learning update, the average of maxima would replace the maximum of averages.",
          "A theorem, no experiment: an average of maxima is never below the maximum of averages. "
          "Both are computed from tables that were learnt; holds if they differ somewhere.",
          "suspects", max_operator),
    Claim("maximum-does-not-suit", "4.2, remark",
          "Such a maximum would not suit the setting: convergence to the optimal policy would be "
          "questionable.",
          "Rate of optimal policy with a maximum in each table, against SS-SARSA's own update, "
          "with the paper's constants and with others by which estimates have a future (gamma 0.9, "
          "or larger steps); holds if the 95% interval of the difference lies below zero.",
          "suspects", maximum_ends_worse,
          also={"if it must end optimally in most runs": maximum_misses}),
    Claim("uneven-updates-harm", "4.2",
          "That some states are updated more often than others does harm ...",
          "Rate of optimal policy of SS-SARSA with random exploration, against the exploration "
          "that comes closest to even updates (separated visits), up to six arms, where random "
          "exploration leaves room; holds if the 95% interval of the difference lies below zero.",
          "why", uneven_updates_harm),
    Claim("uneven-harm-when-peaked", "4.2",
          "... above all where the state with the highest reward is not s_max.",
          "The same difference with increasing-then-decreasing rewards minus that with increasing "
          "ones; holds if its 95% interval lies below zero.", "why", more_harm_when_peaked),
    Claim("visits-below-max", "4.2",
          "Under random pulling, an arm is pulled in state i < s_max with "
          "probability (1 - 1/K)^(i-1) / K^2.",
          "Stationary law of the one-arm Markov chain; holds to 1e-12.", "exploration",
          visitation_below),
    Claim("visits-at-max", "4.2", "At s_max the probability is one minus the sum of the others.",
          "The printed formula against the chain; holds to 1e-12 (1/K in place of 1 would).",
          "exploration", visitation_at_max),
    Claim("visits-in-numbers", "4.2", "The four numbers: 0.067 and 0.013 for K = s_max = 6, 0.116 "
          "and 0.023 for K = 6, s_max = 3.",
          "The chain's values at s_max and s_max - 1; holds if they round to these.", "exploration",
          visitation_numbers),
    Claim("more-at-max", "4.2", "At s_max it is strictly more than 1/K^2.",
          "The chain, for the paper's sizes and three with a larger s_max.", "exploration",
          more_at_max),
    Claim("stationary-from-s-max", "4.2",
          "From round s_max on these probabilities no longer change.",
          "The law of an arm's state, round by round from the start; holds if it is stationary "
          "from exactly that round on.", "exploration", stationary_from),
    Claim("ties-arbitrary", "4.2", "If visit counts are tied, any arm may be chosen.",
          "Rate of optimal policy with the lowest index against random ties, in all settings (with "
          f"ten arms: Bernoulli rewards only); holds if the 95% interval of the difference lies "
          f"within {COMPETITIVE:.0f} points of zero, not if beyond; else undecided.", "why",
          ties_do_not_matter),
    Claim("explores-evenly", "4.2, 6.2.3",
          "Unlike random pulling, Uniform-Explore-First pulls arms evenly over the states below "
          "s_max.",
          f"100,000 rounds of exploration, the most pulled state below s_max against the least "
          f"pulled one; holds if the excess over 1 is less than {EVEN:.0%} of random pulling's.",
          "exploration", even_exploration, readings=True),
    Claim("better-than-random", "1, 4.2",
          "Uniform-Explore-First explores better than random pulling.",
          "Rate of optimal policy against SS-SARSA with random exploration, up to six arms, where "
          "that leaves room; holds if the 95% interval of the difference lies above zero.", "why",
          better_than_random_exploration, readings=True,
          also={"by the regret": less_regret_than_random_exploration}),
    Claim("converges", "5, theorem",
          "Under a GLIE policy the averages converge to Q* for any rewards.",
          "What the estimates can represent at all, at random means and gamma 0.9; the theorem "
          "needs an error of zero.", "ss_q_functions", counterexample),
    Claim("steps-suffice", "5, theorem",
          "The steps 1/(t + t0), the same for all pairs, suffice for that.",
          f"Tabular SARSA in one state with two arms and a GLIE policy; holds if the estimate of "
          f"the second arm is within {CLOSE:.0%} of Q* after a million rounds.",
          "what_tables_learn",
          global_steps),
    Claim("uef-is-glie", "5, remark", "Uniform-Explore-First can be considered GLIE.",
          "A GLIE policy visits every pair for ever. Pairs that are visited after the exploration; "
          "holds if it is all of them.", "what_tables_learn", glie),
    Claim("estimates-approach-q", "5, remark",
          "In practice, with enough exploration, the estimates approach Q*.",
          f"The paper's step sizes bound every estimate from above, before noise; holds if that "
          f"bound comes within {CLOSE:.0%} of the smallest Q*.", "ss_sarsa",
          estimates_approach_q_star),
    Claim("table-of-rewards", "6.1",
          "The rewards of the table start at 0.1, rise in equal steps and peak at 0.6.",
          "Our settings, made from the table's counts; holds if start, peak and steps agree.",
          "the_optimum", table_of_rewards),
    Claim("small-optimum", "6.1",
          "In the small problem it is optimal to pull arm 1 in state 3 only.",
          "The optimal cycle, computed exactly.", "the_optimum", small_optimum),
    Claim("monotone-optimum", "6.1",
          "With monotone rewards it is optimal to cycle through best arms at s_max.",
          "The optimal cycle and its average, computed exactly.", "the_optimum", monotone_optimum),
    Claim("peaked-optimum", "6.1",
          "In the increasing-then-decreasing settings the start keeps best arms from their peak, "
          "so that the optimum is not simply the best cycle.",
          "The exact optimum of T rounds without discount; holds if it is less than 0.6 T.",
          "the_optimum", peaked_optimum),
    Claim("posterior-equivalent", "A",
          "The posterior update with s_max numbers per arm equals the original one.",
          "Both posteriors of an arm after the same rewards; holds if means agree to 1e-12.",
          "drgp_ts", equivalent_update),
    Claim("posterior-approximation", "A",
          "With random rewards, using mean rewards is an approximation.",
          "The same; holds if the means differ.", "drgp_ts", only_an_approximation),
    Claim("drgp-time", "A", "The time of dRGP-TS is O(K^d T).",
          f"Time of a round in the committed benchmark, ten arms against six; holds if it grows no "
          f"more than K^d does, times {SPARE}: O(...) is a bound from above.", "drgp_ts",
          grows_no_faster_than_sequences, also={"if it must grow as fast": grows_as_sequences}),
]
