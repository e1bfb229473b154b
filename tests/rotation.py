"""Where there are many alike, `make test` takes some, and `make test ALL=1` takes all.

Which ones is drawn from the commit: the same commit is always tested in the same way, and a few
commits go through them all. So it is with the notebooks that are executed, all chapters and of the
36 experiments one a setting: `python -m tests.rotation` names them.
"""

import os
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


def drawn(among, count, seed=None):
    """`count` of the things in a list; all of them if the variable ALL is set."""
    if os.environ.get("ALL"):
        return list(among)
    return random.Random(seed or commit()).sample(list(among), count)


def experiments_drawn(seed=None):
    """The names of some experiments, one for each setting."""
    by_setting = groupby(rb.experiments(), key=lambda name: rb.experiment(name).setting)
    return [name for setting, group in by_setting
            for name in drawn(group, 1, f"{seed or commit()} {setting}")]


def notebooks():
    names = experiments_drawn()
    found = committed.notebooks()
    return [path for path in found if not committed.is_page(path) or path.stem in names]


if __name__ == "__main__":
    for path in notebooks():
        print(path.relative_to(TOP))
