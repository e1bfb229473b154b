"""The notebooks that `make test` executes: all chapters, and of the 36 experiments one a setting.

Which one is drawn from the commit: the same commit is always tested in the same way, and a few
commits go through them all. `python -m tests.rotation --all` names all.
"""

import random
import subprocess
import sys
from itertools import groupby

import rb_core as rb
from tests.conftest import TOP

sys.path.append(str(TOP / "book" / "outputs"))

import committed


def commit():
    """The name of this commit; "" outside of a repository."""
    done = subprocess.run(["git", "rev-parse", "HEAD"], cwd=TOP, capture_output=True, text=True)
    return done.stdout.strip()


def experiments_drawn(seed):
    """The names of some experiments, one for each setting."""
    by_setting = groupby(rb.experiments().values(), key=lambda each: each.setting)
    draw = random.Random(seed)
    return [draw.choice([each.name for each in group]) for _, group in by_setting]


def notebooks(everything=False):
    drawn = rb.experiments() if everything else experiments_drawn(commit())
    found = committed.notebooks()
    return [path for path in found if not committed.is_page(path) or path.stem in drawn]


if __name__ == "__main__":
    for path in notebooks("--all" in sys.argv[1:]):
        print(path.relative_to(TOP))
