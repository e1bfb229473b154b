"""A real Dask cluster on this machine: a scheduler and workers, processes of their own."""

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import rb_core as rb

DASK = [sys.executable, "-m", "dask"]


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

    def worker_with_other_code(self, tmp_path):
        """A worker whose loop pays a little more."""
        copy = tmp_path / "other" / "rb_core"
        shutil.copytree(Path(rb.__file__).parent, copy, dirs_exist_ok=True)
        loop = copy / "engine" / "loop.py"
        text = loop.read_text()
        assert "undiscounted += mean" in text
        loop.write_text(text.replace("undiscounted += mean", "undiscounted += mean * 2"))
        return self.worker(env={"PYTHONPATH": str(copy.parent)})

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
