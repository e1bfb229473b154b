"""A cage for a student's code: no network, nothing to write to but a small folder that vanishes.

Bubblewrap makes it from Linux namespaces. Inside there are the Python installation and its
packages, read-only and without rb_core, and none of the course's files.
"""

import importlib.util
import os
import shutil
import subprocess
import sys
from functools import lru_cache
from pathlib import Path

import forbidden_calls

NOBODY = "65534"
MOST_IN_TMP = 100_000_000


class NoSandbox(Exception):
    """There is none on this machine."""

    def __str__(self):
        return ("There is no sandbox on this machine: it takes bubblewrap (the command `bwrap`) on "
                "Linux with user namespaces. On macOS and Windows, grade in a Linux container.")


@lru_cache
def available():
    """Whether a cage can be made here: by making one."""
    if shutil.which("bwrap") is None:
        return False
    with open(os.devnull) as nothing:
        tried = start([sys.executable, "-I", "-c", "import numpy"], [], nothing, caged=True)
    return tried.wait() == 0


def start(command, files, line, caged):
    """Start a process that has nothing of ours but `files` and its end of a line."""
    with forbidden_calls.readable() as rules:
        return subprocess.Popen(
            caged_command(command, files, rules) if caged else command,
            pass_fds=[line.fileno(), *([rules.fileno()] if caged and rules else [])],
            env=environment(), start_new_session=True, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )


def caged_command(command, files, rules):
    """`command` as it has to be called to run in the cage, where it sees `files` besides."""
    folders = {Path(sys.base_prefix), Path(sys.prefix)}
    visible = [*sorted(folders), *map(Path, files)]
    call = ["bwrap", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts",
            "--die-with-parent", "--new-session", "--clearenv",
            "--ro-bind", "/usr", "/usr", "--proc", "/proc", "--dev", "/dev",
            # first: Python itself may lie in /tmp
            "--perms", "1777", "--size", str(MOST_IN_TMP), "--tmpfs", "/tmp"]
    for link in ("lib", "lib64", "bin"):
        if Path("/", link).is_symlink():
            call += ["--symlink", f"usr/{link}", f"/{link}"]
        elif Path("/", link).is_dir():
            call += ["--ro-bind", f"/{link}", f"/{link}"]
    there = {Path("/"), Path("/usr"), Path("/tmp")}
    above = {parent for path in visible for parent in path.parents} - there
    for folder in sorted(above):
        call += ["--perms", "0755", "--dir", str(folder)]
    for path in visible:
        call += ["--ro-bind", str(path), str(path)]
    for path in _core_inside(folders):
        call += ["--tmpfs", str(path), "--remount-ro", str(path)]
    call += ["--remount-ro", "/dev", "--remount-ro", "/", "--chdir", "/tmp"]
    for name, value in environment().items():
        call += ["--setenv", name, value]
    if rules:
        call += ["--seccomp", str(rules.fileno())]
    if os.getuid() == 0:  # become nobody; anybody else is somebody without power already
        call += ["--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID",
                 "setpriv", "--reuid", NOBODY, "--regid", NOBODY, "--clear-groups",
                 "--no-new-privs"]
    else:
        call += ["--unshare-user"]
    return [*call, *command]


def environment():
    """Everything that a student's process knows of its surroundings."""
    return {"HOME": "/tmp", "MPLBACKEND": "Agg", "MPLCONFIGDIR": "/tmp", "OMP_NUM_THREADS": "1",
            "OPENBLAS_NUM_THREADS": "1", "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}


def _core_inside(folders):
    """Where rb_core lies, if that is in one of the visible folders."""
    found = importlib.util.find_spec("rb_core")
    places = map(Path, found.submodule_search_locations if found else ())
    return [place for place in places if any(place.is_relative_to(each) for each in folders)]
