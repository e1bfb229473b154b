"""Files that are written whole or not at all."""

import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile

from rb_core.checks import InputError

PART = ".part-"
OLD = 7 * 86_400  # seconds after which nobody is still writing


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A path to write to; what was written takes the place of `path` if all went well.

    It lies in a folder of its own beside `path`. So whatever lists the files of the folder never
    finds half a file, and two processes never write to the same one, on whatever machines they are.
    Where `path` is a link, what it points to is replaced.
    """
    path = path.resolve()
    try:
        if path.exists() and not path.is_file():
            raise InputError(f"{str(path)!r} is no file that could be replaced.")
        _clean(path.parent)
        with TemporaryDirectory(prefix=PART, dir=path.parent, ignore_cleanup_errors=True) as folder:
            part = Path(folder, path.name)
            yield part
            with open(part, "rb+") as file:
                os.fsync(file)  # else a power cut could leave an empty file under a good name
            part.replace(path)
    except OSError as error:
        raise InputError(
            f"{str(path)!r} cannot be written: {error.strerror or error}."
        ) from error


@cache  # once a process: a store has thousands of files
def _clean(folder: Path) -> None:
    with suppress(OSError):
        for left in folder.glob(f"{PART}*"):
            if time.time() - left.stat().st_mtime > OLD:
                shutil.rmtree(left, ignore_errors=True)


def check_writable(folder: Path) -> None:
    """Refuse a folder that could not be made, or not be written into; nothing is left there."""
    try:
        nearest = next(each for each in (folder, *folder.absolute().parents) if each.exists())
        with TemporaryFile(dir=nearest):
            pass
    except OSError as error:
        raise InputError(
            f"Nothing can be written into {str(folder)!r}: {error.strerror}."
        ) from None


def check_folder(path):
    """Refuse a file whose folder is not there."""
    if not path.parent.is_dir():
        raise InputError(f"There is no folder {str(path.parent)!r} to write {path.name} into.")
