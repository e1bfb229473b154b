"""How an agent is listed: its name in figures, tables and sweeps, and how it is drawn."""

from collections.abc import Callable
from typing import NamedTuple


class Listed(NamedTuple):
    """An agent under the name that figures and tables use.

    Colours are Okabe and Ito's, told apart by colour-blind readers; line styles do so in grey.

    Attributes
    ----------
    name : str
    make : function
        Makes the agent, given the discount of the problem.
    colour, line, marker : str
        How Matplotlib draws it.
    fixed : tuple of str
        Parameters that the name says already: no sweep may vary them.

    Examples
    --------
    >>> import rb_core as rb
    >>> rb.AGENTS["2RGP-TS"].make(0.99).lookahead
    2
    """

    name: str
    make: Callable[[float], object]
    colour: str = "#000000"
    line: str = "-"
    marker: str = "X"
    fixed: tuple[str, ...] = ()
