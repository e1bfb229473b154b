"""The page for teachers works with a real JupyterHub, its proxy, and an account for everybody.

Everything happens in a world of its own: this machine's programs, but a network, processes,
accounts and homes that nobody else sees, and a copy of the project in the project's place. So the
page's paths can be used as they stand, and nothing is left behind.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import TOP

WITH = ("Makefile", "pyproject.toml", "requirements.txt", "book/teach.md", "rb_core", "tests",
        "notebooks/assignments")
FULL, LOST = 16, 2  # of the key; by the question that bob has left


def as_root():
    """What makes a command one of root's: nothing, or sudo if it asks for no password."""
    if os.getuid() == 0:
        return []
    can = shutil.which("sudo") and subprocess.run(["sudo", "-n", "true"], check=False,
                                                  capture_output=True).returncode == 0
    return ["sudo", "-n"] if can else None


def closed_to_others(path):
    """The first folder above a path into which other accounts cannot go, or None."""
    above = reversed(Path(path).parents)
    return next((folder for folder in above if not folder.stat().st_mode & 0o001), None)


def world(files):
    """The beginning of a command that runs as root in a world of its own."""
    call = [*as_root(), "unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc",
            "bwrap", "--dev-bind", "/", "/", "--unshare-net", "--unshare-ipc", "--cap-add", "ALL"]
    for folder in ("/home", "/srv", "/run"):
        call += ["--tmpfs", folder]
    mounted = {TOP: files / "project", Path(sys.prefix): sys.prefix,
               Path(sys.base_prefix): sys.base_prefix}
    # Others may go to the project and its Python, wherever these are.
    closed = {closed_to_others(place) for place in mounted} - {None}
    for folder in sorted(closed):
        call += ["--perms", "0755", "--tmpfs", str(folder)]
    for place, what in mounted.items():
        for folder in reversed(place.parents):
            if closed & set(folder.parents):
                call += ["--perms", "0755", "--dir", str(folder)]
        call += ["--bind" if place == TOP else "--ro-bind", str(what), str(place)]
    call += ["--bind", str(files / "etc"), "/etc", "--bind", str(files / "shared"), "/run/shared"]
    return [*call, "--chdir", str(TOP), "env", "NUMBA_CACHE_DIR=/run/shared/numba"]


def prepare(files):
    """The files of that world that it may change."""
    for name in WITH:
        place = files / "project" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        copy = shutil.copytree if (TOP / name).is_dir() else shutil.copy2
        copy(TOP / name, place)
    (files / "project" / ".venv").mkdir()
    (files / "shared").mkdir()
    compiled = Path(os.environ["NUMBA_CACHE_DIR"])
    if compiled.is_dir():
        shutil.copytree(compiled, files / "shared" / "numba")
    subprocess.run([*as_root(), "cp", "-a", "/etc", files / "etc"], check=True)
    subprocess.run(["chmod", "-R", "a+rwX", files / "shared"], check=True)


@pytest.fixture(scope="module")
def day(tmp_path_factory):
    """What came of the day."""
    if as_root() is None:
        missing = "it takes root, or sudo without a password, to make accounts"
        (pytest.fail if os.environ.get("CI") else pytest.skip)(missing)
    files = tmp_path_factory.mktemp("hub")
    prepare(files)
    command = [*world(files), sys.executable, "-m", "tests.course.hub_day", "/run/shared/day.json"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=900, check=False)
        assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-8000:]
        return json.loads((files / "shared" / "day.json").read_text())
    finally:
        subprocess.run([*as_root(), "rm", "-rf", files], check=True)  # not all of it is ours


def test_everybody_is_graded_by_what_they_did(day):
    assert sum(day["by make"]["ada"].values()) == FULL
    assert [test for test, points in day["by make"]["bob"].items() if not points] == ["q1_test"]
    assert day["notes"] == ""


def test_the_button_gives_the_same_points(day):
    assert day["gradebook"] == {"ada": FULL, "bob": FULL - LOST}
    assert day["by button"] == day["gradebook"]


def test_everybody_sees_their_own_numbers(day):
    assert day["seen"]["ada"] != day["seen"]["bob"]
    assert day["seen"] == day["meant"]


def test_nobody_else_can_look_into_the_course(day):
    assert not day["others may look"]


@pytest.mark.parametrize("student", ["ada", "bob"])
def test_feedback_arrives(day, student):
    (page,) = day["pages"][student]
    assert f"{day['gradebook'][student]:.1f} / 20.0" in page
