"""How many machines one scheduler can keep busy, by a real Dask cluster.

    .venv/bin/python -m tests.bench.machines      writes notebooks/beyond/machines.json, in a minute

Runs know nothing of each other: what more machines share is the process that gives the command and
the scheduler. Blocks with hardly anything to compute show what one block costs these two, in
processor time, with one worker and with many. How much faster two workers are than one is measured
with blocks of the paper's size; more cannot be shown on two cores.
"""

import json
import tempfile
import time
from pathlib import Path

import psutil

import rb_core as rb
from rb_core.engine.blocks import Job, maker_of
from rb_core.simulation import cores, run_jobs
from tests.dask_cluster import Cluster

OUT = Path(__file__).parents[2] / "notebooks" / "beyond" / "machines.json"
WORKERS = (1, 2, 4, 8, 16)
EMPTY, FULL = 400, 60  # blocks
AGENT = rb.SSSarsa(0.999)


def blocks(count, rounds, sims):
    bandit = rb.setting("6-hetero")
    return [Job(bandit, AGENT, rounds, 1.0, 0, sims * i, sims) for i in range(count)]


def run(address, jobs):
    """Seconds by the clock, and of this process."""
    with rb.executor(1, address) as executor:
        start, own = time.perf_counter(), time.process_time()
        assert sum(1 for _ in run_jobs(jobs, executor, None)) == len(jobs)
        return time.perf_counter() - start, time.process_time() - own


def measured(count, folder):
    """A row: what a block costs who hands it out, with so many workers."""
    cluster = Cluster(folder)
    try:
        for _ in range(count):
            cluster.worker()
        cluster.wait_for_workers(count)
        run(cluster.address, blocks(4 * count, 50, 1))  # all have loaded rb_core and the kernel
        scheduler = psutil.Process(cluster.scheduler.pid)
        before = sum(scheduler.cpu_times()[:2])
        clock, own = run(cluster.address, blocks(EMPTY, 50, 1))
        after = sum(scheduler.cpu_times()[:2])
        row = {"workers": count,
               "milliseconds a block, scheduler": round(1e3 * (after - before) / EMPTY, 2),
               "milliseconds a block, command": round(1e3 * own / EMPTY, 2),
               "milliseconds a block, by the clock": round(1e3 * clock / EMPTY, 2)}
        if count <= cores():
            run(cluster.address, blocks(count, 100_000, 50))  # the kernel of long runs
            full, _ = run(cluster.address, blocks(FULL, 100_000, 50))
            row["seconds for full blocks"] = round(full, 2)
        return row
    finally:
        cluster.close()


def main():
    rows = []
    for count in WORKERS:
        with tempfile.TemporaryDirectory() as folder:
            rows.append(measured(count, Path(folder)))
        print(rows[-1], flush=True)
    made = {"command": ".venv/bin/python -m tests.bench.machines", "cores": cores(),
            "date": time.strftime("%Y-%m-%d"), "load": round(psutil.getloadavg()[0], 1),
            "code": maker_of(type(AGENT)).code, "empty blocks": EMPTY, "full blocks": FULL}
    OUT.write_text(json.dumps({"rows": rows, "made": made}, indent=1) + "\n")


if __name__ == "__main__":
    main()
