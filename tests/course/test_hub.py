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

import model_answer
import pytest
from assignment import grade_id_of, read

from tests.conftest import TOP

WITH = ("Makefile", "pyproject.toml", "requirements.txt", "book/teach.md", "rb_core", "tests",
        "notebooks/assignments")
# Processes of its own by this and not by bubblewrap, in whose /proc students' cages cannot be made.
APART = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]
NAME = "1_reachable_states"
POINTS = {test: points for question in read(NAME).questions.values()
          for test, points, _ in question.tests}
WRITTEN = sum(cell.metadata.nbgrader.points for cell in read(NAME).notebook.cells
              if grade_id_of(cell) == model_answer.WRITTEN)


def as_root():
    """What makes a command one of root's: nothing, or sudo if it asks for no password."""
    if os.getuid() == 0:
        return []
    can = shutil.which("sudo") and subprocess.run(["sudo", "-n", "true"], check=False,
                                                  capture_output=True).returncode == 0
    return ["sudo", "-n"] if can else None


def missing():
    """What it takes to make such a world and this machine has not; "" if it can be made."""
    if as_root() is None:
        return "needs root, or sudo without a password, to make accounts"
    if shutil.which("bwrap") is None:
        return "needs bubblewrap (bwrap)"
    tried = [*as_root(), *APART, "bwrap", "--dev-bind", "/", "/", "--unshare-net", "true"]
    if subprocess.run(tried, check=False).returncode:
        return "needs a machine, or a container, in which root may make namespaces"
    return ""


def closed_to_others(path):
    """The first folder above a path into which other accounts cannot go, or None."""
    above = reversed(Path(path).parents)
    return next((folder for folder in above if not folder.stat().st_mode & 0o001), None)


def world(files):
    """The beginning of a command that runs as root in a world of its own."""
    call = [*as_root(), *APART, "bwrap", "--dev-bind", "/", "/", "--unshare-net", "--unshare-ipc",
            "--cap-add", "ALL"]
    mounted = {TOP: files / "project", Path(sys.prefix): sys.prefix,
               Path(sys.base_prefix): sys.base_prefix}
    # Others may go to the project and its Python, wherever these are.
    closed = {closed_to_others(place) for place in mounted} - {None}
    empty = {Path(folder) for folder in ("/home", "/srv", "/run")} | closed
    for folder in sorted(empty):
        call += ["--perms", "0755", "--tmpfs", str(folder)]
    for place, what in mounted.items():
        for folder in reversed(place.parents):
            if empty & set(folder.parents):
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
    if missing():
        (pytest.fail if os.environ.get("CI") else pytest.skip)(missing())
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
    assert day["by make"] == {"ada": POINTS, "bob": POINTS | {"q1_test": 0}}
    assert day["notes"] == ""


def test_the_button_gives_the_same_points(day):
    all_ = sum(POINTS.values())
    assert day["gradebook"] == {"ada": all_, "bob": all_ - POINTS["q1_test"]}
    assert day["by button"] == day["gradebook"]


def test_everybody_sees_their_own_numbers(day):
    assert day["seen"]["ada"] != day["seen"]["bob"]
    assert day["seen"] == day["meant"]


def test_nobody_else_can_look_into_the_course(day):
    assert not day["others may look"]


@pytest.mark.parametrize("student", ["ada", "bob"])
def test_feedback_arrives(day, student):
    (page,) = day["pages"][student]
    most = sum(POINTS.values()) + WRITTEN
    assert f"{day['gradebook'][student]:.1f} / {most:.1f}" in page
