"""Bad input: one sentence that says what was wrong and what would be right."""

import difflib
import math
import numbers
import sys
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from typing import Any

LARGEST = sys.float_info.max
MOST_ROUNDS = 10**9


class InputError(ValueError):
    """What the caller handed over cannot be used; the message is one sentence that says why.

    Examples
    --------
    >>> import rb_core as rb
    >>> try:
    ...     rb.setting("tiny")
    ... except rb.InputError as error:
    ...     print(error)
    There is no setting 'tiny': it is one of 'small', '6-hetero', '6-homo', '10-hetero', '10-homo'.
    """


def shown(value: object) -> str:
    """`value` for a message: on one line, and not too long."""
    if isinstance(value, int) and abs(value) >= 10**20:
        return f"{'-' if value < 0 else ''}10^{math.log10(abs(value)):.0f}"
    text = " ".join(repr(value).split())
    return text if len(text) <= 200 else f"{text[:200]}..."


@contextmanager
def failures_of(name: str) -> Iterator[None]:
    """Turns whatever the code of a user's raises in here into one sentence about `name`."""
    try:
        yield
    except InputError:
        raise
    except (Exception, SystemExit) as error:
        said = f"{type(error).__name__}: {shown(str(error))}"
        raise InputError(f"{name} fails with {said}.") from error


def numeral(name: str, text: Any) -> float:
    """The number that people mean by 1000, 1_000 or 1e3; an int if it is written as one."""
    for kind in (int, float):  # through a float, 2**53 + 1 would become 2**53
        with suppress(ValueError, TypeError):
            return kind(text)
    raise InputError(f"{name} must be a number, not {shown(text)}.")


def whole(name: str, value: Any, least: float, most: int | None = None) -> int:
    """`value` as an int, if it is a whole number from `least` to `most` (1e5 counts as whole).

    Parameters
    ----------
    name : str
        What the error calls it.
    value
    least, most : int

    Examples
    --------
    >>> whole("rounds", 1e5, 1)
    100000
    """
    if isinstance(value, bool) or not isinstance(value, numbers.Real) or value != value // 1:
        raise InputError(f"{name} must be a whole number, not {shown(value)}.")
    if value < least:
        raise InputError(f"{name} must be at least {least}, not {shown(value)}.")
    if most is not None and value > most:  # type: ignore[operator]
        raise InputError(f"{name} must be at most {most:,}, not {shown(value)}.")
    return int(value)  # type: ignore[call-overload]


def number(
    name: str,
    value: Any,
    low: float,
    high: float = math.inf,
    *,
    open_low: bool = False,
    open_high: bool = False,
) -> float:
    """`value` as a float, if it is finite and lies in [low, high]; open ends are not part of it.

    Parameters
    ----------
    name : str
        What the error calls it.
    value
    low, high : float
    open_low, open_high : bool

    Examples
    --------
    >>> number("gamma", 1, 0, 1, open_low=True)
    1.0
    """
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise InputError(f"{name} must be a number, not {shown(value)}.")
    above = low < value if open_low else low <= value  # type: ignore[operator]
    below = value < high if open_high else value <= min(high, LARGEST)
    if not (above and below and abs(value) <= LARGEST):  # type: ignore[operator]
        limits = interval(low, high, open_low, open_high)
        raise InputError(f"{name} must be in {limits}, not {shown(value)}.")
    return float(value)


def interval(low: float, high: float, open_low: bool, open_high: bool) -> str:
    """A range of numbers as it is written in mathematics."""
    return f"{'[('[open_low]}{low:,g}, {high:,g}{'])'[open_high or math.isinf(high)]}"


def choice(name: str, value: Any, allowed: Collection[str]) -> str:
    """`value`, if it is one of `allowed`; otherwise an error that offers the closest.

    Parameters
    ----------
    name : str
        What the error calls it.
    value
    allowed : collection of str

    Examples
    --------
    >>> choice("shape", "peaked", ("increasing", "peaked"))
    'peaked'
    """
    if isinstance(value, str) and value in allowed:
        return value
    known = {str(name).lower(): name for name in allowed}
    close = difflib.get_close_matches(str(value).lower(), known, n=1, cutoff=0.4)
    if close:
        hint = f"did you mean {known[close[0]]!r}?"
    else:
        hint = f"it is one of {', '.join(map(repr, list(allowed)[:8]))}."
    raise InputError(f"There is no {name} {shown(value)}: {hint}")
