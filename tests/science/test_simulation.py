"""Results depend on bandit, agent, rounds, seed and number of the simulation, on nothing else."""

import dataclasses
import multiprocessing
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rb_core as rb
from rb_core import simulation
from rb_core.engine.blocks import Maker, checkpoints, simulate_block
from tests.joint_graph import step
from tests.strategies import AGENTS, SEEDS, bandits, listed_agents

PARTS = ("cumulative", "total", "tail", "tail_arms", "tail_start")
PROBLEM = {"bandit": rb.setting("6-hetero"), "agent": rb.SSSarsa(0.99), "rounds": 2000, "sims": 7}
MANY = listed_agents(0.99)


def assert_same(left, right):
    for part in PARTS:
        np.testing.assert_array_equal(getattr(left, part), getattr(right, part))


class AtOnce(Executor):
    """Does the work in the calling thread, while it is handed over."""

    def submit(self, function, *arguments):
        future = Future()
        future.set_result(function(*arguments))
        return future


@pytest.mark.parametrize("agent", MANY.values(), ids=MANY)
def test_threads_make_no_difference(agent):
    expected = rb.simulate(**PROBLEM | {"agent": agent}, executor=AtOnce())
    assert_same(expected, rb.simulate(**PROBLEM | {"agent": agent}))
    for workers in (1, 3):
        with ThreadPoolExecutor(workers) as executor:
            assert_same(expected, rb.simulate(**PROBLEM | {"agent": agent}, executor=executor))


@pytest.mark.slow
def test_processes_make_no_difference():
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(2, mp_context=spawn) as executor:
        for agent in MANY.values():
            problem = PROBLEM | {"agent": agent}
            assert_same(rb.simulate(**problem), rb.simulate(**problem, executor=executor))


@pytest.mark.parametrize("size", [1, 2, 3, 7])
@pytest.mark.parametrize("order", [1, -1], ids=["forwards", "backwards"])
def test_blocks_and_their_order_make_no_difference(monkeypatch, size, order):
    expected, jobs_of = rb.simulate(**PROBLEM), simulation.jobs_of
    monkeypatch.setattr(simulation, "jobs_of", lambda problem, agent, sims, seed, _: jobs_of(
        problem, agent, sims, seed, size)[::order])
    assert_same(expected, rb.simulate(**PROBLEM))


@given(st.integers(1, 5000), st.integers(1, 300), st.integers(0, 9))
def test_blocks_cover_every_simulation_once(sims, size, seed):
    problem = rb.Problem(PROBLEM["bandit"], 20, 0.9)
    jobs = simulation.jobs_of(problem, rb.RandomPull(), sims, seed, size)
    assert max(job.count for job in jobs) <= size
    assert {(job.rounds, job.discount, job.seed) for job in jobs} == {(20, 0.9, seed)}
    assert [i for job in jobs for i in range(job.first, job.first + job.count)] == list(range(sims))


@pytest.mark.parametrize("agent", MANY.values(), ids=MANY)
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
        assert runs.total[i] == pytest.approx(run.expected.sum(), rel=1e-11, abs=1e-12)
        np.testing.assert_array_equal(runs.tail[i], run.expected[-length:])
        np.testing.assert_array_equal(runs.tail_arms[i], run.arms[-length:])
        state = (bandit.s_max,) * bandit.arms
        for arm in run.arms[:-length]:
            state = step(state, arm, bandit.s_max)
        assert tuple(runs.tail_start[i]) == state


@pytest.mark.parametrize("law", ["bernoulli", "normal"])
def test_simulations_are_the_traces_of_their_numbers(law):
    """The same with one agent that learns nothing: seconds for who edits the loop."""
    bandit, rounds = rb.setting("6-hetero", "peaked", law), 40
    runs = rb.simulate(bandit, rb.RandomPull(), rounds, sims=3, seed=4, gamma=0.9)
    assert runs.tail.shape == (3, 3 * bandit.s_max)
    for i in range(3):
        run = rb.trace(bandit, rb.RandomPull(), rounds, seed=4, simulation=i)
        along = rb.states_along(bandit, run.arms)
        np.testing.assert_array_equal(runs.tail_arms[i], run.arms[-9:])
        np.testing.assert_array_equal(runs.tail[i], run.expected[-9:])
        np.testing.assert_array_equal(runs.tail_start[i], along[-10])
        np.testing.assert_array_equal(run.states, along[np.arange(rounds), run.arms])
        np.testing.assert_allclose(runs.cumulative[i, -1],
                                   0.9 ** np.arange(rounds) @ run.expected, rtol=1e-12)
    assert len({arms.tobytes() for arms in runs.tail_arms}) == 3


def test_a_run_shorter_than_the_tail_is_kept_whole():
    runs = rb.simulate(rb.setting("6-homo"), rb.RandomPull(), 5, sims=2)
    assert runs.tail.shape == runs.tail_arms.shape == (2, 5)
    assert runs.tail_start.tolist() == [[6] * 6] * 2


def test_states_of_a_sequence_of_arms():
    bandit = rb.RecoveringBandit(np.zeros((2, 4)))
    assert rb.states_along(bandit, [0, 0, 1, 1, 1, 1, 0]).tolist() == [
        [4, 4], [1, 4], [1, 4], [2, 1], [3, 1], [4, 1], [4, 1], [1, 2]]
    pulled = simulation.states_at_pull(np.array([0, 0, 1, 1, 0, 0]), np.array([2, 3]), 4)
    assert pulled.tolist() == [2, 1, 4, 1, 3, 1]  # arm 1 goes on from state 3


OTHER_JOBS = {
    "bandit": rb.setting("6-homo"), "agent": rb.SSSarsa(0.9), "rounds": 21, "discount": 0.8,
    "seed": 1, "first": 1, "count": 4,
}


def test_blocks_that_differ_in_anything_have_different_names_and_files(tmp_path):
    """Under one name a store would give the one for the other."""
    [job] = simulation.jobs_of(rb.Problem(rb.setting("small"), 20, 0.9), rb.RandomPull(), 3)
    others = [dataclasses.replace(job, **{name: value}) for name, value in OTHER_JOBS.items()]
    assert set(OTHER_JOBS) == {field.name for field in dataclasses.fields(job)}
    names = {simulation.block_name(each) for each in [job, *others]}
    assert len(names) == len({rb.Store(tmp_path).path(name) for name in names}) == 1 + len(others)


def test_what_is_not_the_block_of_a_job_does_not_fit():
    """Such a block, whoever kept it or sent it, is as good as none."""
    [job] = simulation.jobs_of(rb.Problem(rb.setting("small"), 20), rb.RandomPull(), 3)
    block = simulate_block(job)
    assert job.fits(block)
    for name, part in block._asdict().items():
        other_type = np.int64 if part.dtype == np.int32 else np.float32
        assert not job.fits(block._replace(**{name: part.astype(other_type)}))
        assert not job.fits(block._replace(**{name: part[:2]}))
        assert not job.fits(block._replace(**{name: part[:, :-1]}))
        for wrong in (np.nan, np.inf):
            spoilt = part.astype(float)
            spoilt[1, 0] = wrong
            assert not job.fits(block._replace(**{name: spoilt}))


def test_an_agent_without_a_discount_is_simulated_once_for_both_evaluations():
    one, other = (rb.experiment(f"small-normal-{kind}").problem
                  for kind in ("discounted", "undiscounted"))
    assert one != other
    assert simulation.jobs_of(one, rb.RGPTS(), 10) == simulation.jobs_of(other, rb.RGPTS(), 10)


@pytest.mark.parametrize("field", Maker._fields)
def test_what_a_worker_with_other_versions_computed_is_refused(field):
    class Elsewhere(AtOnce):
        def submit(self, function, *arguments):
            signed = function(*arguments)
            future = Future()
            future.set_result(signed._replace(maker=signed.maker._replace(**{field: "9"})))
            return future

    with pytest.raises(rb.InputError, match=f"another version .{field} 9, here"):
        rb.simulate(**PROBLEM | {"agent": rb.RandomPull()}, executor=Elsewhere())


def test_first_round_has_weight_one_and_the_second_gamma():
    runs = rb.simulate(rb.RecoveringBandit([[0.25]]), rb.RandomPull(), 2, sims=1, gamma=0.5)
    assert runs.checkpoints.tolist() == [1, 2]
    assert runs.cumulative.tolist() == [[0.25, 0.25 + 0.5 * 0.25]]


@given(st.integers(1, 10**6))
def test_checkpoints_ascend_to_the_last_round(rounds):
    marks = checkpoints(rounds)
    assert (np.diff(marks) > 0).all()
    assert marks[0] == 1
    assert marks[-1] == rounds
    assert len(marks) <= 140


def test_checkpoints_are_every_hundredth_and_closer_together_at_the_beginning():
    marks = checkpoints(100_000).tolist()
    assert marks[:9] == [1, 2, 3, 4, 5, 7, 10, 14, 19]
    assert set(range(1000, 100_001, 1000)) <= set(marks)


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
