"""Show the committed outputs of a notebook, unless they are out of date: then it is executed.

What made them is written in the notebook (book/outputs/stamp.py). `make book FRESH=1` executes
every page.
"""

import os
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "outputs"))
from committed import notebooks, out_of_date


def choose(app, config):
    if os.environ.get("FRESH"):
        config.nb_execution_mode = "force"
        return
    stale = out_of_date()
    config.nb_execution_excludepatterns = [
        path.as_posix() for path in notebooks() if path not in stale
    ]


def setup(app):
    app.connect("config-inited", choose)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
