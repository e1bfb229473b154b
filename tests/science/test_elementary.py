"""The functions that come out the same everywhere are those that they are said to be."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rb_core.elementary import ZERO_BELOW, exponential, logarithm


@given(st.floats(1e-300, 1e300))
def test_the_logarithm_is_that_of_the_library_but_for_the_last_bits(x):
    assert logarithm(x) == pytest.approx(math.log(x), rel=4e-16, abs=4e-16)


@given(st.floats(ZERO_BELOW, 0))
def test_so_is_the_exponential(x):
    assert exponential(x) == pytest.approx(math.exp(x), rel=1e-13)


def test_the_ends_are_exact():
    assert logarithm(1.0) == 0.0
    assert exponential(0.0) == 1.0
    assert exponential(-math.inf) == 0.0 == exponential(ZERO_BELOW - 1)


@given(st.floats(1e-300, 1e300))
def test_compiled_or_not_the_last_bit_is_the_same(x):
    assert logarithm(x) == logarithm.py_func(x)
    assert exponential(-min(x, 800)) == exponential.py_func(-min(x, 800))
