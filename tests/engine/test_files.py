"""Files are written whole or not at all, whoever else writes beside them."""

import errno
import os
import time

import pytest

import rb_core as rb
from rb_core.engine.files import OLD, check_writable, replacing


@pytest.fixture
def path(tmp_path):
    return tmp_path / "kept.npz"


def test_two_writers_with_the_same_process_id_do_not_meet(path, monkeypatch):
    monkeypatch.setattr(os, "getpid", lambda: 1)  # as in two containers
    with replacing(path) as one, replacing(path) as other:
        one.write_text("one")
        other.write_text("other")
        assert one.read_text() == "one"
    assert path.read_text() == "one"  # the last to end


def test_what_is_being_written_has_the_name_of_the_file_and_is_no_file_of_its_folder(path):
    with replacing(path) as part:
        part.write_text("half")
        assert part.name == path.name
        assert list(path.parent.glob("*.npz")) == []
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_after_an_error_the_old_file_is_there_and_nothing_else(path):
    path.write_text("old")
    with pytest.raises(KeyError), replacing(path) as part:
        {}[part.write_text("half")]
    assert path.read_text() == "old"
    assert list(path.parent.iterdir()) == [path]


def test_what_a_kill_left_long_ago_is_cleaned_away_and_what_is_in_use_is_not(path):
    before = time.time() - OLD - 60
    for name in (".part-left", ".part-used", "mine"):
        (path.parent / name).mkdir()
        (path.parent / name / "kept.npz").touch()
    for name in (".part-left", "mine"):
        os.utime(path.parent / name, (before, before))
    with replacing(path) as part:
        part.write_text("new")
    assert {each.name for each in path.parent.iterdir()} == {"kept.npz", ".part-used", "mine"}


def test_what_was_written_is_on_disk_before_it_takes_the_place_of_the_old_file(path, monkeypatch):
    synced = []
    monkeypatch.setattr(os, "fsync", lambda file: synced.append(os.fstat(file.fileno()).st_ino))
    with replacing(path) as part:
        part.write_text("new")
    assert synced == [path.stat().st_ino]


@pytest.mark.parametrize("error", [OSError(errno.ENOSPC, "No space left on device"),
                                   OSError("48 requested and 0 written")])
def test_a_full_disk_is_said_in_one_sentence(path, error):
    said = r"kept.npz' cannot be written: .*\.$"
    with pytest.raises(rb.InputError, match=said), replacing(path):
        raise error
    assert list(path.parent.iterdir()) == []


def test_a_folder_that_is_gone_is_said_in_one_sentence(tmp_path):
    path = tmp_path / "gone" / "kept.npz"
    with pytest.raises(rb.InputError, match="cannot be written"), replacing(path) as part:
        part.write_text("new")


def test_a_folder_to_write_into_is_tried_without_leaving_anything(tmp_path):
    check_writable(tmp_path / "new" / "folder")
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "file").touch()
    for folder in (tmp_path / "file", tmp_path / "file" / "new"):
        with pytest.raises(rb.InputError, match=r"Nothing can be written into .*: Not a directory"):
            check_writable(folder)
