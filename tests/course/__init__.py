"""Hand-ins for the course: mistakes that people make, and right answers in another style."""

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
