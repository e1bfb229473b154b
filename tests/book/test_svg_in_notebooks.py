"""In a notebook, figures come out as the SVG of the book's style."""

import nbformat
from nbclient import NotebookClient
from traitlets.config import Config

CELLS = (
    "import matplotlib.pyplot as plt\nfrom rb_core import figures\n\nfigures.use_style()",
    "fig, ax = plt.subplots()\nax.plot([0, 1], [0, 1 / 3])\nplt.show()",
    "figures.svg(fig)",
)


def test_figures_are_shown_as_svg_and_nothing_else():
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in CELLS])
    quiet = Config({"KernelManager": {"transport_encryption": "auto"}})
    NotebookClient(notebook, kernel_name="python3", timeout=300, config=quiet).execute()
    _, (shown,), (text,) = (cell.outputs for cell in notebook.cells)
    assert set(shown.data) == {"image/svg+xml", "text/plain"}
    assert repr(shown.data["image/svg+xml"]) == text.data["text/plain"]
