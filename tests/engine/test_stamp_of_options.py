"""Compiled code has another stamp with other options, wherever they were given."""

import numba

from rb_core.engine.stamp import stamp


def double(number):
    return 2 * number


def test_the_stamp_of_compiled_code_follows_its_options():
    plain, same = numba.njit(double), numba.njit(nogil=False)(double)
    assert stamp(plain) == stamp(same)  # what is switched off was not given
    others = [numba.njit(**{option: True})(double) for option in ("fastmath", "nogil", "parallel")]
    assert len({stamp(each) for each in (plain, *others)}) == 4
