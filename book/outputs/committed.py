"""The notebooks whose outputs are committed, and those of them that are out of date."""

from functools import cache

import stamp

NOTEBOOKS = stamp.TOP / "notebooks"
SUMMARY = stamp.TOP / "rb_core" / "lab" / "sweep" / "summary.ipynb"  # of every sweep; here, of ours
EXPERIMENTS = NOTEBOOKS / "experiments"
TEMPLATE, MAKER = EXPERIMENTS / "experiment.ipynb", EXPERIMENTS / "pages.py"
APART = {"assignments", ".ipynb_checkpoints"}  # those of the course are handed out without outputs


def notebooks():
    # What `rb sweep` writes beside its tables, *-summary.ipynb, is not committed.
    ours = sorted(path for path in NOTEBOOKS.rglob("*.ipynb")
                  if not APART & set(path.parts) and not path.stem.endswith("-summary"))
    return [*ours, SUMMARY]


def is_page(path):
    """Whether it is one of the 36 pages that papermill makes from one notebook."""
    return path.parent == EXPERIMENTS and path != TEMPLATE


def out_of_date():
    """What has changed since each notebook was executed, for those where something has."""
    digest_once = cache(stamp.digest)  # most notebooks read the same files
    changes = {path: stamp.changed(stamp.read(path), digest_once) for path in notebooks()}
    return {path: names for path, names in changes.items() if names}
