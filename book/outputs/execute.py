"""Execute a notebook where it lies, and stamp it with what made its outputs."""

import copy
import os
import sys

import nbformat
import stamp
import watch
from committed import EXPERIMENTS, MAKER, TEMPLATE, is_page
from nbclient import NotebookClient
from traitlets.config import Config


def make(path):
    """Execute one notebook, or make one experiment's page, and write it only when all went well."""
    with watch.reads() as files:
        notebook = page(path.stem) if is_page(path) else nbformat.read(path, 4)
        if not is_page(path):
            execute(notebook, path.parent)
    if is_page(path):
        files |= {each.relative_to(stamp.TOP).as_posix() for each in (TEMPLATE, MAKER)}
    notebook.metadata[stamp.NAME] = stamp.stamp(notebook, files)
    part = path.with_name(f".{path.name}.part")
    nbformat.write(notebook, part)
    os.replace(part, path)


def execute(notebook, folder):
    """Give a notebook new outputs, and change nothing else: no times, no versions."""
    metadata = copy.deepcopy(notebook.metadata)
    client = NotebookClient(
        notebook, timeout=600, record_timing=False, coalesce_streams=True,
        kernel_name="python3", resources={"metadata": {"path": folder}},
        # Else every kernel warns that what is said on this machine could be overheard.
        config=Config({"KernelManager": {"transport_encryption": "auto"}}),
    )
    client.execute()
    notebook.metadata = metadata


def page(name):
    sys.path.insert(0, str(EXPERIMENTS))
    import pages  # here, because it loads rb_core

    return pages.made(name)
