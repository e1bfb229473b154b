"""Compiled code on disk: found again under the stamp of the code that it was compiled from.

numba's own cache looks only at the date of one file. Here a name says all that machine code follows
from, so that an edit anywhere is noticed, and an edit elsewhere compiles nothing anew. Whatever is
wrong with the folder or with a file costs time, and nothing else.
"""

import contextlib
import hashlib
import os
import pickle
import secrets
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import numba
import platformdirs
from numba.core.bytecode import FunctionIdentity
from numba.core.caching import _Cache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from rb_core.engine.sealed import read_sealed, write_sealed
from rb_core.engine.stamp import stamp

FORGOTTEN = 30 * 86_400  # seconds after which a file that nobody used is removed


class DiskCache(_Cache):
    """What a numba function asks before it compiles, and tells afterwards."""

    def __init__(self, dispatcher, roots):
        self.dispatcher, self.roots = dispatcher, roots

    @property
    def cache_path(self):
        """Where the files are; made when the first one is written."""
        base = os.environ.get("NUMBA_CACHE_DIR") or platformdirs.user_cache_dir("rb_core")
        return Path(base, "compiled")

    def _path(self, signature, context):
        parts = (
            stamp(self.dispatcher, *self.roots, *tuple_classes(signature)),
            signature, sys.version, numba.__version__, context.codegen().magic_tuple(),
        )  # fmt: skip
        name = hashlib.sha256(repr(parts).encode()).hexdigest()[:32]
        return self.cache_path / f"{self.dispatcher.py_func.__name__}-{name}"

    def load_overload(self, signature, context):
        """What was compiled before; None if that is not there in good order."""
        context.refresh()
        try:
            path = self._path(signature, context)
            payload = read_sealed(path)
            if payload is None:
                return None
            os.utime(path)  # it is in use
            return CompileResult._rebuild(context, *pickle.loads(payload))
        except Exception:  # nothing that is wrong here is worth more than compiling again
            return None

    def save_overload(self, signature, compiled):
        """Keep what was compiled, if that can be done."""
        if compiled.library.has_dynamic_globals:
            return
        with contextlib.suppress(Exception):
            path = self._path(signature, compiled.target_context)
            write_sealed(path, dumps(compiled._reduce()))
            for old in path.parent.iterdir():
                if time.time() - old.stat().st_mtime > FORGOTTEN:
                    old.unlink()

    def enable(self):
        """Part of numba's interface: always on."""

    disable = flush = enable


def tuple_classes(signature: Iterable) -> Iterator[type]:
    """The named tuples, agents' memories among them, in a numba signature."""
    for each in signature:
        if isinstance(each, numba.types.BaseNamedTuple):
            yield each.instance_class  # type: ignore[attr-defined]
            yield from tuple_classes(each.types)  # type: ignore[attr-defined]


class Compilation:
    """What compiling has taken in this process, and somebody who is told when it begins."""

    def __init__(self):
        self.tell: Callable[[], object] = lambda: None  # called once
        self.seconds, self.depth = 0.0, 0

    @contextlib.contextmanager
    def going_on(self) -> Iterator[None]:
        """One function is compiled; its parts are compiled within. numba lets in one thread."""
        if self.seconds == 0.0 and self.depth == 0:
            self.tell()
        start, self.depth = time.perf_counter(), self.depth + 1
        try:
            yield
        finally:
            self.depth -= 1
            if self.depth == 0:
                self.seconds += time.perf_counter() - start


compilation = Compilation()


def with_drawn_numbers(compile_function):
    """`compile_function`, with symbols of machine code that no other process has.

    A symbol is named after a function, the types of its arguments and a number. numba counts from
    1 in every process, so code from disk could be linked to symbols of this process: our loop to
    an agent of a user's whose memory is called like ours. Drawn numbers never meet. Whatever else
    is compiled keeps to numba's own, on which caches of other packages rely.
    """

    def compiled(*arguments):
        counted = FunctionIdentity._unique_ids
        drawn = iter(lambda: secrets.randbits(64), None)
        FunctionIdentity._unique_ids = drawn  # type: ignore[assignment]
        try:
            with compilation.going_on():
                return compile_function(*arguments)
        finally:
            FunctionIdentity._unique_ids = counted

    return compiled
