"""Which files of the project a program reads, such as the kernel of a notebook."""

import os
from contextlib import contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile

from stamp import TOP

ELSEWHERE = (".venv", "_build", ".git")
HOOK = Path(__file__).with_name("watching")


@contextmanager
def reads():
    """The files read by programs that are started in this block: a set, filled when it ends."""
    found = set()
    with NamedTemporaryFile() as log:
        before = {name: os.environ.get(name) for name in ("PYTHONPATH", "WATCH_READS")}
        folders = filter(None, [str(HOOK), before["PYTHONPATH"]])
        os.environ |= {"PYTHONPATH": os.pathsep.join(folders), "WATCH_READS": log.name}
        try:
            yield found
        finally:
            for name, value in before.items():
                os.environ.pop(name) if value is None else os.environ.update({name: value})
        found |= {name for line in Path(log.name).read_text().splitlines()
                  if (name := inside(Path(line)))}


def inside(path):
    """The path from the top of a file of the project; None for all others."""
    if not path.is_relative_to(TOP) or path.is_relative_to(HOOK) or not path.is_file():
        return None
    name = path.relative_to(TOP)
    return None if name.parts[0] in ELSEWHERE else name.as_posix()
