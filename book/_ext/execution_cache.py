"""Keep the outputs of executed notebooks only as long as what they were computed from is the same.

The execution cache compares a notebook's own cells and nothing else. So its folder is named after
the rest: the code of rb_core, the committed results, the locked packages, the version of Python.
"""

import hashlib
import sys
from pathlib import Path

WATCHED = (
    "rb_core/**/*.py",
    "notebooks/results/**/*",
    "notebooks/sweeps/*.csv",
    "notebooks/sweeps/*.yml",
    "requirements.txt",
)


def key(top):
    """A short hash of everything outside a notebook that its outputs depend on."""
    digest = hashlib.sha256(sys.version.encode())
    for pattern in WATCHED:
        for path in sorted(Path(top).glob(pattern)):
            if path.is_file():
                digest.update(path.relative_to(top).as_posix().encode() + b"\0")
                digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:16]


def choose_folder(app, config):
    top = Path(app.srcdir)
    config.nb_execution_cache_path = str(top / "_build" / ".jupyter_cache" / key(top))


def setup(app):
    app.connect("config-inited", choose_folder)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
