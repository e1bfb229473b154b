"""Files that are written whole or not at all."""

import os
from contextlib import contextmanager


@contextmanager
def replacing(path):
    """A path to write to; what was written takes the place of `path` if all went well."""
    part = path.with_name(f".part-{os.getpid()}-{path.name}")
    try:
        yield part
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
