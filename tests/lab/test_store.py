"""Blocks on disk: whole or not there, whatever the damage."""

import errno
import random
import threading

import numpy as np
import pytest

import rb_core as rb
from rb_core.engine.blocks import SignedBlock, maker_of, signed_block
from rb_core.simulation import block_name, jobs_of

JOB, OTHER = jobs_of(rb.Problem(rb.setting("small"), 300), rb.SSSarsa(0.9), sims=6, size=3)
BLOCK = signed_block(JOB)


@pytest.fixture
def store(tmp_path):
    return rb.Store(tmp_path / "blocks")


def same(left, right):
    return left[1:] == right[1:] and all(map(np.array_equal, left.block, right.block))


def test_what_was_put_is_got_back(store):
    assert store.get("one") is None
    assert "one" not in store
    store.put("one", BLOCK)
    assert "one" in store
    assert same(store.get("one"), BLOCK)
    assert store.get("two") is None


def test_no_flipped_bit_is_returned_as_good_or_raises(store):
    store.put("one", BLOCK)
    path, bit = store.path("one"), random.Random(1)
    content = path.read_bytes()
    for i in range(len(content)):
        flipped = content[i] ^ (1 << bit.randrange(8))
        path.write_bytes(content[:i] + bytes([flipped]) + content[i + 1 :])
        assert store.get("one") is None, i
    path.write_bytes(content)
    assert same(store.get("one"), BLOCK)


@pytest.mark.parametrize("damage", ["cut", "longer", "empty", "text", "other block", "a folder"])
def test_a_damaged_or_foreign_block_counts_as_missing(store, damage):
    store.put("one", BLOCK)
    path = store.path("one")
    content = path.read_bytes()
    if damage == "cut":
        path.write_bytes(content[: len(content) // 2])
    elif damage == "longer":
        path.write_bytes(content + b"\0")
    elif damage == "empty":
        path.write_bytes(b"")
    elif damage == "text":
        path.write_text("not a block")
    elif damage == "other block":
        store.put("two", BLOCK)
        path.write_bytes(store.path("two").read_bytes())
    else:
        path.unlink()
        path.mkdir()
    assert store.get("one") is None


def without_rows(block):
    return block._replace(tail=block.tail[:2])


def with_nan(block):
    wrong = block.discounted.copy()
    wrong[1, 5] = np.nan
    return block._replace(discounted=wrong)


def with_other_numbers(block):
    return block._replace(tail_arms=block.tail_arms.astype(np.int64))


@pytest.mark.parametrize("spoil", [without_rows, with_nan, with_other_numbers])
def test_a_block_of_another_shape_or_with_nan_is_computed_again(store, spoil):
    problem = {"bandit": JOB.bandit, "agent": JOB.agent, "rounds": 300, "sims": 3}
    expected = rb.simulate(**problem, store=store)
    assert same(store.get(block_name(JOB)), SignedBlock(*BLOCK[:2], store.get(block_name(JOB))[2]))
    store.put(block_name(JOB), BLOCK._replace(block=spoil(BLOCK.block)))
    again = rb.simulate(**problem, store=store)
    np.testing.assert_array_equal(again.cumulative, expected.cumulative)
    assert store.get(block_name(JOB)).block.tail.shape == (3, 9)


def test_a_failed_write_is_said_and_leaves_nothing_behind(store, monkeypatch):
    def no_room(self, content):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(type(store.folder), "write_bytes", no_room)
    with pytest.raises((OSError, rb.InputError), match=r"[Nn]o space"):
        store.put("one", BLOCK)
    monkeypatch.undo()
    assert list(store.folder.iterdir()) == []


def test_writers_of_the_same_block_do_not_harm_each_other(store):
    threads = [threading.Thread(target=store.put, args=("one", BLOCK)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert same(store.get("one"), BLOCK)
    assert len([path for path in store.folder.iterdir() if path.suffix == ".block"]) == 1


def test_simulate_takes_what_the_store_has_and_adds_what_it_lacks(store):
    calls = []

    class Counting:
        def get(self, name):
            found = store.get(name)
            calls.append(("got" if found else "missed", name))
            return found

        def put(self, name, block):
            calls.append(("put", name))
            store.put(name, block)

    problem = {"bandit": rb.setting("6-hetero"), "agent": rb.RGPTS(), "rounds": 200}
    plain = rb.simulate(**problem, sims=120)
    few = rb.simulate(**problem, sims=50, store=Counting())
    assert [what for what, _ in calls] == ["missed", "put"]
    calls.clear()
    many = rb.simulate(**problem, sims=120, store=Counting())
    assert sorted(what for what, _ in calls) == ["got", "missed", "missed", "put", "put"]
    np.testing.assert_array_equal(few.cumulative, plain.cumulative[:50])
    np.testing.assert_array_equal(many.cumulative, plain.cumulative)


def test_a_block_lies_under_the_name_of_all_that_it_follows_from(monkeypatch):
    names = {block_name(job) for job in (JOB, OTHER)}
    here = maker_of(rb.SSSarsa)
    for other in (here._replace(code="x"), here._replace(python="3.0"), here._replace(numba="0.1")):
        monkeypatch.setattr("rb_core.simulation.maker_of", lambda kind, other=other: other)
        names |= {block_name(job) for job in (JOB, OTHER)}
    assert len(names) == 8
