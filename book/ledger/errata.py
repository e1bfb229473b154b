"""Where the paper's text needs a second look: misprints, loose ends, and points that we checked."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np
import theory
from claim import Case
from theory import SIZES, p_state

import rb_core as rb


class Erratum(NamedTuple):
    """A place in the paper, what stands there, and how we read it; `slug` is what links call it.

    `cases` hold if the remark is right.
    """

    slug: str
    section: str
    stands: str
    remark: str
    chapter: str
    cases: Callable[[], Iterable[Case]]


def denied(cases):
    """The cases of a claim, as evidence against it."""
    for case in cases:
        yield case._replace(held=not case.held)


def discount():
    for rounds, caption in ((100_000, 0.99999), (1_000_000, 0.999999)):
        gamma = rb.paper_gamma(rounds)
        yield Case(f"T = {rounds:,}", f"1 - 1/T = {gamma:.6f}, the caption has {caption}; "
                   f"1 - 10^-T is 1 to more digits than a computer keeps",
                   abs(gamma - caption) < 1e-12 and 1 - 10.0**-rounds == 1.0)


def visitation_mended():
    for name, (arms, s_max) in SIZES.items():
        mended = (1 - 1 / arms) ** (s_max - 1) / arms
        found = p_state(arms, s_max)[-1]
        yield Case(name, f"(1/K)(1 - 1/K)^(s_max - 1) = {mended:.4f}, chain {found:.4f}",
                   abs(mended - found) < 1e-12)


def constant_ratio():
    for arms, s_max in ((6, 3), (6, 6), (6, 9)):
        found = p_state(arms, s_max)
        yield Case(f"K = {arms}, s_max = {s_max}",
                   f"{found[-1] / found[-2]:.3f} times as often as state s_max - 1",
                   abs(found[-1] / found[-2] - (arms - 1)) < 1e-9)


def not_always_more():
    return (case._replace(held=not case.held) for case in theory.more_at_max()
            if not case.held)


def outside_the_class():
    return denied(case for case in theory.average_recovers_q() if "random" in case.where)


def few_reachable():
    for name, (arms, s_max) in SIZES.items():
        count = rb.reachable_states(arms, s_max)
        yield Case(name, f"{count:,} of {s_max**arms:,}", count < s_max**arms)


def visits_cost_memory():
    arms, rounds = 10, 100_000
    bandit = rb.setting("10-homo")
    played = rb.trace(bandit, rb.SSSarsa(1.0, explore=1.0), rounds)
    states = rb.states_along(bandit, played.arms[:-1])
    met = {(state.tobytes(), int(arm)) for state, arm in zip(states, played.arms, strict=True)}
    entries = arms * (arms - 1) * 10**2 + arms * 10
    yield Case("10-homo, the 100,000 rounds of its exploration",
               f"{len(met):,} pairs to count, {entries:,} SS-Q entries", len(met) > entries)


def moves_other_states():
    grid = np.arange(1, 7)
    kernel = np.exp(-((grid[:, None] - grid) ** 2) / (2 * 2.5**2))
    gain = kernel[:, 2] / (kernel[2, 2] + 1.0)  # one reward of 1 in state 3, sigma = 1
    yield Case("one reward of 1 in state 3, s_max = 6",
               f"the mean moves to {gain[2]:.2f} there, {gain[1]:.2f} in state 2, {gain[5]:.2f} in "
               f"state 6", gain[1] > 0.1 and gain[5] > 0.1)


def optimum_found():
    peaked = rb.experiments(shape="peaked", reward="bernoulli", discounted=False)
    for each in peaked.values():
        best = rb.optimum(each.bandit, each.rounds, 1.0)
        yield Case(f"{each.setting} peaked", f"value {best.value:,.2f}, from {best.states} states",
                   best.states <= 300)


def rewards_in_a_value():
    for rounds in sorted({each.rounds for each in rb.experiments().values()}):
        terms = len(range(rounds + 1))  # t = 0 to T
        yield Case(f"T = {rounds:,}", f"{terms:,} rewards", terms != rounds)


ERRATA = [
    Erratum("discount", "6.1",
            "The discount is 1 - 10^(-T).",
            "It must be 1 - 1/T: that is what the captions of all figures have.",
            "the_mdp", discount),
    Erratum("visits-at-max", "4.2",
            "At s_max the visitation probability is one minus the sum of the others.",
            "The probabilities of one arm add up to 1/K, not to 1. The paper's own four numbers "
            "fit the corrected formula.",
            "exploration", visitation_mended),
    Erratum("more-at-max", "4.2",
            "At s_max it is strictly more than 1/K^2.",
            "Only while (1 - 1/K)^(s_max - 1) > 1/K. True in all settings of the paper, false for "
            "arms that take long to recover.",
            "exploration", not_always_more),
    Erratum("unevenness", "4.2",
            "The unevenness is notable where s_max < K.",
            "State s_max is pulled exactly K - 1 times as often as the state before it, whatever "
            "s_max is. What a small s_max changes is the share of all pulls that fall there.",
            "exploration", constant_ratio),
    Erratum("recursion", "4.1",
            "The recursion defines functions of (s_k, s_a, a).",
            "Its right side has the next arm and that arm's state, which depend on the whole joint "
            "state. The functions exist only in special cases; in general no average of such "
            "functions is Q*.",
            "ss_q_functions", outside_the_class),
    Erratum("only-visited-pair", "4.2, 5",
            "After averaging, SS-SARSA is SARSA, so its convergence follows.",
            "At the visited pair it is. The same update moves other pairs, which tabular SARSA "
            "never does: these are K SARSAs, each with a blurred state, which have nothing in "
            "common but the choice of the next arm. A theorem about tabular SARSA does not speak "
            "of them.",
            "ss_sarsa", lambda: denied(theory.only_visited_pair())),
    Erratum("theorem", "5, theorem",
            "The averaged estimates converge to Q* for any rewards.",
            "They cannot where Q* is no average of SS-Q-functions. (The policy is also written "
            "with its arguments exchanged.)",
            "ss_q_functions", lambda: denied(theory.counterexample())),
    Erratum("global-steps", "5, theorem",
            "The learning rate 1/(t + t0) satisfies the Robbins-Monro "
            "conditions.",
            "Summed over all rounds it does. A pair is moved in its own rounds only, and a GLIE "
            "policy visits a bad arm ever more rarely: over these rounds the sum can converge. "
            "With epsilon = 5/t the second of two arms gets steps of 2.5/t^2 on average, and its "
            "estimate stops short of Q*. This concerns tabular SARSA as well: the theorem that is "
            "cited counts steps by the visits of a pair.",
            "what_tables_learn", lambda: denied(theory.global_steps())),
    Erratum("uef-is-not-glie", "5, remark",
            "Uniform-Explore-First is considered GLIE because it "
            "is greedy after the exploration.",
            "A GLIE policy is greedy only in the limit, and visits every pair for ever. This one "
            "stops after E rounds; the paper says so in its next sentence.",
            "what_tables_learn", lambda: denied(theory.glie())),
    Erratum("number-of-values", "4.1",
            "s_max^2 K^2 variables.",
            "An upper bound: where k is the pulled arm there is one state, not two.",
            "ss_q_functions", theory.entries),
    Erratum("joint-states", "3, 6.1",
            "The number of joint states is s_max^K.",
            "Of these few can be reached, since arms below s_max are in distinct states. "
            "Tabular agents can be run in all settings, if they keep the states they meet.",
            "the_mdp", few_reachable),
    Erratum("visit-counts", "4.2",
            "Exploration counts visits v(s, a) of joint states.",
            "That brings back the memory which the SS-Q-functions save. Counting updates of their "
            "own entries avoids it, and explores differently; the experiments have both.",
            "exploration", visits_cost_memory),
    Erratum("time-of-a-round", "4.2",
            "A round takes time proportional to K.",
            "The update does. The greedy choice averages K values for each of K arms.",
            "ss_sarsa", lambda: denied(theory.reads_a_round())),
    Erratum("ties", "4.2",
            "Ties between visit counts may be broken arbitrarily.",
            "They may not: in some of the settings they decide how a run ends, in one between "
            "always and never.",
            "why", lambda: denied(case for case in theory.ties_do_not_matter()
                                  if not case.held)),
    Erratum("approach-q", "5, remark",
            "With enough exploration the estimates approach Q*.",
            "With the paper's step sizes they stay below four, while Q* is in the tens of "
            "thousands: what they measure is closer to reward times number of updates.",
            "ss_sarsa", lambda: denied(theory.estimates_approach_q_star())),
    Erratum("peaked-optimum", "6.1",
            "In the increasing-then-decreasing settings the optimum is not trivial.",
            "It is not, but it can be computed exactly, and has a closed form: regret and rate of "
            "optimal policy can be had there, too.",
            "the_optimum", optimum_found),
    Erratum("mean-rewards", "A",
            "With random rewards the update from mean rewards is an approximation.",
            "It is exact, because only sums of rewards by state enter the posterior. No matrix "
            "need be inverted either: a reward is a rank-one step.",
            "drgp_ts", lambda: denied(theory.only_an_approximation())),
    Erratum("algorithm-2", "A, Algorithm 2",
            "Only the pulled state's mean and covariances are updated.",
            "The exact posterior moves all states of the arm. (The length scale is c in the text "
            "and l in the algorithm.)",
            "drgp_ts", moves_other_states),
    Erratum("rewards-of-a-value", "4.1",
            "The Q-function sums rewards from t = 0 to T.",
            "That is T + 1 rewards, while the problem has rounds 1 to T. Where nothing else is "
            "said we plan without end, or over exactly T rounds.",
            "the_mdp", rewards_in_a_value),
]
