"""Results depend on bandit, agent, rounds, seed and number of the simulation, on nothing else."""

import importlib
import multiprocessing
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rb_core as rb
from tests.joint_graph import step
from tests.strategies import AGENTS, SEEDS, bandits

module = importlib.import_module("rb_core.simulate")
PARTS = ("cumulative", "tail", "tail_arms", "tail_start")
PROBLEM = {"bandit": rb.setting("6-hetero"), "agent": rb.SSSarsa(0.99), "rounds": 2000, "sims": 7}
MANY = [rb.SSSarsa(0.99), rb.Sarsa(0.99), rb.QLearning(0.99), rb.RGPTS(2), rb.RandomPull()]


def assert_same(left, right):
    for part in PARTS:
        np.testing.assert_array_equal(getattr(left, part), getattr(right, part))


class AtOnce(Executor):
    """Does the work in the calling thread, while it is handed over."""

    def submit(self, function, *arguments):
        future = Future()
        future.set_result(function(*arguments))
        return future


@pytest.mark.parametrize("agent", MANY, ids=lambda agent: type(agent).__name__)
def test_threads_make_no_difference(agent):
    expected = rb.simulate(**PROBLEM | {"agent": agent}, executor=AtOnce())
    assert_same(expected, rb.simulate(**PROBLEM | {"agent": agent}))
    for workers in (1, 3):
        with ThreadPoolExecutor(workers) as executor:
            assert_same(expected, rb.simulate(**PROBLEM | {"agent": agent}, executor=executor))


def test_processes_make_no_difference():
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(2, mp_context=spawn) as executor:
        for agent in MANY:
            problem = PROBLEM | {"agent": agent}
            assert_same(rb.simulate(**problem), rb.simulate(**problem, executor=executor))


@pytest.mark.parametrize("size", [1, 2, 3, 7])
@pytest.mark.parametrize("order", [1, -1], ids=["forwards", "backwards"])
def test_chunks_and_their_order_make_no_difference(monkeypatch, size, order):
    expected = rb.simulate(**PROBLEM)
    parts = [(first, min(size, 7 - first)) for first in range(0, 7, size)]
    monkeypatch.setattr(module, "chunks", lambda sims: parts[::order])
    assert_same(expected, rb.simulate(**PROBLEM))


@given(st.integers(1, 5000), st.integers(1, 300))
def test_chunks_cover_every_simulation_once(sims, most):
    parts = module.chunks(sims, most)
    assert len(parts) <= most
    assert [i for first, count in parts for i in range(first, first + count)] == list(range(sims))


@pytest.mark.parametrize("agent", MANY, ids=lambda agent: type(agent).__name__)
def test_the_first_simulations_of_a_longer_run_are_the_shorter_run(agent):
    few = rb.simulate(rb.setting("small"), agent, 500, sims=5, seed=3)
    many = rb.simulate(rb.setting("small"), agent, 500, sims=600, seed=3)
    assert many.sims == 600
    for part in PARTS:
        np.testing.assert_array_equal(getattr(few, part), getattr(many, part)[:5])


def test_other_runs_before_and_in_between_make_no_difference():
    alone = rb.simulate(**PROBLEM)
    rb.simulate(**PROBLEM | {"agent": rb.RGPTS(), "seed": 9})
    np.random.default_rng(0).random(100)
    assert_same(alone, rb.simulate(**PROBLEM))


@settings(max_examples=60)
@given(st.data(), bandits(), SEEDS, st.integers(1, 400), st.sampled_from([1.0, 0.99, 0.5]))
def test_simulations_are_their_traces_added_up(data, bandit, seed, rounds, gamma):
    agent = data.draw(st.one_of(*AGENTS.values()))
    runs = rb.simulate(bandit, agent, rounds, sims=3, seed=seed, gamma=gamma, executor=AtOnce())
    length = min(3 * bandit.s_max, rounds)
    assert runs.tail.shape == runs.tail_arms.shape == (3, length)
    for i in range(3):
        run = rb.trace(bandit, agent, rounds, seed, simulation=i)
        weighted = gamma ** np.arange(rounds) * run.expected
        np.testing.assert_allclose(
            runs.cumulative[i], weighted.cumsum()[runs.checkpoints - 1], rtol=1e-11, atol=1e-12
        )
        np.testing.assert_array_equal(runs.tail[i], run.expected[-length:])
        np.testing.assert_array_equal(runs.tail_arms[i], run.arms[-length:])
        state = (bandit.s_max,) * bandit.arms
        for arm in run.arms[:-length]:
            state = step(state, arm, bandit.s_max)
        assert tuple(runs.tail_start[i]) == state


def test_first_round_has_weight_one_and_the_second_gamma():
    runs = rb.simulate(rb.RecoveringBandit([[0.25]]), rb.RandomPull(), 2, sims=1, gamma=0.5)
    assert runs.checkpoints.tolist() == [1, 2]
    assert runs.cumulative.tolist() == [[0.25, 0.25 + 0.5 * 0.25]]


@given(st.integers(1, 10**6))
def test_checkpoints_ascend_to_the_last_round(rounds):
    marks = module.checkpoints(rounds)
    assert (np.diff(marks) > 0).all()
    assert marks[0] == 1
    assert marks[-1] == rounds
    assert len(marks) <= 140


@pytest.mark.parametrize("rounds", [1, 2, 1e3, np.int32(10), np.float64(10)])
def test_whole_numbers_of_any_type_are_rounds(rounds):
    runs = rb.simulate(rb.setting("small"), rb.SSSarsa(1), rounds, sims=2)
    assert runs.rounds == rounds
    assert rb.trace(rb.setting("small"), rb.SSSarsa(1), rounds).arms.shape == (int(rounds),)


def test_an_error_in_a_simulation_reaches_the_caller():
    class Fails(AtOnce):
        def submit(self, function, *arguments):
            future = Future()
            future.set_exception(MemoryError("no room"))
            return future

    with pytest.raises(MemoryError, match="no room"):
        rb.simulate(**PROBLEM, executor=Fails())


def test_a_lent_executor_is_left_running():
    with ThreadPoolExecutor(1) as executor:
        rb.simulate(**PROBLEM, executor=executor)
        assert executor.submit(int, 3).result() == 3
