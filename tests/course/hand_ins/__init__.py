"""Hand-ins for the course: mistakes that people make, and right answers in another style."""

import importlib.util
from functools import cache
from pathlib import Path
from typing import NamedTuple


class Wrong(NamedTuple):
    """A wrong answer to one question, and the test cells whose points it must lose."""

    question: str
    mistake: str
    code: str  # the whole answer cell
    loses: tuple


class Style(NamedTuple):
    """Right answers that look different from ours."""

    style: str
    code: dict  # question -> the whole answer cell


@cache
def of(assignment):
    """The hand-ins for an assignment (the name of their file begins with a digit)."""
    path = Path(__file__).with_name(f"{assignment}.py")
    spec = importlib.util.spec_from_file_location(f"hand_ins_{assignment}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
