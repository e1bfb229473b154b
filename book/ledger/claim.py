"""What a claim is, and how cases make a verdict."""

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"

REPRODUCED, PARTLY, FAILED, OPEN = "reproduced", "partly", "not reproduced", "not checkable"


class Case(NamedTuple):
    """One place where a claim is put to the test: what was measured there, and whether it held."""

    where: str
    measured: str
    held: bool


class Claim(NamedTuple):
    """A sentence of the paper, in our words, with what decides it.

    Attributes
    ----------
    section : where it stands in the paper
    says : the claim
    rule : what is measured in each case, and when the claim holds there
    page, title : the page of the book that shows it
    cases : makes the cases. A claim about SS-SARSA (`readings` True) takes the agent's name and
        is judged for both readings of the visit counts. None: not checkable, and `rule` says why.
    """

    section: str
    says: str
    rule: str
    page: str
    title: str
    cases: Callable[..., Iterable[Case]] | None
    readings: bool = False


def chapter(name):
    """A chapter's page, seen from the ledger's, and its title."""
    first = json.loads((NOTEBOOKS / f"{name}.ipynb").read_text())["cells"][0]["source"]
    return f"../notebooks/{name}.ipynb", first[0].strip().removeprefix("# ")


def verdict(cases):
    """Reproduced where it held in every case, not reproduced where in none, else partly."""
    held = [case.held for case in cases]
    if not held:
        raise ValueError("A verdict needs at least one case.")
    return REPRODUCED if all(held) else PARTLY if any(held) else FAILED
