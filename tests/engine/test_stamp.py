"""A stamp changes with the code that can change a result, and with nothing else."""

import shutil
import sys
from pathlib import Path

import pytest

from rb_core.checks import InputError
from rb_core.engine.blocks import maker_of
from tests.conftest import PACKAGE

STAMPS = """
import rb_core as rb
from rb_core.engine.blocks import maker_of

for name, listed in rb.AGENTS.items():
    print(name, maker_of(type(listed.make(0.9))).code)
"""
ALL = {"SS-SARSA", "SS-SARSA (sep.)", "SARSA", "Q-learning", "1RGP-TS", "2RGP-TS", "RGP-TS",
       "RandomPull", "PlanUCB", "1RGP-UCB", "2RGP-UCB", "PeriodicUCB"}
JOINT = {"SS-SARSA", "SS-SARSA (sep.)", "SARSA", "Q-learning"}
GAUSSIAN = {"1RGP-TS", "2RGP-TS", "RGP-TS", "1RGP-UCB", "2RGP-UCB"}


@pytest.fixture
def stamps(tmp_path, run_program):
    """The stamps of all agents of a copy of the package, after edits (file, old text, new one)."""

    def stamped(*edits):
        copy = Path(shutil.copytree(PACKAGE, tmp_path / "rb_core", dirs_exist_ok=True,
                                    ignore=shutil.ignore_patterns("__pycache__")))
        for file, old, new in edits:
            path = copy / file
            text = path.read_text() if old else ""
            assert old in text, (file, old)
            path.write_text(text.replace(old, new, 1) if old else new)
        printed = run_program(STAMPS, PYTHONPATH=str(tmp_path), PYTHONDONTWRITEBYTECODE="1")
        return dict(line.rsplit(" ", 1) for line in printed.splitlines())

    return stamped


def changed(before, after):
    return {name for name in before if before[name] != after[name]}


def test_what_cannot_change_a_result_changes_no_stamp(stamps):
    before = stamps()
    assert set(before) == ALL
    after = stamps(
        # a comment, a docstring, an annotation, an error message
        ("engine/loop.py", "    for t in range(first", "    # why\n    for t in range(first"),
        ("agents/sarsa.py", '"""The memory of one run', '"""All that a run remembers'),
        ("engine/blocks.py", "def never() -> np.ndarray:", "def never():"),
        ("engine/blocks.py", "is no arm in round", "cannot be pulled in round"),
        # the order of imports, a function of another file, a name that nobody uses
        ("agents/sarsa.py", "from dataclasses import dataclass\nfrom typing import NamedTuple",
         "from typing import NamedTuple\nfrom dataclasses import dataclass"),
        ("planning.py", "TINY = 1e-11", "TINY = 1e-10"),
        ("engine/streams.py", "def address(", "UNUSED = 1\n\n\ndef address("),
        # a new agent
        ("agents/another.py", "",
         (PACKAGE / "agents/random_pull.py").read_text().replace("RandomPull", "Another")),
    )
    assert changed(before, after) == set()
    assert set(after) == ALL | {"Another"}


def test_where_a_function_lies_changes_no_stamp(stamps):
    text = (PACKAGE / "agents/shared/explore_first.py").read_text()
    begin = text.index("@inlined\ndef pick_best(")
    function = text[begin : text.index("def grown_explorer(")]
    before = stamps()
    after = stamps(
        ("agents/shared/explore_first.py", function, ""),
        ("agents/shared/explore_first.py", "from rb_core.agents.shared.joint_states",
         "from rb_core.engine.elsewhere import pick_best\nfrom rb_core.agents.shared.joint_states"),
        ("engine/elsewhere.py", "",
         f"import numpy as np\nfrom rb_core.engine.compiled import inlined\n\n\n{function}"),
    )
    assert changed(before, after) == set()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "old", "new", "whose"),
    [
        ("engine/compiled.py", ' "_nrt": False', ' "_nrt": False, "fastmath": True', ALL),
        ("engine/compiled.py", 'INLINE = {"force', 'INLINE = {"fastmath": True, "force', ALL),
        ("engine/loop.py", "weight *= gamma", "weight *= gamma * 1", ALL),
        ("engine/blocks.py", "3 * self.bandit.s_max", "4 * self.bandit.s_max", ALL),
        ("engine/streams.py", "np.random.PCG64(", "np.random.PCG64DXSM(", ALL),
        ("agents/shared/joint_states.py", "default_rng(20)", "default_rng(21)", JOINT),
        ("agents/shared/joint_states.py", "0x9E3779B1", "0x9E3779B3", JOINT),
        ("agents/rgp_ts.py", "surprise", "astonishment", GAUSSIAN),
        ("agents/rgp_ts.py", "sigma: float = 1.0", "sigma: float = 2.0", GAUSSIAN),
        ("agents/sarsa.py", "if t > 1:", "if t > 2:", {"SARSA"}),
    ],
)
def test_what_can_change_a_result_changes_the_stamps_of_its_agents(stamps, file, old, new, whose):
    before = stamps()
    text = (PACKAGE / file).read_text()
    assert changed(before, stamps((file, text, text.replace(old, new)))) == whose


AGENT = """
from dataclasses import dataclass
from typing import NamedTuple
from {helper} import chosen

class Memory(NamedTuple):
    arms: int
    def act(self, t, state, rng):
        return chosen(t, self.arms)
    def learn(self, t, state, arm, reward, next_state):
        pass

@dataclass(frozen=True)
class Mine:
    def init(self, arms, s_max, rounds):
        return Memory(arms)
"""
HELPER = """
from rb_core.engine.compiled import inlined

@inlined
def chosen(t, arms):
    return t % arms

def unused():
    return 1
"""


@pytest.fixture
def mine(tmp_path, monkeypatch):
    """Writes a user's agent with its helper, and loads it."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def load(number, helper=HELPER):
        (tmp_path / f"helper{number}.py").write_text(helper)
        (tmp_path / f"agent{number}.py").write_text(AGENT.format(helper=f"helper{number}"))
        return __import__(f"agent{number}").Mine

    return load


def test_the_stamp_of_a_users_agent_follows_its_helpers(mine):
    codes = [
        maker_of(mine(i, HELPER.replace(*edit))).code
        for i, edit in enumerate([("", ""), ("t % arms", "t % arms + 0"), ("return 1", "return 2")])
    ]
    assert codes[0] != codes[1]
    assert codes[0] == codes[2]  # in what it does not use, nothing matters


def test_a_file_that_was_edited_since_it_was_loaded_cannot_be_stamped(mine, tmp_path):
    kind = mine(7)
    path = tmp_path / "helper7.py"
    path.write_text(path.read_text().replace("t % arms", "(t + 1) % arms"))
    with pytest.raises(InputError, match="has changed since it was loaded"):
        maker_of(kind)


def test_code_without_a_source_cannot_be_stamped():
    space = {"__name__": "__main__"}
    exec(AGENT.replace("from {helper} import chosen", ""), space)
    with pytest.raises(InputError, match="cannot be found"):
        maker_of(space["Mine"])


def test_the_cells_of_a_notebook_can_be_stamped(run_program):
    """As a kernel runs them: with sources that only its own cache has."""
    text = AGENT.replace("from {helper} import chosen", HELPER)
    program = f"""
from IPython.core.interactiveshell import InteractiveShell
from rb_core.engine.blocks import maker_of
shell = InteractiveShell.instance()
for text in ({text!r}, {text.replace("t % arms", "(t + 1) % arms")!r}, {text!r}):
    assert shell.run_cell(text).success
    print(maker_of(shell.user_ns["Mine"]).code)
"""
    first, edited, again = run_program(program).split()
    assert first == again != edited


def test_versions_are_part_of_who_computed_something():
    import numba
    import numpy as np

    from rb_core.agents import RandomPull

    found = maker_of(RandomPull)
    assert found[1:] == (sys.version.split()[0], np.__version__, numba.__version__)
