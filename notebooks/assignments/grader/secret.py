"""What this project does not give away: the numbers that hidden tests and variants begin from.

The project is public, its tests with it. So hidden tests draw their cases from a generator whose
seed is called SECRET in the sources, and which each course makes for itself, once.
"""

import hashlib
import secrets

WORD = "SECRET"


def of(root):
    """The course's secret; made when it is asked for the first time, and never again."""
    path = root / "secret"
    if not path.exists():
        root.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600)
        path.write_text(secrets.token_hex(16) + "\n")
    return path.read_text().strip()


def seed(secret, *names):
    """A number for one purpose, from which neither the secret nor other numbers follow."""
    text = "/".join([secret, *names])
    return int(hashlib.sha256(text.encode()).hexdigest()[:16], 16)


def filled_in(code, secret, assignment, test):
    """A test with its seed in place. Feedback pages show it: it is good for this test only."""
    return code.replace(WORD, str(seed(secret, assignment, test)))
