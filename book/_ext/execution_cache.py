"""Keep the outputs of what the build executes only as long as all they can depend on is the same.

The execution cache compares a page's own cells and nothing else. So its folder is named after the
rest: the code of rb_core, all data that a page could read, the locked packages, the version of
Python.
"""

import hashlib
import sys
from pathlib import Path

from jupyter_client import KernelManager

sys.path.append(str(Path(__file__).parents[1] / "outputs"))
from stamp import digest

WATCHED = (
    "requirements.txt",
    "rb_core/**/*.py",
    "rb_core/*.mplstyle",
    "book/*.py",
    *(f"{room}/**/*{kind}" for room in ("book", "notebooks")
      for kind in (".csv", ".json", ".npz", ".yml")),
    # The status page says whether pages were measured as they are built now (book/pages_stamp.py).
    "_config.yml",
    "book/intro.md",
    *(f"book/{room}/**/*{kind}" for room in ("_ext", "_static", "interactive")
      for kind in (".py", ".css", ".js")),
    *(f"notebooks/assignments/**/*{kind}" for kind in (".py", ".ipynb", ".j2")),
)


def watched(top):
    return sorted({path for pattern in WATCHED for path in Path(top).glob(pattern)})


def key(top):
    """A short hash of everything outside a page that its outputs depend on."""
    whole = hashlib.sha256(sys.version.encode())
    for path in watched(top):
        whole.update(f"{path.relative_to(top).as_posix()}\0{digest(path)}\n".encode())
    return whole.hexdigest()[:16]


def choose_folder(app, config):
    top = Path(app.srcdir)
    config.nb_execution_cache_path = str(top / "_build" / ".jupyter_cache" / key(top))


def setup(app):
    # Else every kernel warns that what is said on this machine could be overheard.
    KernelManager.transport_encryption.default_value = "auto"
    app.connect("config-inited", choose_folder)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
