"""A cage for a student's code: no network, nothing to write to but a small folder that vanishes.

Bubblewrap makes it from Linux namespaces. Inside there are the Python installation and its
packages, read-only and without rb_core, and none of the course's files.
"""

import importlib.util
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from functools import lru_cache
from pathlib import Path

import forbidden_calls

NOBODY = "65534"
MOST_IN_TMP = 100_000_000


class NoSandbox(Exception):
    """There is none on this machine; the text says what it would take."""

    def __str__(self):
        return f"There is no sandbox on this machine: {missing()}"


def is_possible():
    """Whether this system has what cages are made of; elsewhere nothing can be graded at all."""
    return platform.system() == "Linux"


def available():
    """Whether a cage can be made here."""
    return not missing()


@lru_cache
def missing():
    """What a cage would need and this machine has not, found by making one; "" if it works."""
    if not is_possible():
        return (f"it takes Linux, and this is {platform.system()}. Grade in a container, which "
                "docker or podman makes from notebooks/assignments/Containerfile; the page for "
                "teachers has the commands, under 'On macOS and Windows'.")
    if shutil.which("bwrap") is None:
        return "the command `bwrap` is not there (on Debian and Ubuntu: apt install bubblewrap)."
    with open(os.devnull) as nothing, tempfile.TemporaryFile("w+") as said:
        code = start([sys.executable, "-I", "-c", "import numpy"], [], nothing, True, said).wait()
        said.seek(0)
        words = said.read(300).strip()
    if code == 0:
        return ""
    return (f"bubblewrap could not make it ({words or f'exit code {code}'}). It takes namespaces: "
            "root has them, and so do others where the kernel allows it (on Ubuntu: sudo sysctl "
            "kernel.apparmor_restrict_unprivileged_userns=0; in a container: --privileged).")


def start(command, files, line, caged, errors=subprocess.DEVNULL):
    """Start a process that has nothing of ours but `files` and its end of a line."""
    with forbidden_calls.readable() as rules:
        return subprocess.Popen(
            caged_command(command, files, rules) if caged else command,
            pass_fds=[line.fileno(), *([rules.fileno()] if caged and rules else [])],
            env=environment(), start_new_session=True, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=errors,
        )


def caged_command(command, files, rules):
    """`command` as it has to be called to run in the cage, where it sees `files` besides."""
    folders = {Path(sys.base_prefix), Path(sys.prefix)}
    visible = [*sorted(folders), *map(Path, files)]
    call = [shutil.which("bwrap"), "--unshare-pid", "--unshare-net", "--unshare-ipc",
            "--unshare-uts", "--die-with-parent", "--new-session", "--clearenv",
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
