"""A real Dask cluster on this machine: a scheduler and worker processes, some of them killed."""

import os
import shutil
import signal
import subprocess
import sys
import threading

import numpy as np
import pytest

import rb_core as rb
from rb_core.checks import InputError
from rb_core.cli import main
from rb_core.lab import executors
from rb_core.lab import race as races
from rb_core.simulation import block_name, jobs_of, run_jobs
from tests.dask_cluster import Cluster

pytestmark = [pytest.mark.cluster, pytest.mark.timeout(300)]
PROBLEM = rb.Problem(rb.setting("small"), 2000, 0.999)


@pytest.fixture
def dask(tmp_path):
    found = Cluster(tmp_path)
    yield found
    found.close()


def jobs(sims=400):
    return jobs_of(PROBLEM, rb.SSSarsa(0.999), sims)


def contents(store, jobs):
    return [store.get(block_name(job)).block for job in jobs]


def same(one, other):
    return all(np.array_equal(a, b) for left, right in zip(one, other, strict=True)
               for a, b in zip(left, right, strict=True))


def missing(jobs, store):
    return [job for job in jobs if store.get(block_name(job)) is None]


def computed_here(folder, many):
    store = rb.Store(folder)
    for _ in run_jobs(many, None, store):
        pass
    return contents(store, many)


def test_results_are_bit_for_bit_those_of_this_machine(dask, tmp_path, capsys):
    dask.worker(), dask.worker()
    dask.wait_for_workers(2)
    there = rb.Store(tmp_path / "there")
    with rb.executor(2, dask.address) as executor:
        for _ in run_jobs(jobs(), executor, there):
            pass
    assert same(computed_here(tmp_path / "here", jobs()), contents(there, jobs()))

    call = ["run", "small-bernoulli-discounted", "--sims", "4", "--rounds", "500", "--store"]
    tables = []
    for name, extra in (("one", []), ("two", ["--scheduler", dask.address])):
        assert main([*call, str(tmp_path / name), *extra]) == 0
        printed = capsys.readouterr().out.splitlines()
        tables.append([line.rsplit(maxsplit=1)[0] for line in printed])  # without the seconds
    assert tables[0] == tables[1]


def test_a_race_comes_out_as_on_this_machine(dask, tmp_path, capsys, monkeypatch):
    tiny = races.Suite(("rising",), ((3, 3),), ("normal",), (300,), 2, 2, ("SS-SARSA",), 9)
    monkeypatch.setitem(races.SUITES, "tiny", tiny)
    dask.worker()
    dask.wait_for_workers(1)
    printed = []
    for name, extra in (("here", []), ("there", ["--scheduler", dask.address])):
        assert main(["race", "--suite", "tiny", "--store", str(tmp_path / name / "blocks"),
                     "--out", str(tmp_path / name), *extra]) == 0
        printed.append(capsys.readouterr().out.replace(str(tmp_path / name), ""))
    assert printed[0] == printed[1]
    here, there = ((tmp_path / name / "tiny.csv").read_text() for name in ("here", "there"))
    assert here == there


def test_a_killed_worker_costs_nothing(dask, tmp_path):
    victim = dask.worker()
    dask.wait_for_workers(1)
    store, done = rb.Store(tmp_path / "store"), []
    with rb.executor(1, dask.address) as executor:
        for job, _ in run_jobs(jobs(), executor, store):
            done.append(job)
            if len(done) == 1:
                dask.worker()
                victim.send_signal(signal.SIGKILL)
    assert sorted(job.first for job in done) == [job.first for job in jobs()]  # each once
    assert same(computed_here(tmp_path / "here", jobs()), contents(store, jobs()))


def test_a_lost_scheduler_is_said_and_a_second_try_goes_on(dask, tmp_path):
    dask.worker()
    dask.wait_for_workers(1)
    store, done = rb.Store(tmp_path / "store"), []
    many = jobs(2000)

    def run():
        with rb.executor(1, dask.address) as executor:
            for job, _ in run_jobs(many, executor, store):
                done.append(job)
                if len(done) == 2:
                    dask.scheduler.kill()

    with pytest.raises(InputError, match="is gone; finished blocks are kept"):
        run()
    left = missing(many, store)
    assert 0 < len(left) <= len(many) - 2
    for _ in run_jobs(left, None, store):
        pass
    assert missing(many, store) == []


def test_a_lost_scheduler_is_one_line_on_the_terminal(dask, tmp_path):
    dask.worker()
    dask.wait_for_workers(1)
    blocks = tmp_path / "blocks"
    process = subprocess.Popen(
        [sys.executable, "-m", "rb_core.cli", "run", "10-homo-increasing-normal-discounted",
         "--rounds", "20000", "--sims", "2000", "--scheduler", dask.address, "--store", blocks],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    dask.wait_for(lambda: any(blocks.glob("*.block")))
    dask.scheduler.kill()
    said = process.communicate(timeout=120)[1]
    assert process.returncode == 2
    assert said.count("\n") == 1
    assert "is gone; finished blocks are kept" in said


def test_workers_with_other_code_are_refused(dask, tmp_path):
    dask.worker_with_other_code(tmp_path)
    dask.wait_for_workers(1)
    store = rb.Store(tmp_path / "store")
    with (pytest.raises(InputError, match=r"another version \(code .*nothing that it"),
          rb.executor(1, dask.address) as executor):
        for _ in run_jobs(jobs(), executor, store):
            pass
    assert not store.folder.exists()


def test_a_worker_with_other_code_that_joins_during_the_run_contributes_nothing(dask, tmp_path):
    dask.worker()
    dask.wait_for_workers(1)
    store, many = rb.Store(tmp_path / "store"), jobs(3000)

    def run():
        with rb.executor(1, dask.address) as executor:
            executor._max_workers = 1  # four blocks are handed over, the others when both are there
            for i, _ in enumerate(run_jobs(many, executor, store)):
                if i == 0:
                    dask.worker_with_other_code(tmp_path)
                    dask.wait_for_workers(2)

    with pytest.raises(InputError, match="another version"):
        run()
    kept = [job for job in many if store.get(block_name(job)) is not None]
    assert 0 < len(kept) < len(many)
    assert same(contents(store, kept), computed_here(tmp_path / "here", kept))


USERS = """
from dataclasses import dataclass
from typing import NamedTuple
from z_helper import chosen

class Memory(NamedTuple):
    arms: int
    def act(self, t, state, rng):
        return chosen(t, self.arms)
    def learn(self, t, state, arm, reward, next_state):
        rng = 0

@dataclass(frozen=True)
class Mine:
    shift: float = 1.0
    def init(self, arms, s_max, rounds):
        return Memory(arms)
"""
HELPER = """
from rb_core import inlined

@inlined
def chosen(t, arms):
    return (t + {shift}) % arms
"""


def test_a_users_modules_reach_all_workers_also_edited_ones_and_late_ones(
    dask, tmp_path, monkeypatch
):
    (tmp_path / "mine").mkdir()
    monkeypatch.syspath_prepend(str(tmp_path / "mine"))
    dask.worker()
    dask.wait_for_workers(1)
    for shift in (0, 1):
        for name in ("a_mine", "z_helper"):
            sys.modules.pop(name, None)
        (tmp_path / "mine" / "a_mine.py").write_text(USERS)
        (tmp_path / "mine" / "z_helper.py").write_text(HELPER.format(shift=shift) + " " * shift)
        import importlib
        importlib.invalidate_caches()
        shutil.rmtree(tmp_path / "mine" / "__pycache__", ignore_errors=True)
        agent = importlib.import_module("a_mine").Mine()
        with rb.executor(1, dask.address, [agent]) as executor:
            if shift:
                dask.worker()
                dask.wait_for_workers(2)
            runs = rb.simulate(PROBLEM.bandit, agent, 100, sims=64, executor=executor)
        assert runs.tail_arms[0, -1] == (100 + shift) % 3


def test_what_is_wrong_with_workers_is_said(dask, monkeypatch):
    worker = dask.worker()
    dask.wait_for_workers(1)
    from distributed import Client

    monkeypatch.setattr(executors, "PATIENCE", 0.1)
    said, heard = [], threading.Event()

    def say(text):
        said.append(text)
        heard.set()

    with Client(dask.address) as client, executors.watched(client, say):
        os.kill(worker.pid, signal.SIGKILL)
        assert heard.wait(60)
    assert "all workers are gone" in said[0]


def test_workers_that_do_not_work_are_counted():
    states = [{"status": "running"}, {"status": "paused"}, {"status": "running"}]
    assert executors.trouble(states) == "1 of 3 workers do not work now (paused)."
    assert executors.trouble(states[:1]) == ""


def test_no_workers_and_no_scheduler_are_said(dask, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(executors, "PATIENCE", 2)
    call = ["run", "small-bernoulli-discounted", "--sims", "2", "--rounds", "100"]
    for address, said in [
        (dask.address, "has no workers yet"),
        ("tcp://127.0.0.1:9", "No Dask scheduler answers at 'tcp://127.0.0.1:9'"),
        ("nonsense", "No Dask scheduler answers at 'nonsense'"),
    ]:
        assert main([*call, "--scheduler", address]) == 2
        printed = capsys.readouterr()
        assert said in printed.err
        assert printed.out == ""
