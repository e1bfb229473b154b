"""Bad input: one sentence that says what was wrong and what would be right."""

import difflib
import math
import numbers
import sys

LARGEST = sys.float_info.max
MOST_ROUNDS = 10**9


class InputError(ValueError):
    """What the caller handed over cannot be used; the message is one sentence that says why."""


def shown(value):
    """`value` for a message: on one line, and not too long."""
    if isinstance(value, int) and abs(value) >= 10**20:
        return f"{'-' if value < 0 else ''}10^{math.log10(abs(value)):.0f}"
    text = " ".join(repr(value).split())
    return text if len(text) <= 200 else f"{text[:200]}..."


def whole(name, value, least, most=None):
    """`value` as an int, if it is a whole number from `least` to `most` (1e5 counts as whole)."""
    if isinstance(value, bool) or not isinstance(value, numbers.Real) or value != value // 1:
        raise InputError(f"{name} must be a whole number, not {shown(value)}.")
    if value < least:
        raise InputError(f"{name} must be at least {least}, not {shown(value)}.")
    if most is not None and value > most:
        raise InputError(f"{name} must be at most {most:,}, not {shown(value)}.")
    return int(value)


def number(name, value, low, high=math.inf, *, open_low=False):
    """`value` as a float, if it lies in [low, high], or in (low, high] with `open_low`."""
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise InputError(f"{name} must be a number, not {shown(value)}.")
    inside = (low < value if open_low else low <= value) and value <= min(high, LARGEST)
    if not inside:
        left = "(" if open_low else "["
        right = "infinity)" if math.isinf(high) else f"{high:g}]"
        raise InputError(f"{name} must be in {left}{low:g}, {right}, not {shown(value)}.")
    return float(value)


def choice(name, value, allowed):
    """`value`, if it is one of `allowed`; otherwise an error that offers the closest."""
    if isinstance(value, str) and value in allowed:
        return value
    known = {str(name).lower(): name for name in allowed}
    close = difflib.get_close_matches(str(value).lower(), known, n=1, cutoff=0.4)
    if close:
        hint = f"did you mean {known[close[0]]!r}?"
    else:
        hint = f"it is one of {', '.join(map(repr, list(allowed)[:8]))}."
    raise InputError(f"There is no {name} {shown(value)}: {hint}")
