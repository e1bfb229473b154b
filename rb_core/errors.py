"""Bad input: one sentence that says what was wrong and what would be right."""

import difflib
import math
import numbers


class InputError(ValueError):
    """What the caller handed over cannot be used; the message is one sentence that says why."""


def whole(name, value, least):
    """`value` as an int, if it is a whole number of at least `least` (1e5 counts as whole)."""
    if isinstance(value, bool) or not isinstance(value, numbers.Real) or value != value // 1:
        raise InputError(f"{name} must be a whole number, not {value!r}.")
    if value < least or math.isinf(value):
        raise InputError(f"{name} must be at least {least} and finite, not {value!r}.")
    return int(value)


def number(name, value, low, high=math.inf, *, open_low=False):
    """`value` as a float, if it lies in [low, high], or in (low, high] with `open_low`."""
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise InputError(f"{name} must be a number, not {value!r}.")
    inside = (low < value if open_low else low <= value) and value <= high and math.isfinite(value)
    if not inside:
        left = "(" if open_low else "["
        right = "infinity)" if math.isinf(high) else f"{high:g}]"
        raise InputError(f"{name} must be in {left}{low:g}, {right}, not {value!r}.")
    return float(value)


def choice(name, value, allowed):
    """`value`, if it is one of `allowed`; otherwise an error that offers the closest."""
    if isinstance(value, str) and value in allowed:
        return value
    close = difflib.get_close_matches(str(value).lower(), list(allowed), n=1, cutoff=0.4)
    if close:
        hint = f"did you mean {close[0]!r}?"
    else:
        hint = f"it is one of {', '.join(map(repr, list(allowed)[:8]))}."
    raise InputError(f"There is no {name} {value!r}: {hint}")
