"""What the outcome of grading follows from: the grader, the assignments and their variants."""

import hashlib

from assignment import HOME


def stamp():
    """A name for this state of all of these files."""
    found = hashlib.sha256()
    for path in sorted(HOME.rglob("*")):
        if path.suffix in (".py", ".ipynb", ".j2") and ".ipynb_checkpoints" not in path.parts:
            found.update(str(path.relative_to(HOME)).encode())
            found.update(path.read_bytes())
    return found.hexdigest()[:16]
