"""Results on disk: blocks named by what determines them, written whole or not at all."""

import hashlib
import zipfile
import zlib
from pathlib import Path

import numpy as np

from rb_core.errors import InputError
from rb_core.files import replacing


class Store:
    """A folder of blocks, each a set of named arrays under a name that its content follows from.

    A block is written to a file of its own and then renamed: a reader sees all of it or nothing,
    an interruption leaves nothing behind under a block's name, and two processes that compute the
    same block write the same file. A damaged block counts as missing.
    """

    def __init__(self, folder):
        self.folder = Path(folder)
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"Nothing can be kept in {str(folder)!r}: {error.strerror}.") from None

    def path(self, name):
        """Where the block called `name` (any text) lives."""
        return self.folder / f"{hashlib.sha256(name.encode()).hexdigest()[:32]}.npz"

    def get(self, name):
        """The arrays of a block, or None if it is missing or damaged."""
        try:
            with np.load(self.path(name), allow_pickle=False) as block:
                arrays = dict(block)  # reads everything: checksums are checked here
        except (OSError, ValueError, EOFError, KeyError, zipfile.BadZipFile, zlib.error):
            return None
        return arrays if arrays.pop("name", None) == name else None

    def put(self, name, arrays):
        """Keep `arrays` as the block called `name`."""
        with replacing(self.path(name)) as part, open(part, "wb") as file:
            np.savez_compressed(file, name=np.array(name), **arrays)
