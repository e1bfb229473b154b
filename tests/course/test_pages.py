"""What the page for teachers tells them to type exists; test_hub.py also does it."""

import re
import shlex

import commands
import pytest
from assignment import assignments
from nbgrader.apps import NbGraderApp

from tests.conftest import TOP

TEACH = (TOP / "book" / "teach.md").read_text()
MAKEFILE = (TOP / "Makefile").read_text()
CONTAINER = (TOP / "notebooks" / "assignments" / "Containerfile").read_text()
FENCES = re.findall(r"^```(\w*)\n(.*?)\n```$", TEACH, re.DOTALL | re.MULTILINE)
BLOCKS = [text for language, text in FENCES if not language]
LINES = [shlex.split(line, comments=True) for block in BLOCKS for line in block.splitlines()]
TARGETS = set(re.findall(r"^([a-z]+):", MAKEFILE, re.MULTILINE))
SYSTEM = {"cd", "mkdir", "chmod", "docker"}


def made(words):
    """The target and the variables that follow `make`, in a line or behind a container's image."""
    if words[0] == "make":
        return words[1:]
    return words[words.index("recovering-bandits") + 1 :] if words[:2] == ["docker", "run"] else []


@pytest.mark.parametrize("words", LINES, ids=" ".join)
def test_every_command_of_the_page_exists(words):
    program = words[0].rpartition("/")[2]
    if made(words):
        target, *variables = made(words)
        assert target in TARGETS
        for name, _, value in (each.partition("=") for each in variables):
            assert re.search(rf"\b{name}\b", MAKEFILE), name
            assert name != "ONLY" or value in assignments()
    elif program == "nbgrader":
        assert words[1] in NbGraderApp().subcommands
        assert {word for word in words[2:] if word[0] != "-"} <= set(assignments())
    else:
        assert program in SYSTEM or " ".join(words) == "../.venv/bin/jupyter lab"


def test_programs_of_the_environment_are_called_where_they_are():
    """Nobody has nbgrader on the path but a student of a hub, whose terminal has it."""
    bare = {words[1] for words in LINES if words[0] == "nbgrader"}
    assert bare == {"fetch_assignment", "submit", "fetch_feedback"}
    in_text = set(re.findall(r"`nbgrader (\w+)", TEACH))
    assert in_text <= set(NbGraderApp().subcommands)


def test_the_container_has_what_making_and_grading_needs():
    said = [line for block in BLOCKS for line in block.splitlines() if line.startswith("docker")]
    assert all(" -f notebooks/assignments/Containerfile ." in line for line in said[:1])
    folder = re.search(r"^WORKDIR (\S+)$", CONTAINER, re.MULTILINE)[1]
    assert all(f'-v "$PWD/course:{folder}/course"' in line for line in said[1:])
    assert 'ENTRYPOINT ["make"]' in CONTAINER
    copied = re.findall(r"^COPY (.*) \S+$", CONTAINER, re.MULTILINE)
    files = {name for line in copied for name in line.split()}
    assert all((TOP / name).exists() for name in files)
    # what `make venv` reads, what it installs, and what grades
    assert files >= {"Makefile", "pyproject.toml", "requirements.txt", "README.md", "LICENSE",
                     ".ci", "rb_core", "notebooks/assignments"}
    assert {"bubblewrap", "make", "python3", "python3-venv"} <= set(CONTAINER.split())


@pytest.mark.parametrize("due", ["tomorrow", "2026-13-01"])
def test_a_deadline_that_is_no_time_is_said_before_anything_is_graded(tmp_path, capsys, due):
    with pytest.raises(SystemExit):
        commands.main(["--root", str(tmp_path / "course"), "grade", str(tmp_path), "--due", due])
    assert "is no time; one is written as 2026-03-01 12:00" in capsys.readouterr().err
    assert not (tmp_path / "course").exists()
