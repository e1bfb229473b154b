"""What runs on a Dask worker: loading a user's modules there."""

import sys
import tempfile
from pathlib import Path

from distributed import Worker, WorkerPlugin


class UserModules(WorkerPlugin):
    """Modules as texts; a worker has them from its start, whenever it joins."""

    name = "rb_core user modules"

    def __init__(self, texts: dict[str, str]):
        self.texts = texts

    def setup(self, worker: Worker) -> None:
        """Write the modules to a folder of this worker's, and forget what had their names."""
        folder = Path(tempfile.mkdtemp(dir=worker.local_directory))
        for name, text in self.texts.items():
            path = folder / f"{name.replace('.', '/')}.py"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            sys.modules.pop(name, None)
        sys.path.insert(0, str(folder))
