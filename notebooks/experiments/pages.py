"""Makes the page of one experiment: papermill runs the one notebook with the experiment's name.

`python book/outputs` makes those pages of the 36 anew that are out of date.
"""

import copy
import re
from pathlib import Path

import nbformat
import papermill
from traitlets.config import Config

import rb_core as rb
from rb_core import figures
from rb_core.lab.notebooks import QUIET_KERNEL

TEMPLATE = Path(__file__).with_name("experiment.ipynb")


def made(name):
    """The executed page of an experiment, with nothing of the machine in it."""
    notebook = papermill.execute_notebook(
        TEMPLATE, None, {"name": name}, kernel_name="python3", cwd=TEMPLATE.parent,
        progress_bar=False, log_output=False, config=Config(QUIET_KERNEL),
    )
    tidy(notebook, rb.experiment(name))
    return notebook


def tidy(notebook, experiment):
    """A title and alt text of its own; no timestamps or paths, which papermill adds."""
    notebook.metadata = copy.deepcopy(nbformat.read(TEMPLATE, 4).metadata)
    summaries, _ = rb.results(experiment.name)
    for cell in notebook.cells:
        for key in ("papermill", "execution"):
            cell.metadata.pop(key, None)
        if cell.id == "title":
            cell.source = re.sub("^# .*", f"# {experiment.title}", cell.source)
        if cell.id == "panels":
            cell.metadata["mystnb"]["image"]["alt"] = figures.alt_text(summaries)
        # The cell that papermill injects has a random id.
        if "injected-parameters" in cell.metadata.get("tags", []):
            cell.id = "injected-parameters"
