"""Blocks on disk: whole or not there, and damage is noticed."""

import threading

import numpy as np
import pytest

import rb_core as rb
from rb_core.store import Store

BLOCK = {"numbers": np.arange(5.0), "names": np.array(["a", "b"])}


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "blocks")


def same(left, right):
    return left.keys() == right.keys() and all(np.array_equal(left[k], right[k]) for k in left)


def test_what_was_put_is_got_back(store):
    assert store.get("one") is None
    store.put("one", BLOCK)
    assert same(store.get("one"), BLOCK)
    assert store.get("two") is None


@pytest.mark.parametrize("damage", ["cut", "flip", "empty", "text", "other block", "no name"])
def test_a_damaged_or_foreign_block_counts_as_missing(store, damage):
    store.put("one", BLOCK)
    path = store.path("one")
    content = path.read_bytes()
    if damage == "cut":
        path.write_bytes(content[: len(content) // 2])
    elif damage == "flip":
        middle = content.index(b"numbers.npy") + 60  # inside the compressed array
        path.write_bytes(content[:middle] + bytes([content[middle] ^ 255]) + content[middle + 1 :])
    elif damage == "empty":
        path.write_bytes(b"")
    elif damage == "text":
        path.write_text("not a block")
    elif damage == "other block":
        store.put("two", BLOCK)
        path.write_bytes(store.path("two").read_bytes())
    else:
        with open(path, "wb") as file:
            np.savez_compressed(file, **BLOCK)
    assert store.get("one") is None
    store.put("one", BLOCK)
    assert same(store.get("one"), BLOCK)


def test_a_failed_write_leaves_nothing_behind(store, monkeypatch):
    def full_disk(*arguments, **arrays):
        arguments[0].write(b"half")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(np, "savez_compressed", full_disk)
    with pytest.raises(OSError, match="No space"):
        store.put("one", BLOCK)
    assert list(store.folder.iterdir()) == []


def test_readers_never_see_a_half_written_block(store):
    large = {"numbers": np.random.default_rng(0).random(200_000)}
    done = threading.Event()

    def write():
        for _ in range(10):
            store.put("one", large)
        done.set()

    store.put("one", large)
    writer = threading.Thread(target=write)
    writer.start()
    while not done.is_set():
        assert same(store.get("one"), large)
    writer.join()


def test_a_folder_that_cannot_be_made_is_a_sentence(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(rb.InputError, match="Nothing can be kept"):
        Store(tmp_path / "file" / "blocks")
