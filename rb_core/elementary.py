"""Logarithm and exponential that come out the same everywhere, to the last bit.

Libraries, processors and browsers round theirs differently. Where arms are alike, the last bit
decides which of them is pulled, and so all that comes after. Sums, products and quotients are
rounded alike by all. What else is used here, doubling and halving, is exact.
"""

from rb_core.engine.compiled import lean_kernel

LN2 = 0.6931471805599453
LOG_TERMS, EXP_TERMS = 13, 14  # the next one would change nothing
ZERO_BELOW = -700.0


@lean_kernel
def logarithm(x: float) -> float:
    """The natural logarithm of a number above 0."""
    doublings = 0
    while x >= 1.5:
        x *= 0.5
        doublings += 1
    while x < 0.75:
        x *= 2.0
        doublings -= 1
    y = (x - 1.0) / (x + 1.0)  # log(x) = 2 (y + y^3 / 3 + y^5 / 5 + ...)
    square, total = y * y, 0.0
    for i in range(LOG_TERMS - 1, -1, -1):
        total = total * square + 1.0 / (2 * i + 1)
    return doublings * LN2 + 2.0 * y * total


@lean_kernel
def exponential(x: float) -> float:
    """e to the power of a number that is at most 0."""
    if x < ZERO_BELOW:
        return 0.0
    halvings = int(0.5 - x / LN2)
    x += halvings * LN2
    total = 1.0
    for i in range(EXP_TERMS, 0, -1):
        total = 1.0 + total * x / i
    for _ in range(halvings):
        total *= 0.5
    return total
