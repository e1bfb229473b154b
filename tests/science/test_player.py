"""A player decides as its agent does in a simulation, and survives on disk."""

import io
import json
import os
import random
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import ClassVar, NamedTuple

import numpy as np
import pytest

import rb_core as rb
from rb_core import player as players
from rb_core.agents import plan_ucb
from rb_core.engine.sealed import write_sealed
from tests.own_agents import Greedy

BANDIT = rb.family("peaked", 5, 4, 3, "normal")


def told(player, rewards):
    """The arms that a player chooses, given the rewards one after the other."""
    arms = []
    for reward in rewards:
        arms.append(player.choose())
        player.observe(reward)
    return arms


def test_it_chooses_as_the_agent_does_in_a_simulation():
    run = rb.trace(BANDIT, rb.PlanUCB(), 400)
    player = rb.Player(rb.PlanUCB(), 5, 4, rounds=400)
    assert told(player, run.rewards.tolist()) == run.arms.tolist()
    assert player.rounds_played == 400
    assert player.state == tuple(rb.states_along(BANDIT, run.arms)[-1])
    np.testing.assert_allclose(player._memory.upper, run.memory.upper, rtol=1e-12)


@pytest.mark.parametrize(
    "agent", [rb.PlanUCB(), rb.SSSarsa(0.9), rb.Sarsa(0.9, explore=0.5), rb.RGPTS(2),
              rb.RGPTS(refresh="state"), rb.RandomPull(), Greedy(0.3)], ids=str)
@pytest.mark.parametrize("pending", [False, True])
def test_a_saved_player_goes_on_as_if_nothing_had_happened(tmp_path, agent, pending):
    rewards = np.random.default_rng(4).normal(size=1500).tolist()
    player = rb.Player(agent, 5, 4, rounds=1500, seed=7)
    told(player, rewards[:1100])
    chosen = player.choose() if pending else None
    player.save(tmp_path / "mine.player")
    again = rb.Player.load(tmp_path / "mine.player", agent if agent == Greedy(0.3) else None)
    assert again.pending == player.pending == chosen
    assert (again.state, again.rounds_played, repr(again)) == (
        player.state, player.rounds_played, repr(player))
    for each in (player, again):
        if pending:
            each.observe(0.5)
    assert told(again, rewards[1101:]) == told(player, rewards[1101:])


def test_with_an_open_end_it_goes_on_learning():
    player, means = rb.Player(rb.PlanUCB(), 3, 3), rb.setting("small").means
    rng, expected = np.random.default_rng(0), []
    for _ in range(20_000):
        state, arm = player.state, player.choose()
        expected.append(means[arm, state[arm] - 1])
        player.observe(float(rng.random() < expected[-1]))
    assert np.mean(expected[-3000:]) > 0.97 * rb.optimum(rb.setting("small"), 1).average
    assert np.mean(expected[-3000:]) > np.mean(expected[:500])
    assert "an open end" in repr(player)


def test_with_an_open_end_it_assumes_as_much_again():
    """Its table after n rounds is that of an agent that knows of 2 n."""
    rewards = np.random.default_rng(3).random(700).tolist()
    player = rb.Player(rb.PlanUCB(), 3, 3)
    told(player, rewards)
    memory = rb.PlanUCB().init(3, 3, 1400)
    for name in ("counts", "means", "moments"):
        getattr(memory, name)[...] = getattr(player._memory, name)
    known, state = player._memory, np.array(player.state)
    plan_ucb.plan_anew(known, 701, state)
    plan_ucb.plan_anew(memory, 701, state)
    np.testing.assert_array_equal(known.upper, memory.upper)
    assert known.wait[2] == memory.wait[2]


def test_misuse_is_one_sentence():
    player = rb.Player(rb.PlanUCB(), 2, 3, rounds=2)
    with pytest.raises(rb.InputError, match="nothing to observe: choose an arm first"):
        player.observe(1.0)
    arm = player.choose()
    with pytest.raises(rb.InputError, match=f"Arm {arm} was chosen in round 1: observe its reward"):
        player.choose()
    for wrong in (float("nan"), float("inf"), -float("inf"), 1.01e100, -10**400, "1", None, True,
                  Decimal("NaN"), Decimal("sNaN"), Decimal("Infinity"), Decimal("1e400")):
        with pytest.raises(rb.InputError, match="reward must be"):
            player.observe(wrong)
    with pytest.raises(rb.InputError, match=r"must be in \[-1e\+100, 1e\+100\], not -inf\.$"):
        player.observe(-np.inf)
    assert player.pending == arm
    player.observe(1)
    player.choose()
    player.observe(np.float32(0.5))
    assert player._memory.means[player._memory.counts > 0].tolist() == [1.0, 0.5]
    with pytest.raises(rb.InputError, match="All 2 rounds have been played"):
        player.choose()


@pytest.mark.parametrize("half", [Decimal("0.5"), Fraction(1, 2), np.float16(0.5)], ids=repr)
def test_a_reward_may_be_any_kind_of_real_number(half):
    player = rb.Player(rb.PlanUCB(), 2, 3)
    player.choose()
    player.observe(half)
    assert player._memory.means.max() == 0.5


def test_the_largest_rewards_leave_a_plan_that_can_be_followed():
    player = rb.Player(rb.PlanUCB(), 4, 5)
    signs = np.random.default_rng(2).choice([-1.0, 1.0], 300)
    arms = told(player, (1e100 * signs).tolist())
    assert np.isfinite(player._memory.upper).all()
    assert set(arms[-100:]) == {0, 1, 2, 3}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((rb.SSSarsa(0.9), 3, 3), "explores a share of the rounds: say how many there are"),
        ((rb.PlanUCB, 3, 3), "agent must be an agent with its parameters"),
        ((rb.PlanUCB(), 0, 3), "arms must be at least 1"),
        ((rb.PlanUCB(), 10**6, 10**6), "arms must be at most 2,000"),
        ((rb.PlanUCB(), 3, 10**7), "s_max must be at most 1,000,000"),
        ((rb.PlanUCB(), 2000, 10**6), "arms times s_max must be at most 10,000,000"),
        ((rb.PlanUCB(), 3, 3, 0), "rounds must be at least 1"),
        ((rb.PlanUCB(), 3, 3, None, -1), "seed must be at least 0"),
    ],
)
def test_bad_players_are_refused(arguments, message):
    with pytest.raises(rb.InputError, match=message):
        rb.Player(*arguments)


@pytest.fixture
def saved(tmp_path):
    path = tmp_path / "mine.player"
    player = rb.Player(rb.PlanUCB(), 3, 3)
    told(player, [0.1, 0.2, 0.3, 0.4, 0.5])
    player.save(path)
    return path


def test_a_damaged_or_missing_file_is_refused(saved):
    content = bytearray(saved.read_bytes())
    with pytest.raises(rb.InputError, match="is not there"):
        rb.Player.load(saved.with_name("none"))
    for at in (0, 40, len(content) // 2, len(content) - 1):
        damaged = content.copy()
        damaged[at] ^= 1
        saved.write_bytes(damaged)
        with pytest.raises(rb.InputError, match="is damaged, or no saved player"):
            rb.Player.load(saved)
    saved.write_bytes(content[:-10])
    with pytest.raises(rb.InputError, match="is damaged"):
        rb.Player.load(saved)


def npz(**arrays):
    content = io.BytesIO()
    np.savez(content, **arrays)
    return content.getvalue()


def npy():
    content = io.BytesIO()
    np.save(content, np.arange(3))
    return content.getvalue()


@pytest.mark.parametrize("content", [
    b"hello", b"", npy(), npz(state=np.ones(3)), npz(said="no JSON"), npz(said="[]"),
    npz(said="{}"), npz(said='{"format": 1}'), npz(said='{"format": 1, "agent": "PlanUCB"}'),
], ids=["text", "empty", "npy", "nothing said", "no JSON", "a list", "no format", "no agent",
        "no parameters"])
def test_a_whole_file_with_other_content_is_refused(tmp_path, content):
    write_sealed(tmp_path / "other", content)
    with pytest.raises(rb.InputError, match=r"other' is no saved player\.$"):
        rb.Player.load(tmp_path / "other")


def test_a_saved_player_that_lacks_an_array_is_refused(saved):
    with np.load(io.BytesIO(saved.read_bytes()[32:])) as arrays:
        found = {name: arrays[name] for name in arrays if name != "memory1"}
    write_sealed(saved, npz(**found))
    with pytest.raises(rb.InputError, match=r"mine.player' is no saved player\.$"):
        rb.Player.load(saved)


def test_places_where_no_file_can_be_are_refused(saved):
    player = rb.Player.load(saved)
    for path in (None, 3):
        for call in (player.save, rb.Player.load):
            with pytest.raises(rb.InputError, match="path must be the path of a file, not"):
                call(path)
    with pytest.raises(rb.InputError, match=r"Nothing can be written into .*: Not a directory"):
        player.save(saved / "below")
    with pytest.raises(rb.InputError, match="is no file that could be replaced"):
        player.save(saved.parent)
    for path in (saved.with_name("a" * 300), saved.parent / ("a" * 300) / "mine.player"):
        with pytest.raises(rb.InputError, match=r"written.*: File name too long\.$"):
            player.save(path)
        with pytest.raises(rb.InputError, match="is not there"):
            rb.Player.load(path)
    with pytest.raises(rb.InputError, match="is damaged, or no saved player"):
        rb.Player.load(saved.parent)


def test_another_version_or_agent_is_refused(saved, monkeypatch):
    with pytest.raises(rb.InputError, match=r"saved by PlanUCB.*not by RandomPull"):
        rb.Player.load(saved, rb.RandomPull())
    with monkeypatch.context() as patched:
        patched.setattr(players, "FORMAT", 2)
        with pytest.raises(rb.InputError, match="another format"):
            rb.Player.load(saved)
    other = type("Maker", (), {"code": "0123456789abcdef"})
    monkeypatch.setattr(players, "maker_of", lambda kind: other)
    with pytest.raises(rb.InputError, match=r"another version of PlanUCB .*0123456789abcdef"):
        rb.Player.load(saved)


@dataclass(frozen=True)
class Mine(rb.RandomPull):
    """An agent of a reader's."""

    open_end: ClassVar[bool] = True


def test_an_agent_of_ones_own_must_be_given_again(tmp_path):
    rb.Player(Mine(), 3, 3).save(tmp_path / "mine.player")
    with pytest.raises(rb.InputError, match="an agent of your own: give Mine again"):
        rb.Player.load(tmp_path / "mine.player")
    assert rb.Player.load(tmp_path / "mine.player", Mine()).agent == Mine()


@dataclass(frozen=True)
class Forgetful(Mine):
    """Keeps what it learns where it would not be saved."""

    def init(self, arms, s_max, rounds):
        return NamedTuple("Lists", [("seen", list)])([])


def test_a_memory_that_would_not_be_saved_is_refused():
    with pytest.raises(rb.InputError, match="what changes must lie in arrays"):
        rb.Player(Forgetful(), 3, 3)


@dataclass(frozen=True)
class Scheduled(Greedy):
    """Needs the number of rounds, under whatever name."""


def test_an_agent_of_ones_own_says_that_it_needs_no_number_of_rounds():
    with pytest.raises(rb.InputError, match=r"open_end = True.*say how many"):
        rb.Player(Scheduled(), 3, 3)
    assert rb.Player(Scheduled(), 3, 3, rounds=9).choose() in range(3)


def test_a_parameter_may_be_a_number_of_numpys(tmp_path):
    rb.Player(rb.RGPTS(np.int64(2)), 3, 3, 10).save(tmp_path / "mine.player")
    assert rb.Player.load(tmp_path / "mine.player").agent.lookahead == 2


def test_a_link_stays_a_link_and_what_is_no_file_stays(tmp_path):
    (tmp_path / "a.player").write_bytes(b"")
    (tmp_path / "link").symlink_to("a.player")
    rb.Player(rb.RandomPull(), 3, 3).save(tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert rb.Player.load(tmp_path / "a.player").arms == 3
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(rb.InputError, match="is no file that could be replaced"):
        rb.Player(rb.RandomPull(), 3, 3).save(tmp_path / "pipe")
    assert not (tmp_path / "pipe").is_file()


@pytest.mark.parametrize("change", [
    {"pending": 7}, {"pending": -2}, {"played": -3}, {"played": "x"}, {"state": [9, 9, 9]},
    {"state": [0, 1, 1]}, {"state": []}, {"memory0": np.zeros((2, 2, 2))},
    {"memory0": np.array(["a"])},
])
def test_a_whole_file_with_nonsense_in_it_is_refused(change, tmp_path):
    path = tmp_path / "mine.player"
    rb.Player(rb.PlanUCB(), 3, 3).save(path)
    with np.load(io.BytesIO(path.read_bytes()[32:]), allow_pickle=False) as arrays:
        found = dict(arrays)
    said = json.loads(str(found.pop("said")))
    for name, value in change.items():
        (said if name in said else found)[name] = value
    payload = io.BytesIO()
    np.savez(payload, said=np.array(json.dumps(said)), **found)
    write_sealed(path, payload.getvalue())
    with pytest.raises(rb.InputError):
        rb.Player.load(path)


def test_a_file_holds_no_pickle(saved):
    with np.load(io.BytesIO(saved.read_bytes()[32:]), allow_pickle=False) as arrays:
        said = json.loads(str(arrays["said"]))
        assert all(arrays[name].dtype != object for name in arrays)
    assert said["agent"] == "PlanUCB"
    assert said["played"] == 5


DIES = """
import os
import signal
import sys
from pathlib import Path
import rb_core as rb

def half(path, content):
    with open(path, "wb") as file:
        file.write(content[: len(content) // 2])
    os.kill(os.getpid(), signal.SIGKILL)

player = rb.Player(rb.PlanUCB(), 4, 5)
player.choose()
player.save(sys.argv[1])
player.observe(0.5)
Path.write_bytes = half
player.save(sys.argv[1])
"""


def test_a_player_that_is_killed_while_it_is_saved_is_as_it_was_saved_before(
    tmp_path, environment
):
    path = tmp_path / "mine.player"
    done = subprocess.run([sys.executable, "-c", DIES, str(path)], env=environment)
    assert done.returncode == -signal.SIGKILL
    found = rb.Player.load(path)
    assert (found.pending, found.rounds_played) == (0, 0)


KILLED = """
import sys
import rb_core as rb

player = rb.Player(rb.PlanUCB(), 4, 5, seed=1)
while True:
    arm = player.choose()
    player.save(sys.argv[1])
    print(player.rounds_played, arm, flush=True)
    player.observe((arm * 7 + player.rounds_played) % 5 / 5)
    player.save(sys.argv[1])
    print(player.rounds_played, -1, flush=True)
"""


@pytest.mark.slow
@pytest.mark.parametrize("lines", [2, 61, *["random"] * 6])
def test_what_save_has_returned_for_survives_sigkill(tmp_path, environment, lines):
    """Also at any moment between two lines, and of a save."""
    delay = 0.0
    if lines == "random":
        lines, delay = random.randint(2, 40), random.uniform(0, 0.01)
    path = tmp_path / "mine.player"
    child = subprocess.Popen([sys.executable, "-c", KILLED, str(path)], env=environment,
                             stdout=subprocess.PIPE, text=True)
    acknowledged = [child.stdout.readline() for _ in range(lines)]
    time.sleep(delay)
    os.kill(child.pid, signal.SIGKILL)
    acknowledged += child.stdout.readlines()  # what it had printed before
    child.wait()
    acknowledged = [line for line in acknowledged if line.endswith("\n")]
    played, pending = map(int, acknowledged[-1].split())
    found = rb.Player.load(path)
    at = found.rounds_played, -1 if found.pending is None else found.pending
    # The last one that it told us, or one that it had saved and could not tell any more.
    follows = (played + 1, -1) if pending >= 0 else (played, found.pending)
    assert at in [(played, pending), follows]
    again = rb.Player(rb.PlanUCB(), 4, 5, seed=1)
    for _ in range(found.rounds_played):
        arm = again.choose()
        again.observe((arm * 7 + again.rounds_played) % 5 / 5)
    assert again.state == found.state
    np.testing.assert_array_equal(again._memory.means, found._memory.means)
