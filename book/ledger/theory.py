"""The claims of the paper's sections 3 to 5 and of its appendix A: counted, solved or played."""

import json
from itertools import pairwise, product
from math import log
from pathlib import Path

import numpy as np
from claim import Case, Claim, chapter

import rb_core as rb

SETTINGS = {each.setting: each for each in rb.experiments(
    shape="increasing", reward="bernoulli", discounted=False).values()}
SIZES = {name: each.bandit.means.shape for name, each in SETTINGS.items()}
TABLE = {name: each for name, each in SETTINGS.items() if each.has_shapes}


def joint_states():
    for (name, (arms, s_max)), least in zip(
        SIZES.items(), (27, 7e2, 4.6e4, 9e6, 1e10), strict=True
    ):
        count = s_max**arms
        yield Case(name, f"{count:,} joint states", least <= count < 1.1 * least)


def listed_states(arms, s_max):
    """Every joint state that can be met."""
    return rb.q_star(rb.RecoveringBandit(np.zeros((arms, s_max))), 0.5).states


def never_visited():
    for name, (arms, s_max) in SIZES.items():
        if s_max**arms > 1000:
            continue  # listed here; the chapter has the closed form for all
        states = listed_states(arms, s_max)
        shared = sum((state == 1).sum() > 1 for state in states)
        yield Case(
            name,
            f"{shared} of {len(states):,} reachable states have two arms in state 1; "
            f"{s_max**arms - len(states):,} of {s_max**arms:,} joint states are never visited",
            shared == 0 and len(states) < s_max**arms,
        )


def distance_from_class(bandit, gamma):
    """How far Q* is from every average of SS-Q-functions, relative to its own spread."""
    q = rb.q_star(bandit, gamma)
    values = q.values - q.values.mean()
    entries, rows = {}, []
    for state, a in product(q.states, range(bandit.arms)):
        rows.append([
            entries.setdefault((k, s, state[a], a), len(entries)) for k, s in enumerate(state)
        ])
    design = np.zeros((len(rows), len(entries)))
    np.put_along_axis(design, np.array(rows), 1 / bandit.arms, axis=1)
    fitted = design @ np.linalg.lstsq(design, values.ravel(), rcond=None)[0]
    return np.abs(fitted - values.ravel()).max() / np.ptp(values)


def average_recovers_q():
    small = {
        "small": rb.setting("small"),
        "6-hetero increasing": rb.setting("6-hetero"),
        "6-hetero peaked": rb.setting("6-hetero", "peaked"),
    }
    rng = np.random.default_rng(0)
    small |= {
        f"random means, K = s_max = 4, no. {i + 1}": rb.RecoveringBandit(rng.random((4, 4)))
        for i in range(5)
    }
    for name, bandit in small.items():
        gap = distance_from_class(bandit, 0.99)
        yield Case(name, f"largest error of the best average: {gap:.1%} of the range of Q*",
                   gap < 1e-9)


def entries():
    for name, (arms, s_max) in SIZES.items():
        # The entry (k, s_k, s_a, a) with k = a has one state, not two.
        distinct = arms * (arms - 1) * s_max**2 + arms * s_max
        bound = s_max**2 * arms**2
        yield Case(name, f"{distinct:,} entries, {bound:,} by the formula, {s_max**arms * arms:,} "
                   f"in a table of joint states", distinct <= bound <= s_max**arms * arms)


def same_size_when_small():
    arms, s_max = SIZES["small"]
    reached = rb.reachable_states(arms, s_max) * arms
    distinct = arms * (arms - 1) * s_max**2 + arms * s_max
    stated, joint = s_max**2 * arms**2, s_max**arms * arms
    yield Case("by the paper's formulas", f"{stated} and {joint}", stated == joint)
    yield Case("counting what exists", f"{distinct} entries and {reached} reachable pairs",
               distinct == reached)


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


def visited_pair():
    gaps = [abs(step - sarsa) for step, sarsa, _ in map(one_update, range(100))]
    yield Case("100 random updates, K = s_max = 3",
               f"the two steps {agree(max(gaps))}", max(gaps) < 1e-12)


def only_visited_pair():
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


def visitation_below():
    for name, (arms, s_max) in SIZES.items():
        found = p_state(arms, s_max)[:-1]
        stated = (1 - 1 / arms) ** np.arange(s_max - 1) / arms**2
        gap = np.abs(found - stated).max()
        yield Case(name, f"formula and chain {agree(gap)}", gap < 1e-12)


def visitation_numbers():
    for (arms, s_max), at, before in (((6, 6), 0.067, 0.013), ((6, 3), 0.116, 0.023)):
        found = p_state(arms, s_max)
        yield Case(f"K = {arms}, s_max = {s_max}", f"{found[-1]:.4f} and {found[-2]:.4f}",
                   abs(found[-1] - at) < 6e-4 and abs(found[-2] - before) < 6e-4)


def visitation_at_max():
    for name, (arms, s_max) in SIZES.items():
        found = p_state(arms, s_max)
        printed = 1 - found[:-1].sum()
        yield Case(name, f"formula {printed:.3f}, chain {found[-1]:.3f}",
                   abs(printed - found[-1]) < 1e-12)


def more_at_max():
    for arms, s_max in (*SIZES.values(), (3, 5), (6, 12), (10, 24)):
        found = p_state(arms, s_max)[-1]
        yield Case(f"K = {arms}, s_max = {s_max}", f"{found:.4f} against {1 / arms**2:.4f}",
                   found > 1 / arms**2)


def stationary_from():
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


def even_exploration(agent):
    visits = "separated" if "sep" in agent else "joint"
    for name in ("6-hetero", "6-homo", "10-hetero", "10-homo"):
        counts = below_max(rb.setting(name), visits)
        ratio = counts.max() / counts.min()
        yield Case(name, f"most pulled state below s_max: {ratio:.2f} times the least pulled one",
                   ratio < 1.25)


def ties_do_not_matter():
    bandit = rb.setting("10-homo")
    best = rb.optimum(bandit, 1_000_000, 1.0)
    rates = {}
    for ties in ("random", "first"):
        runs = rb.simulate(bandit, rb.SSSarsa(1.0, ties=ties), 1_000_000, 10)
        rates[ties] = rb.optimal_rate(runs, best)
    random, first = rates["random"], rates["first"]
    yield Case("10-homo increasing, 10 runs each",
               f"end optimally: {random.value:.0%} with random ties, {first.value:.0%} with the "
               f"lowest index", random.low <= first.high and first.low <= random.high)


def estimates_approach_q_star():
    for name in ("small", "6-hetero", "6-homo"):
        rounds = 100_000
        q = rb.q_star(rb.setting(name), rb.paper_gamma(rounds))
        # Every estimate is at most the largest reward times the sum of all steps.
        ceiling = log((rounds + 5000) / 5000)
        yield Case(name,
                   f"no estimate can exceed {ceiling:.2f} before round {rounds:,}; Q* is "
                   f"{q.values.min():,.0f} at least", ceiling >= 0.9 * q.values.min())


def counterexample():
    """Bandits for which no SS-Q-functions average to Q*: estimates cannot converge to it."""
    rng = np.random.default_rng(1)
    for i in range(5):
        gap = distance_from_class(rb.RecoveringBandit(rng.random((4, 4))), 0.9)
        yield Case(f"random means, K = s_max = 4, no. {i + 1}",
                   f"every average of SS-Q-functions misses Q* by {gap:.1%} of its range somewhere",
                   gap < 1e-9)


def reads_a_round():
    for name, (arms, _) in SIZES.items():
        yield Case(name, f"{arms} estimates updated a round, {arms**2} read to choose greedily",
                   arms**2 <= arms)


def linear_in_rounds():
    bench = json.loads((Path(__file__).parents[1] / "benchmark.json").read_text())
    ratio = bench["scaling"]["10 times the rounds"]
    yield Case("SS-SARSA, measured by `make bench`",
               f"ten times the rounds take {ratio:.1f} times as long", 8 <= ratio <= 12.5)


def max_operator():
    rng = np.random.default_rng(0)
    q = rng.random((1000, 6, 6))  # problems x k x a'
    gap = q.max(2).mean(1) - q.mean(1).max(1)
    yield Case("1,000 random sets of six SS-Q-functions",
               f"the average of maxima exceeds the maximum of averages in {(gap > 0).mean():.0%}, "
               f"by {gap.mean():.2f} on average", bool((gap >= -1e-12).all() and (gap > 0).any()))


def small_optimum():
    bandit = rb.setting("small")
    best = rb.optimum(bandit, 100_000, rb.paper_gamma(100_000))
    own = [state for arm, state in best.cycle if arm == 0]
    yield Case("small", f"arm 1 has {len(own)} of the {len(best.cycle)} pulls of an optimal cycle, "
               f"in state {' and '.join(map(str, sorted(set(own))))}",
               set(own) == {3} and 3 * len(own) == len(best.cycle))


def monotone_optimum():
    for name, each in TABLE.items():
        best, means = rb.optimum(each.bandit, each.rounds, 1.0), each.bandit.means
        good = all(means[arm, -1] == means.max() and state == each.bandit.s_max
                   for arm, state in best.cycle)
        yield Case(name, f"average {best.average:.3f} a round; only best arms in state s_max: "
                   f"{'yes' if good else 'no'}", good and abs(best.average - 0.6) < 1e-12)


def peaked_optimum():
    for name, each in TABLE.items():
        best = rb.optimum(rb.setting(name, "peaked"), each.rounds, 1.0)
        lost = 0.6 * each.rounds - best.value
        yield Case(name, f"average {best.average:.3f}, and {lost:.2f} lost for ever by the start",
                   lost > 1e-9)


def table_of_rewards():
    for name, shape in product(TABLE, ("increasing", "peaked")):
        means = rb.setting(name, shape).means
        peak = -1 if shape == "increasing" else -2
        steps = {round(after - before, 10) for before, after in pairwise(means[0][:-1])}
        yield Case(f"{name} {shape}", f"0.1 to {means[0][peak]:.1f} in equal steps",
                   len(steps) == 1 and means[0][peak] == 0.6 and means[0][0] == 0.1)


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


def equivalent_update():
    gap = same_posterior()
    yield Case("20 random histories of 200 noisy rewards", f"the means {agree(gap)}",
               gap < 1e-12)


def only_an_approximation():
    gap = same_posterior()
    yield Case("20 random histories of 200 noisy rewards", f"the means {agree(gap)}",
               gap >= 1e-12)


CLAIMS = [
    Claim("3", "There are s_max^K joint states: the sizes in the table of settings.",
          "The power is computed; holds if it exceeds the bound that the table prints, by less "
          "than a tenth.",
          *chapter("02_the_mdp"), joint_states),
    Claim("5, remark", "Some joint states are never visited, those with two arms in state 1.",
          "All reachable states are listed (settings with up to 1,000 joint states).",
          *chapter("02_the_mdp"), never_visited),
    Claim("4.1", "Averaging the SS-Q-functions over the arms gives back the Q-function.",
          "Q* (gamma 0.99) is projected on all averages of functions of (k, s_k, s_a, a), over "
          "reachable pairs; holds if nothing is left.",
          *chapter("04_ss_q_functions"), average_recovers_q),
    Claim("4.1, 4.2", "At most s_max^2 K^2 values are to be learnt, fewer than s_max^K K.",
          "Entries are counted; holds if there are no more than the formula says, and the formula "
          "gives no more than the joint table has.",
          *chapter("04_ss_q_functions"), entries),
    Claim("6.1", "In the small problem SS-Q-functions and the Q-function have equally many values.",
          "Counted twice: by the two formulas, and as entries and pairs that exist.",
          *chapter("02_the_mdp"), same_size_when_small),
    Claim("4.2", "At the visited pair, averaging the SS-SARSA updates gives the SARSA update.",
          "Both steps are computed on random estimates; holds if they agree to 1e-12.",
          *chapter("07_ss_sarsa"), visited_pair),
    Claim("5, proof", "After averaging, SS-SARSA is tabular SARSA.",
          "Tabular SARSA moves the visited pair only; holds if no other pair's average moves.",
          *chapter("07_ss_sarsa"), only_visited_pair),
    Claim("4.2", "The time is linear in the number of rounds.",
          "Ratio of times in the committed benchmark; holds between 8 and 12.5.",
          "status.md", "Status", linear_in_rounds),
    Claim("4.2", "The time of a round is proportional to the number of arms.",
          "Values that a round touches; holds if the greedy choice reads no more than K.",
          *chapter("07_ss_sarsa"), reads_a_round),
    Claim("4.2", "It is faster than the combinatorial method of an earlier paper, whose time "
          "grows as K^(5/2) T^(9/4).",
          "That method is not part of this book; its exponent is cited, not measured.",
          *chapter("07_ss_sarsa"), None),
    Claim("4.2, remark", "With a Q-learning update, the average of maxima would replace the "
          "maximum of averages.",
          "Both are computed on random values; holds if the first is never smaller and sometimes "
          "larger.",
          *chapter("13_why"), max_operator),
    Claim("4.2", "Under random pulling, an arm is pulled in state i < s_max with probability "
          "(1 - 1/K)^(i-1) / K^2.",
          "Stationary law of the one-arm Markov chain; holds to 1e-12.",
          *chapter("05_exploration"), visitation_below),
    Claim("4.2", "At s_max the probability is one minus the sum of the others.",
          "The printed formula against the chain; holds to 1e-12 (1/K in place of 1 would).",
          *chapter("05_exploration"), visitation_at_max),
    Claim("4.2", "The four numbers: 0.067 and 0.013 for K = s_max = 6, 0.116 and 0.023 for "
          "K = 6, s_max = 3.",
          "The chain's values at s_max and s_max - 1; holds within 0.0006.",
          *chapter("05_exploration"), visitation_numbers),
    Claim("4.2", "At s_max it is strictly more than 1/K^2.",
          "The chain, for the paper's sizes and three with a larger s_max.",
          *chapter("05_exploration"), more_at_max),
    Claim("4.2", "From round s_max on these probabilities no longer change.",
          "The law of an arm's state, round by round from the start; holds if it is stationary "
          "from exactly that round on.",
          *chapter("05_exploration"), stationary_from),
    Claim("4.2", "If visit counts are tied, any arm may be chosen.",
          "Rate of optimal policy, random ties against lowest index, at full length; holds if the "
          "two 95% intervals overlap.",
          *chapter("13_why"), ties_do_not_matter),
    Claim("4.2, 6.2.3", "Uniform-Explore-First pulls arms evenly over the states below s_max.",
          "100,000 rounds of exploration; holds if the most pulled state below s_max has less than "
          "1.25 times the pulls of the least pulled one.",
          *chapter("05_exploration"), even_exploration, readings=True),
    Claim("5, theorem", "Under a GLIE policy the averages converge to Q* for any rewards.",
          "What the estimates can represent at all, at random means and gamma 0.9; the theorem "
          "needs an error of zero.",
          *chapter("04_ss_q_functions"), counterexample),
    Claim("5, remark", "In practice, with enough exploration, the estimates approach Q*.",
          "The paper's step sizes bound every estimate from above, before noise; holds if that "
          "bound reaches nine tenths of the smallest Q*.",
          *chapter("07_ss_sarsa"), estimates_approach_q_star),
    Claim("6.1", "The rewards of the table start at 0.1, rise in equal steps and peak at 0.6.",
          "Our settings, made from the table's counts; holds if start, peak and steps agree.",
          *chapter("03_the_optimum"), table_of_rewards),
    Claim("6.1", "In the small problem it is optimal to pull arm 1 in state 3 only.",
          "The optimal cycle, computed exactly.",
          *chapter("03_the_optimum"), small_optimum),
    Claim("6.1", "With monotone rewards it is optimal to cycle through best arms at s_max.",
          "The optimal cycle and its average, computed exactly.",
          *chapter("03_the_optimum"), monotone_optimum),
    Claim("6.1", "In the increasing-then-decreasing settings the start keeps best arms from their "
          "peak, so that the optimum is not simply the best cycle.",
          "The exact optimum without discount; holds if it is below 0.6 a round.",
          *chapter("03_the_optimum"), peaked_optimum),
    Claim("A", "The posterior update with s_max numbers per arm equals the original one.",
          "Both posteriors of an arm after the same rewards; holds if means agree to 1e-12.",
          *chapter("08_drgp_ts"), equivalent_update),
    Claim("A", "With random rewards, using mean rewards is an approximation.",
          "The same; holds if the means differ.",
          *chapter("08_drgp_ts"), only_an_approximation),
]
