"""The package installed alone, without a clone of the project: every command works, or says at once
what it needs."""

import importlib.metadata
import os
import re
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

from rb_core.lab.sweep import EXAMPLE
from tests.conftest import TOP

SMALL = "small-bernoulli-discounted"
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """Runs `rb` of a wheel, in an empty folder and an environment that has the dependencies."""
    folder = tmp_path_factory.mktemp("wheel")
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    offline = ["--no-deps", "--no-index"]
    wheel = ["wheel", *offline, "--no-build-isolation", "--wheel-dir", str(folder), str(TOP)]
    subprocess.run([*pip, *wheel], check=True, timeout=300)
    venv.create(folder / "environment", with_pip=False)
    (built,) = folder.glob("*.whl")
    python = folder / "environment" / "bin" / "python"
    subprocess.run([*pip, "--python", str(python), "install", *offline, str(built)], check=True,
                   timeout=300)
    paths = {"base": str(python.parents[1]), "platbase": str(python.parents[1])}
    packages = Path(sysconfig.get_path("purelib", "venv", paths))
    # A path in a .pth file is searched last, and its own .pth files are not: the package itself
    # comes from the wheel, and all others from here.
    (packages / "others.pth").write_text(sysconfig.get_path("purelib"))
    here = folder / "empty"
    here.mkdir()

    def rb(*words):
        return subprocess.run(
            [python.with_name("rb"), *words], cwd=here, capture_output=True, text=True, timeout=600,
            env={"PATH": str(python.parent), "HOME": str(folder),
                 "NUMBA_CACHE_DIR": os.environ["NUMBA_CACHE_DIR"]},  # the same code is in the wheel
        )  # fmt: skip

    rb.folder = here
    [information] = packages.glob("rb_core-*.dist-info")
    rb.needs = importlib.metadata.Distribution.at(information).requires
    where = [str(python), "-c", "import rb_core; print(rb_core.__file__)"]
    found = subprocess.run(where, cwd=here, capture_output=True, text=True, check=True, timeout=300)
    assert Path(found.stdout.strip()).is_relative_to(packages)
    return rb


def unexpected(said):
    """What a command had no reason to say. A new machine compiles once; and on a busy one a kernel
    that is being shut down may say that it was interrupted."""
    expected = ("Compiling ", "[IPKernelApp] ERROR | KeyboardInterrupt caught in kernel.")
    return [line for line in said.splitlines() if not line.startswith(expected)]


def test_what_commands_need_is_installed_with_the_package(installed):
    needed = {re.match(r"[\w-]+", line)[0] for line in installed.needs if "extra ==" not in line}
    assert {"ipykernel", "papermill", "pandas", "pyyaml", "tqdm", "platformdirs"} <= needed


def test_experiments_are_listed_and_run(installed):
    assert SMALL in installed("list").stdout
    done = installed("run", SMALL, "--sims", "2", "--rounds", "500", "--out", "small.png")
    assert (done.returncode, unexpected(done.stderr)) == (0, [])
    assert (installed.folder / "small.png").exists()


def test_the_evaluation_is_reproduced_and_verified(installed):
    done = installed("reproduce", "--tier", "smoke", "--only", "small-*", "--store", "blocks",
                     "--out", "smoke")
    assert (done.returncode, unexpected(done.stderr)) == (0, [])
    done = installed("verify", "smoke", "--sims", "1")
    assert (done.returncode, unexpected(done.stderr)) == (0, [])
    assert "all the same" in done.stdout


def test_a_sweep_gives_its_table_and_its_figures(installed):
    example = installed("sweep", "--example")
    assert example.stdout == EXAMPLE
    (installed.folder / "mine.yml").write_text(EXAMPLE.replace("10_000", "500"))
    done = installed("sweep", "mine.yml", "--store", "blocks")
    assert (done.returncode, unexpected(done.stderr)) == (0, [])
    assert {path.name for path in (installed.folder / "results-mine").iterdir()} == {
        "mine.csv", "mine.json", "mine-summary.ipynb"}


@pytest.mark.parametrize("words", [["07"], ["07", "--help"], ["experiment"], []])
def test_a_chapter_is_said_to_need_a_clone_of_the_project(installed, words):
    before = set(installed.folder.iterdir())
    done = installed("notebook", *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert "clone of the project" in done.stderr
    assert done.stderr.count("\n") == 1
    assert set(installed.folder.iterdir()) == before
