"""Files that are whole or worthless: a digest in front says which, whatever the damage."""

import hashlib
from pathlib import Path

from rb_core.engine.files import replacing


def write_sealed(path: Path, payload: bytes) -> None:
    """Write `payload` to `path`, whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as part:
        part.write_bytes(hashlib.sha256(payload).digest() + payload)


def read_sealed(path: Path) -> bytes | None:
    """What was written to `path`; None if it is not there, or not as it was written."""
    try:
        content = path.read_bytes()
    except OSError:
        return None
    return content[32:] if hashlib.sha256(content[32:]).digest() == content[:32] else None
