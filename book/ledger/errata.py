"""Where the paper's text needs a second look: misprints, loose ends, and points that we checked."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np
import theory
from claim import Case, chapter
from theory import SIZES, p_state

import rb_core as rb


class Erratum(NamedTuple):
    """A place in the paper, what stands there, and how we read it.

    `cases` hold if the remark is right.
    """

    section: str
    stands: str
    remark: str
    page: str
    title: str
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
    Erratum("6.1", "The discount is 1 - 10^(-T).",
            "It must be 1 - 1/T: that is what the captions of all figures have.",
            *chapter("02_the_mdp"), discount),
    Erratum("4.2", "At s_max the visitation probability is one minus the sum of the others.",
            "The probabilities of one arm add up to 1/K, not to 1. The paper's own four numbers "
            "fit the mended formula.",
            *chapter("05_exploration"), visitation_mended),
    Erratum("4.2", "At s_max it is strictly more than 1/K^2.",
            "Only while (1 - 1/K)^(s_max - 1) > 1/K. True in all settings of the paper, false for "
            "arms that take long to recover.",
            *chapter("05_exploration"), not_always_more),
    Erratum("4.2", "The unevenness is notable where s_max < K.",
            "State s_max is pulled exactly K - 1 times as often as the state before it, whatever "
            "s_max is. What a small s_max changes is the share of all pulls that fall there.",
            *chapter("05_exploration"), constant_ratio),
    Erratum("4.2, footnote", "Before round s_max some states cannot be reached, from then on the "
            "law is constant.",
            "Checked, and right to the round.",
            *chapter("05_exploration"), theory.stationary_from),
    Erratum("4.1", "The recursion defines functions of (s_k, s_a, a).",
            "Its right side has the next arm and that arm's state, which depend on the whole joint "
            "state. The functions exist only in special cases; in general no average of such "
            "functions is Q*.",
            *chapter("04_ss_q_functions"), outside_the_class),
    Erratum("4.2, 5", "After averaging, SS-SARSA is SARSA, so its convergence follows.",
            "At the visited pair it is. The same update moves other pairs, which tabular SARSA "
            "never does: this is SARSA with linear function approximation, and the proof leaves "
            "that gap.",
            *chapter("07_ss_sarsa"), lambda: denied(theory.only_visited_pair())),
    Erratum("5, theorem", "The averaged estimates converge to Q* for any rewards.",
            "They cannot where Q* is no average of SS-Q-functions. (The policy is also written "
            "with its arguments exchanged.)",
            *chapter("04_ss_q_functions"), lambda: denied(theory.counterexample())),
    Erratum("4.1", "s_max^2 K^2 variables.",
            "An upper bound: where k is the pulled arm there is one state, not two.",
            *chapter("04_ss_q_functions"), theory.entries),
    Erratum("3, 6.1", "The number of joint states is s_max^K.",
            "Of these few can be reached, since arms that have not recovered have distinct ages. "
            "Tabular agents can be run in all settings, if they keep the states they meet.",
            *chapter("02_the_mdp"), few_reachable),
    Erratum("4.2", "Exploration counts visits v(s, a) of joint states.",
            "That brings back the memory which the SS-Q-functions save. Counting updates of their "
            "own entries avoids it, and explores differently; the experiments have both.",
            *chapter("05_exploration"), visits_cost_memory),
    Erratum("4.2", "A round takes time proportional to K.",
            "The update does. The greedy choice averages K values for each of K arms.",
            *chapter("07_ss_sarsa"), lambda: denied(theory.reads_a_round())),
    Erratum("4.2", "Ties between visit counts may be broken arbitrarily.",
            "They may not: in one of the settings it decides between always and never.",
            *chapter("13_why"), lambda: denied(theory.ties_do_not_matter())),
    Erratum("5, remark", "With enough exploration the estimates approach Q*.",
            "With the paper's step sizes they stay below four, while Q* is in the ten "
            "thousands: what they measure is closer to reward times number of updates.",
            *chapter("07_ss_sarsa"), lambda: denied(theory.estimates_approach_q_star())),
    Erratum("6.1", "In the increasing-then-decreasing settings the optimum is not trivial.",
            "It can be computed exactly, and has a closed form.",
            *chapter("03_the_optimum"), optimum_found),
    Erratum("A", "With random rewards the update from mean rewards is an approximation.",
            "It is exact, because only sums of rewards by state enter the posterior. No matrix "
            "need be inverted either: a reward is a rank-one step.",
            *chapter("08_drgp_ts"), lambda: denied(theory.only_an_approximation())),
    Erratum("A, Algorithm 2", "Only the pulled state's mean and covariances are updated.",
            "The exact posterior moves all states of the arm. (The length scale is c in the text "
            "and l in the algorithm.)",
            *chapter("08_drgp_ts"), moves_other_states),
    Erratum("4.1", "The Q-function sums rewards from t = 0 to T.",
            "That is T + 1 rewards, while the problem has rounds 1 to T. Where nothing else is "
            "said we plan without end, or over exactly T rounds.",
            *chapter("02_the_mdp"), rewards_in_a_value),
]
