"""What a student's code can reach while it is graded, and what happens without a sandbox."""

import os
import platform
import subprocess
import sys

import commands
import pytest
import sandbox
from student import Failed, Limits, Students

from tests.conftest import TOP
from tests.course import GRADER

caged = pytest.mark.skipif(
    not sandbox.available(), reason="needs bubblewrap (bwrap) and user namespaces"
)


def outcome(code, **limits):
    """What `answer` is after running the code as a student's."""
    with Students(Limits(**limits)) as students, students.new() as student:
        student.ask("run", code)
        return student.ask("value", "answer")


@caged
def test_there_is_no_network():
    code = """
import socket
try:
    socket.create_connection(("192.0.2.1", 80), timeout=5)
except OSError as error:
    answer = error.strerror
"""
    assert outcome(code) == "Network is unreachable"


@caged
def test_nothing_outside_can_be_written(tmp_path):
    tmp_path.chmod(0o777)
    target = tmp_path / "planted"
    code = f"""
from pathlib import Path
answer = []
for path in ({str(target)!r}, {str(GRADER / "new")!r}, {sys.prefix + "/new"!r}, "/usr/new"):
    try:
        Path(path).write_text("here")
    except OSError:
        answer.append(path)
"""
    assert len(outcome(code)) == 4
    assert not target.exists()


@caged
def test_a_folder_of_its_own_can_be_written_and_vanishes():
    code = "from pathlib import Path\nseen = Path('mine').exists()\nPath('mine').write_text('x')\n"
    code += "answer = [seen, Path('mine').read_text()]"
    assert outcome(code) == [False, "x"]
    assert outcome(code) == [False, "x"]


@caged
def test_neither_the_package_nor_the_course_can_be_read():
    code = f"""
import os
answer = [path for path in ({str(TOP / "rb_core")!r}, {str(TOP / "notebooks/assignments/source")!r},
                            {str(TOP / "tests")!r}, {str(TOP / ".git")!r}) if os.path.exists(path)]
"""
    assert outcome(code) == []


@caged
def test_it_runs_as_nobody_and_cannot_see_other_processes():
    code = "import os\nanswer = [os.getuid(), [p for p in os.listdir('/proc') if p.isdigit()]]"
    user, processes = outcome(code)
    assert user != 0
    assert str(os.getpid()) not in processes


def test_the_package_cannot_be_imported():
    with pytest.raises(Failed, match="write it yourself"):
        outcome("import rb_core.agents", caged=sandbox.available())


def test_the_grader_takes_no_code_from_the_other_side():
    with pytest.raises(Failed, match="this side takes data only"):
        outcome("import numpy as np\nanswer = np.random.default_rng(1)", caged=sandbox.available())
    with pytest.raises(Failed, match="not plain data"):
        outcome("class Yes: pass\nanswer = Yes()", caged=sandbox.available())


def without_bwrap(tmp_path, *options):
    """Grade an empty folder on a machine whose PATH has no bwrap."""
    (tmp_path / "in" / "ada" / "1_reachable_states").mkdir(parents=True)
    command = [sys.executable, str(GRADER), "--root", str(tmp_path / "course"), "grade",
               str(tmp_path / "in"), *options]
    path = str(tmp_path / "nothing")
    return subprocess.run(command, env=os.environ | {"PATH": path}, stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=300, check=False)


def test_without_a_sandbox_nothing_is_graded_unasked(tmp_path):
    done = without_bwrap(tmp_path)
    assert done.returncode == 2
    assert "There is no sandbox" in done.stderr
    assert "--no-sandbox" in done.stderr
    assert not (tmp_path / "course" / "graded").exists()


@pytest.mark.parametrize("system", ["Darwin", "Windows"])
def test_elsewhere_it_says_at_once_what_it_needs(tmp_path, monkeypatch, capsys, system):
    monkeypatch.setattr(platform, "system", lambda: system)
    monkeypatch.setattr(sandbox, "missing", sandbox.missing.__wrapped__)  # nothing kept
    root = tmp_path / "course"
    for options in ([], ["--no-sandbox"]):
        asked = ["--root", str(root), "grade", str(tmp_path / "not even there.zip"), *options]
        assert commands.main(asked) == 2
        said = capsys.readouterr().err
        assert f"it takes Linux, and this is {system}" in said
        assert "notebooks/assignments/Containerfile" in said
    assert not root.exists()


def test_a_cage_that_cannot_be_made_says_why(tmp_path, monkeypatch):
    broken = tmp_path / "bwrap"
    broken.write_text("#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\n"
                      "exit 1\n")
    broken.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setattr(sandbox, "missing", sandbox.missing.__wrapped__)
    said = str(sandbox.NoSandbox())
    assert "No permissions to create new namespace" in said
    assert "apparmor_restrict_unprivileged_userns" in said


@pytest.mark.slow
def test_a_teacher_may_go_on_without_a_sandbox_and_is_told(tmp_path):
    done = without_bwrap(tmp_path, "--no-sandbox")
    assert done.returncode == 0, done.stderr
    assert "without a sandbox" in done.stdout
    assert "unreadable" in (tmp_path / "course" / "graded" / "001" / "grades.csv").read_text()
