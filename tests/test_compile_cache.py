"""Compiled code is found again by the next process, and never outlives the text it came from."""

import shutil
from functools import partial
from pathlib import Path

import pytest

from tests.conftest import PACKAGE

EVERYTHING = """
import rb_core as rb
from rb_core.agents.joint_states import _move
from rb_core.loop import _own_loop
from rb_core.planning import _backward_induction

bandit = rb.setting("small")
for agent in (rb.SSSarsa(0.9), rb.Sarsa(0.9), rb.QLearning(0.9), rb.RGPTS(2), rb.RandomPull()):
    rb.trace(bandit, agent, 100)
    rb.simulate(bandit, agent, 100, sims=2)
rb.optimum(bandit, 100)
for kernel in (_own_loop, _move, _backward_induction):
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


def test_a_second_process_compiles_nothing(run):
    cold, warm = run(EVERYTHING).split(), run(EVERYTHING).split()
    assert cold == ["0", "5", "0", "1", "0", "1"]  # a loop for each of five agents, and two more
    assert warm == ["5", "0", "1", "0", "1", "0"]


COMPARE = """
import rb_core as rb
bandit = rb.setting("6-hetero")
compiled, plain = (rb.trace(bandit, {agent}, 300, compiled=on) for on in (True, False))
assert (compiled.arms == plain.arms).all(), "stale"
print(compiled.arms.tolist())
"""


@pytest.mark.parametrize(
    ("agent", "file", "old", "new"),
    [
        ("rb.RandomPull()", "random_pull.py", "rng.random() * self.arms", "rng.random() * 2"),
        ("rb.QLearning(0.9)", "explore_first.py", "return best\n", "return best - best\n"),
    ],
)
def test_an_edit_in_any_file_of_the_package_takes_effect(package, run, agent, file, old, new):
    """Not in the file of the compiled function itself: numba would see that one."""
    program = COMPARE.format(agent=agent)
    before = run(program)
    text = (package / "agents" / file).read_text()
    assert old in text
    (package / "agents" / file).write_text(text.replace(old, new))
    assert run(program) != before
    (package / "agents" / file).write_text(text)
    assert run(program) == before


def test_a_cache_that_cannot_be_written_is_done_without(tmp_path, run_program):
    (tmp_path / "file").write_text("not a folder")
    program = "import rb_core as rb; print(rb.trace(rb.setting('small'), rb.RandomPull(), 2))"
    assert "Trace" in run_program(program, NUMBA_CACHE_DIR=str(tmp_path / "file"))
