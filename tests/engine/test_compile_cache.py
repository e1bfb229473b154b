"""Compiled code is found again by the next process, and never outlives the text it came from."""

import os
import re
import shutil
import time
from functools import partial
from pathlib import Path

import pytest

import rb_core as rb
from rb_core.engine.cache import FORGOTTEN
from rb_core.engine.sealed import read_sealed, write_sealed
from tests.conftest import PACKAGE

pytestmark = pytest.mark.slow

EVERYTHING = """
import sys

import rb_core as rb
from rb_core.agents.shared.joint_states import _fill_slots
from rb_core.cli import saying_what_compiles
from rb_core.engine.loop import compiled_stretch, lean_stretch
from rb_core.planning import _backward_induction

sys.stderr = sys.stdout
bandit = rb.setting("small")
with saying_what_compiles():
    for agent in {type(each.make(0.9)): each.make(0.9) for each in rb.AGENTS.values()}.values():
        rb.trace(bandit, agent, 100)
        rb.simulate(bandit, agent, 100, sims=2)
    rb.optimum(bandit, 100)
for kernel in (compiled_stretch, lean_stretch, _fill_slots, _backward_induction):
    print(sum(kernel.stats.cache_hits.values()), sum(kernel.stats.cache_misses.values()))
"""


@pytest.fixture
def package(tmp_path):
    """A copy of the package that can be edited."""
    ignored = shutil.ignore_patterns("__pycache__")
    return Path(shutil.copytree(PACKAGE, tmp_path / "rb_core", ignore=ignored))


@pytest.fixture
def run(package, run_program):
    """Runs a program with that copy, and with a cache of its own."""
    variables = {
        "PYTHONPATH": str(package.parent),
        "NUMBA_CACHE_DIR": str(package.parent / "cache"),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    return partial(run_program, **variables)


def test_a_second_process_compiles_nothing_and_the_first_says_what_it_takes(run):
    begun, took, *cold = run(EVERYTHING).splitlines()
    assert begun.startswith("Compiling for this machine")
    assert re.fullmatch(r"Compiling took [1-9]\d*\.\d seconds\.", took)
    loops = len({type(listed.make(0.9)) for listed in rb.AGENTS.values()})
    assert cold == [f"0 {loops}", f"0 {loops}", "0 1", "0 1"]
    # What the outer loop was compiled with, the inner one, came along with it.
    assert run(EVERYTHING).splitlines() == [f"{loops} 0", "0 0", "1 0", "1 0"]


COMPARE = """
import rb_core as rb
bandit = rb.setting("6-hetero")
compiled, plain = (rb.trace(bandit, rb.{agent}, 300, compiled=on) for on in (True, False))
assert (compiled.arms == plain.arms).all(), "stale"
print(compiled.arms.tolist())
"""


@pytest.mark.parametrize(
    ("agent", "file", "old", "new"),
    [
        ("RandomPull()", "agents/random_pull.py", "rng.random() * self.arms", "rng.random() * 2"),
        ("QLearning(0.9)", "agents/shared/explore_first.py", "return best\n", "return 0 * best\n"),
    ],
)
def test_an_edit_in_any_file_of_the_package_takes_effect(package, run, agent, file, old, new):
    """Not in the file of the compiled function itself: numba would see that one."""
    program = COMPARE.format(agent=agent)
    before = run(program)
    text = (package / file).read_text()
    assert old in text
    (package / file).write_text(text.replace(old, new))
    assert run(program) != before
    (package / file).write_text(text)
    assert run(program) == before


NAMESAKES = """
import sys
import rb_core as rb
sys.path.append("{folder}")
from namesakes import RandomPull

for agent in ({agents}):
    print(rb.trace(rb.setting("small"), agent, 60).arms.tolist())
"""


def test_a_loop_from_disk_is_not_linked_to_an_agent_called_like_ours(tmp_path, run):
    """Each was the first that its process compiled: numba by itself gives them the same symbols."""
    source = (PACKAGE / "agents" / "random_pull.py").read_text()
    (tmp_path / "namesakes.py").write_text(source.replace("* self.arms", "* (self.arms - 1)"))
    ours = run(NAMESAKES.format(folder=tmp_path, agents="rb.RandomPull(),"))
    both = run(NAMESAKES.format(folder=tmp_path, agents="RandomPull(), rb.RandomPull()"))
    theirs, ours_again = both.splitlines(keepends=True)
    assert ours == ours_again != theirs


# One small function: the loop goes the same way, but takes seconds to compile.
ONE = """
import rb_core as rb
from rb_core.planning import _backward_induction
value = rb.optimum(rb.setting("small"), 20).value
print(value, sum(_backward_induction.stats.cache_hits.values()))
"""


def flip_bits(content):
    """A bit in the digest, at the beginning and in the midst."""
    for at in (0, 31, 32, 33, len(content) // 2, len(content) - 1):
        yield content[:at] + bytes([content[at] ^ 4]) + content[at + 1 :]


def cut(content):
    yield from (content[:length] for length in (0, 16, 32, 33, len(content) // 2, -1))
    yield content + b"\0"


@pytest.mark.parametrize("damaged", [flip_bits, cut])
def test_a_damaged_cache_is_not_read(tmp_path, monkeypatch, damaged):
    """Machine code of which a bit is another could do anything: not one of these may be loaded."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    path = tmp_path / "compiled" / "loop-0"
    write_sealed(path, bytes(range(256)) * 20)
    content = path.read_bytes()
    assert read_sealed(path) == bytes(range(256)) * 20
    for wrong in damaged(content):
        path.write_bytes(wrong)
        assert read_sealed(path) is None


@pytest.fixture
def one(run_program, tmp_path):
    """Runs a little program: the value that it prints, and how much it found in the cache."""

    def run(cache=tmp_path / "cache"):
        value, hits = run_program(ONE, NUMBA_CACHE_DIR=str(cache)).split()
        return value, int(hits)

    return run


@pytest.mark.parametrize("damaged", [flip_bits, cut])
def test_a_damaged_cache_costs_time_and_not_the_run(tmp_path, one, damaged):
    value, hits = one()
    files = [path for path in (tmp_path / "cache").rglob("*") if path.is_file()]
    assert hits == 0
    assert files
    assert one() == (value, 1)
    for path in files:
        path.write_bytes(list(damaged(path.read_bytes()))[4])
    assert one() == (value, 0)
    assert one() == (value, 1)  # it was mended


def test_a_cache_of_foreign_files_costs_time_and_not_the_run(tmp_path, one):
    """Whole, as its digest says, but not machine code."""
    value, _ = one()
    for path in (tmp_path / "cache" / "compiled").iterdir():
        write_sealed(path, b"no machine code")
    assert one() == (value, 0)


def test_a_cache_that_cannot_be_written_is_done_without(tmp_path, one):
    (tmp_path / "file").write_text("not a folder")
    value, _ = one()
    assert one(tmp_path / "file") == (value, 0)
    assert one(tmp_path / "file" / "below") == (value, 0)


def test_a_full_disk_is_done_without(tmp_path, run_program):
    """As on a disk without room: a file may have no more than a thousand bytes."""
    limited = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n"
    ignored = "import signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
    printed = run_program(limited + ignored + ONE, NUMBA_CACHE_DIR=str(tmp_path / "cache"))
    assert printed.rstrip().endswith("0")
    assert not any(path.is_file() for path in (tmp_path / "cache").rglob("*"))
    assert run_program(ONE, NUMBA_CACHE_DIR=str(tmp_path / "cache")) == printed


def test_what_nobody_used_for_a_month_is_removed(tmp_path, one):
    value, _ = one()
    folder = tmp_path / "cache" / "compiled"
    kept = set(folder.iterdir())
    for name, age in (("old", FORGOTTEN + 60), ("young", FORGOTTEN - 60)):
        (folder / name).touch()
        then = time.time() - age
        os.utime(folder / name, (then, then))
    next(iter(kept)).unlink()  # so that something is written again
    assert one()[0] == value
    assert set(folder.iterdir()) == kept | {folder / "young"}
