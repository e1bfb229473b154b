"""PlanUCB: its table, its plans, and a witness in C that needs no library."""

import ctypes
import shutil
import subprocess

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rb_core as rb
from rb_core import policy_iteration
from rb_core.agents import plan_ucb
from rb_core.engine.blocks import maker_of
from rb_core.evaluation import COMPARED
from tests import reference
from tests.bench.c_library import HERE
from tests.strategies import SEEDS, bandits
from tests.witness import assert_same_run

SIZES = {"exact": (4, 4), "searched": (7, 6)}
gcc = pytest.mark.skipif(shutil.which("gcc") is None, reason="the witness in C needs gcc")


@pytest.mark.parametrize("name", ["rising", "peaked", "free", "gaussian", "blocking"])
@pytest.mark.parametrize("law", ["bernoulli", "normal"])
@pytest.mark.parametrize("way", SIZES)
def test_it_learns_and_plans_what_its_witness_does(name, law, way):
    bandit = rb.family(name, *SIZES[way], 11, law)
    memory = rb.PlanUCB().init(*SIZES[way], 300)
    assert (len(memory.known.policy) > 0) == (way == "exact")
    assert_same_run(bandit, rb.PlanUCB(), 300, seed=3)


@pytest.mark.parametrize("law", ["bernoulli", "normal"])
def test_it_plans_exactly_once_plans_are_rare_as_its_witness_does(law, monkeypatch):
    monkeypatch.setattr(plan_ucb, "AT_ONCE", 10)
    monkeypatch.setattr(plan_ucb, "PATIENCE", 3)
    monkeypatch.setattr(reference.PlanUCB, "at_once", 10)
    monkeypatch.setattr(reference.PlanUCB, "patience", 3)
    agent, states = rb.PlanUCB(), rb.reachable_states(4, 4)
    memories = [agent.init(4, 4, rounds) for rounds in (0, 3 * states, 3 * states + 1)]
    assert [len(memory.known.policy) for memory in memories] == [states, 0, states]
    assert memories[2].wait[3] == 3 * states
    assert_same_run(rb.family("free", 4, 4, 11, law), agent, 6 * states, seed=3)


def test_it_plays_where_joint_states_can_hardly_be_counted():
    bandit = rb.family("rising", 50, 20, 1)
    assert rb.reachable_states(50, 20) > 2**64
    assert_same_run(bandit, rb.PlanUCB(), 60, seed=1)


def test_with_more_arms_than_it_looks_ahead_its_plan_is_its_search_alone():
    """What an older plan has left behind in the same room is no part of it."""
    assert_same_run(rb.family("blocking", 16, 4, 2, "normal"), rb.PlanUCB(), 2500, seed=9)


@given(bandits(arms=7, s_max=6), SEEDS, st.integers(1, 100))
@settings(max_examples=20)
def test_it_does_what_its_witness_does_on_any_table(bandit, seed, rounds):
    assert_same_run(bandit, rb.PlanUCB(), rounds, seed)


@pytest.mark.parametrize("way", SIZES)
def test_what_it_follows_is_a_best_plan_for_its_table(way, monkeypatch):
    """Of the exact planner always; of the search, on all but a few tables."""
    bandit = rb.family("peaked", *SIZES[way], 5, "normal")
    plans, known = [], policy_iteration.known_graph(*SIZES[way])

    def planned(memory, t, state):
        before = plan_ucb_kernel(memory, t, state)
        start, end = memory.place[1:3]
        arms = memory.path[start:end]
        states = np.array([min(gap, bandit.s_max) for gap in gaps(arms)])
        best = policy_iteration.improve(known, memory.upper.ravel(), 1e-10)
        plans.append(best - memory.upper[arms, states - 1].mean())
        return before

    plan_ucb_kernel = plan_ucb.plan_anew
    monkeypatch.setattr(plan_ucb, "plan_anew", planned)
    rb.trace(bandit, rb.PlanUCB(), 600, compiled=False)
    assert len(plans) > 50
    plans = np.array(plans)
    assert plans.min() > -1e-8
    assert plans.max() < 1e-8 if way == "exact" else np.quantile(plans, 0.9) < 0.05


def gaps(arms):
    return [next(gap for gap in range(1, len(arms) + 1) if arms[i - gap] == arms[i])
            for i in range(len(arms))]


def test_a_plan_lasts_at_least_s_max_rounds_and_until_a_count_has_grown_by_a_tenth(monkeypatch):
    times, kernel, bandit = [], plan_ucb.plan_anew, rb.setting("6-hetero", reward="normal")
    monkeypatch.setattr(plan_ucb, "plan_anew",
                        lambda memory, t, state: (times.append(t), kernel(memory, t, state)))
    memory = rb.trace(bandit, rb.PlanUCB(), 5000, compiled=False).memory
    assert times[0] == 4
    assert np.diff(times).min() == 3
    assert 50 < len(times) < 600  # far fewer than the rounds: counts grow by factors
    assert (memory.due == memory.counts + 1 + memory.counts // 10).any()


def test_the_less_time_is_left_the_less_optimistic_it_is():
    def width(rounds, played):
        memory = rb.PlanUCB().init(2, 3, rounds)
        memory.counts[:], memory.means[:], memory.moments[:] = played // 6, 0.5, (0.5, 1.0, 1.0)
        plan_ucb.be_optimistic(memory, played, rounds)
        return memory.upper.max() - 0.5

    assert width(10_000, 600) > width(1200, 600) > width(650, 600) > 0
    assert width(600, 600) == 0


def test_arms_that_are_alike_lend_each_other_more():
    """With equal means in every column the weight of the column is large, else it is small."""

    def weight(means):
        memory = rb.PlanUCB().init(6, 5, 10**5)
        memory.counts[:], memory.means[:] = 50, means
        memory.moments[:] = memory.means.mean(), 1500 * memory.means.var() + 300, 300
        plan_ucb.be_optimistic(memory, 1500, 10**5)
        return memory.weight.max()

    alike = np.tile(np.linspace(0.1, 0.9, 5), (6, 1))
    free = np.random.default_rng(0).random((6, 5)) * 3
    assert weight(alike) > 10 > 2 > weight(free)


def test_equal_rewards_are_no_reason_to_stay():
    """Nothing but zeros so far says nothing about what was not tried."""
    bandit = rb.RecoveringBandit([[0, 0, 0, 0], [0, 0, 0.9, 0], [0, 0, 0, 0]])
    run = rb.trace(bandit, rb.PlanUCB(), 3000)
    assert run.expected[-300:].mean() > 0.25


@pytest.mark.parametrize("shape", ["increasing", "peaked"])
@pytest.mark.parametrize("name", ["6-hetero", "6-homo"])
def test_it_beats_every_agent_of_the_paper(name, shape):
    """On a few runs: the book has all 36 experiments."""
    bandit = rb.setting(name, shape)
    best = rb.optimum(bandit, 20_000)
    last = {label: rb.regret(rb.simulate(bandit, rb.AGENTS[label].make(0.9999), 20_000, sims=8,
                                         seed=1000), best)[:, -1]
            for label in ("PlanUCB", "SS-SARSA", "1RGP-TS")}
    assert last["PlanUCB"].mean() < 0.6 * min(last["SS-SARSA"].mean(), last["1RGP-TS"].mean())


def test_it_is_listed_and_the_papers_comparison_stays_the_papers():
    assert rb.AGENTS["PlanUCB"].make(0.9) == rb.PlanUCB()
    assert "PlanUCB" not in COMPARED
    assert len(rb.experiment("small-bernoulli-discounted").agents) == 6


def test_it_shares_no_code_but_the_loop_with_the_papers_agents():
    own = {name: maker_of(type(listed.make(0.9))).code for name, listed in rb.AGENTS.items()}
    assert own["PlanUCB"] not in [code for name, code in own.items() if name != "PlanUCB"]


@gcc
def test_the_witness_in_c_replays_recorded_rewards_without_any_library(tmp_path):
    library = tmp_path / "plan_ucb.so"
    flags = ["-O2", "-std=c11", "-Wall", "-Wextra", "-Werror", "-pedantic", "-ffp-contract=off",
             "-fPIC", "-shared"]
    subprocess.run(["gcc", *flags, str(HERE / "plan_ucb.c"), "-o", str(library), "-lm"], check=True)
    c = ctypes.CDLL(str(library))
    c.plan_ucb_bytes.restype = ctypes.c_size_t
    for each in (c.plan_ucb_upper, c.plan_ucb_means):
        each.restype = ctypes.POINTER(ctypes.c_double)
    for name, size, law, rounds in [
            ("free", (4, 4), "normal", 3000), ("peaked", (12, 7), "bernoulli", 3000),
            ("rising", (1, 3), "normal", 3000), ("blocking", (30, 9), "normal", 3000),
            ("free", (5, 6), "normal", 16_000)]:  # of which the last third is planned for exactly
        bandit = rb.family(name, *size, 2, law)
        run = rb.trace(bandit, rb.PlanUCB(), rounds, seed=9)
        states = rb.states_along(bandit, run.arms).astype(np.int32)
        block = ctypes.create_string_buffer(c.plan_ucb_bytes(*size, ctypes.c_int64(rounds)))
        c.plan_ucb_start(block, *size, ctypes.c_int64(rounds))
        arms = []
        for t, (state, reward) in enumerate(zip(states, run.rewards.tolist(), strict=False), 1):
            row = state.ctypes.data_as(ctypes.c_void_p)
            arms.append(c.plan_ucb_act(block, ctypes.c_int64(t), row))
            c.plan_ucb_learn(block, ctypes.c_int64(t), row, arms[-1], ctypes.c_double(reward))
        np.testing.assert_array_equal(arms, run.arms)
        for found, ours in ((c.plan_ucb_upper, run.memory.upper),
                            (c.plan_ucb_means, run.memory.means)):
            theirs = np.ctypeslib.as_array(found(block), shape=size)
            np.testing.assert_allclose(theirs, ours, rtol=1e-12, atol=1e-12)
