"""A real Dask cluster on this machine: a scheduler and worker processes, some of them killed."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import rb_core as rb
from rb_core import cluster
from rb_core.cli import main
from rb_core.errors import InputError
from rb_core.reproduce import compute, jobs_of, missing
from rb_core.store import Store

pytestmark = pytest.mark.timeout(300)
DASK = [sys.executable, "-m", "dask"]
SMALL = rb.Experiment("small", "increasing", "bernoulli", True, 2000)


class Cluster:
    """A scheduler and workers as processes of their own."""

    def __init__(self, folder):
        self.folder, self.processes = folder, []
        self.file = folder / "scheduler.json"
        self.scheduler = self.start("scheduler", "--host", "127.0.0.1", "--port", "0",
                                    "--no-dashboard", "--scheduler-file", self.file)
        self.wait_for(lambda: self.file.exists() and self.file.read_text().strip().endswith("}"))
        self.address = json.loads(self.file.read_text())["address"]

    def start(self, kind, *arguments, env=None):
        with open(self.folder / f"{kind}-{len(self.processes)}.log", "w") as log:
            process = subprocess.Popen([*DASK, kind, *map(str, arguments)], cwd=self.folder,
                                       stdout=log, stderr=log, env=os.environ | (env or {}))
        self.processes.append(process)
        return process

    def worker(self, env=None):
        return self.start("worker", self.address, "--nthreads", "1", "--no-nanny",
                          "--no-dashboard", "--local-directory", self.folder, env=env)

    def wait_for(self, happened, seconds=60):
        end = time.monotonic() + seconds
        while not happened():
            assert time.monotonic() < end, "it did not happen in time"
            time.sleep(0.1)

    def wait_for_workers(self, count):
        from distributed import Client

        with Client(self.address) as client:
            client.wait_for_workers(count, timeout=60)

    def close(self):
        for process in self.processes:
            process.kill()
            process.wait()


@pytest.fixture
def dask(tmp_path):
    found = Cluster(tmp_path)
    yield found
    found.close()


def jobs(sims=400):
    return jobs_of(SMALL, rb.SSSarsa(0.999), sims)


def contents(store, jobs):
    return [{key: value for key, value in store.get(job.name).items() if key != "seconds"}
            for job in jobs]


def same(one, other):
    return all(np.array_equal(a[key], b[key]) for a, b in zip(one, other, strict=True) for key in a)


def test_results_are_bit_for_bit_those_of_this_machine(dask, tmp_path, capsys):
    dask.worker(), dask.worker()
    dask.wait_for_workers(2)
    here, there = Store(tmp_path / "here"), Store(tmp_path / "there")
    list(compute(jobs(), here))
    with cluster.executor(2, dask.address) as crew:
        list(compute(jobs(), there, crew))
    assert same(contents(here, jobs()), contents(there, jobs()))

    call = ["run", "small-bernoulli-discounted", "--sims", "4", "--rounds", "500"]
    tables = []
    for extra in ([], ["--scheduler", dask.address]):
        assert main([*call, *extra]) == 0
        printed = capsys.readouterr().out.splitlines()
        tables.append([line.rsplit(maxsplit=1)[0] for line in printed])  # without the seconds
    assert tables[0] == tables[1]


def test_a_killed_worker_costs_nothing(dask, tmp_path):
    victim = dask.worker()
    dask.wait_for_workers(1)
    store, done = Store(tmp_path / "store"), []
    with cluster.executor(1, dask.address) as crew:
        for job in compute(jobs(), store, crew):
            done.append(job)
            if len(done) == 1:
                dask.worker()
                victim.send_signal(signal.SIGKILL)
    assert sorted(job.first for job in done) == [job.first for job in jobs()]  # each once
    here = Store(tmp_path / "here")
    list(compute(jobs(), here))
    assert same(contents(here, jobs()), contents(store, jobs()))


def test_a_lost_scheduler_is_said_and_a_second_try_goes_on(dask, tmp_path):
    dask.worker()
    dask.wait_for_workers(1)
    store, done = Store(tmp_path / "store"), []
    many = jobs(2000)

    def run():
        with cluster.executor(1, dask.address) as crew:
            for job in compute(many, store, crew):
                done.append(job)
                if len(done) == 2:
                    dask.scheduler.kill()

    with pytest.raises(InputError, match="is gone; finished blocks are kept"):
        run()
    left = missing(many, store)
    assert 0 < len(left) <= len(many) - 2
    list(compute(left, store))
    assert missing(many, store) == []


def test_workers_with_other_code_are_refused(dask, tmp_path):
    copy = tmp_path / "other" / "rb_core"
    shutil.copytree(Path(rb.__file__).parent, copy)
    (copy / "bandit.py").write_text((copy / "bandit.py").read_text() + "\nOTHER = True\n")
    dask.worker(env={"PYTHONPATH": str(copy.parent)})
    dask.wait_for_workers(1)
    crew = cluster.executor(1, dask.address)
    with pytest.raises(InputError, match="another version of rb_core"):
        crew.__enter__()


def test_no_workers_and_no_scheduler_are_said(dask, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(cluster, "PATIENCE", 2)
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
