"""What the look and weight of all pages follow from: how they are built, styled and scripted."""

import hashlib
from pathlib import Path

HERE = Path(__file__).parent


def stamp():
    """A name for this state of all of these files."""
    found = hashlib.sha256()
    files = [HERE.parent / "_config.yml", HERE / "intro.md"]
    for room in ("_ext", "_static", "interactive"):
        every = sorted((HERE / room).rglob("*"))
        files += [path for path in every if path.suffix in (".py", ".css", ".js")]
    for path in files:
        found.update(path.read_bytes())
    return found.hexdigest()[:16]
