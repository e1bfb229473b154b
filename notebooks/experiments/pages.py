"""Make the 36 experiment pages: papermill runs one notebook once for each experiment.

    .venv/bin/python notebooks/experiments/pages.py ['GLOB']
"""

import re
import sys
from fnmatch import fnmatch
from pathlib import Path

import nbformat
import papermill

import rb_core as rb
from rb_core import figures
from rb_core.files import replacing

HERE = Path(__file__).parent
TEMPLATE = HERE / "experiment.ipynb"
SHAPES = {"increasing": "increasing rewards", "peaked": "increasing-then-decreasing rewards"}


def title(experiment):
    """The page's heading, in words."""
    name = {"small": "Small problem"}.get(experiment.setting, experiment.setting.title())
    discount = "discounted" if experiment.discounted else "undiscounted"
    shape = "" if experiment.setting == "small" else f", {SHAPES[experiment.shape]}"
    return f"{name}{shape}: {experiment.reward.title()}, {discount}"


def make(experiment, folder=HERE):
    """Run the notebook for one experiment, and leave nothing of the machine in it."""
    page = folder / f"{experiment.name}.ipynb"
    with replacing(page) as part:
        papermill.execute_notebook(
            TEMPLATE, part, {"name": experiment.name}, kernel_name="python3", cwd=HERE,
            progress_bar=False, log_output=False,
        )
        notebook = nbformat.read(part, 4)
        tidy(notebook, experiment)
        nbformat.write(notebook, part)


def tidy(notebook, experiment):
    """A title and alt text of its own; no timestamps or paths, which papermill adds."""
    notebook.metadata.pop("papermill", None)
    summaries, _ = rb.results(experiment.name)
    for cell in notebook.cells:
        for key in ("papermill", "execution"):
            cell.metadata.pop(key, None)
        if cell.id == "title":
            cell.source = re.sub("^# .*", f"# {title(experiment)}", cell.source)
        if cell.id == "panels":
            cell.metadata["mystnb"] = {"image": {"alt": figures.alt_text(summaries)}}
        # The cell that papermill injects has a random id.
        if "injected-parameters" in cell.metadata.get("tags", []):
            cell.id = "injected-parameters"


def main(pattern="*"):
    for experiment in rb.experiments().values():
        if fnmatch(experiment.name, pattern):
            make(experiment)
            print(experiment.name)


if __name__ == "__main__":
    main(*sys.argv[1:])
