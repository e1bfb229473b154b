"""Draws book/_static/overview.png, the picture of the README, from the committed results.

It keeps, inside the file, what it was drawn from, so that a test sees when that has changed.
"""

import sys
from pathlib import Path

import rb_core as rb
from rb_core import figures

NAME = "6-hetero-increasing-bernoulli-discounted"
PICTURE = Path(__file__).parent / "_static" / "overview.png"
sys.path.append(str(Path(__file__).parent / "outputs"))

from stamp import TOP, digest  # noqa: E402

# Agents say how they are drawn, experiments what they are called.
DRAWING = ("book/overview.py", "rb_core/figures.py", "rb_core/evaluation.py", "rb_core/agents/*.py")
SOURCES = (*sorted(path.relative_to(TOP).as_posix() for name in DRAWING for path in TOP.glob(name)),
           f"notebooks/results/{NAME}.npz")


def drawn_from():
    """A short hash of each file that the picture depends on."""
    return " ".join(f"{name}={digest(TOP / name)}" for name in SOURCES)


if __name__ == "__main__":
    figure = figures.three_panels(rb.results(NAME)[0], rb.experiment(NAME).title)
    figure.savefig(PICTURE, dpi=150, metadata={"Description": drawn_from()})
