"""Random bandits follow from their name, size and seed, and have the shape that the name says."""

import hashlib
import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rb_core as rb
from rb_core.families import FAMILIES

PINNED = {
    "rising": "150846cf06632c4d",
    "peaked": "dacf08257ed836d7",
    "free": "14bbb36d633b769c",
    "gaussian": "c7aed790c3424980",
    "exponential": "ee291fdc71de4094",
    "blocking": "33cc314871c9bd8b",
    "concave": "ff133fb1a520a03f",
}
NAMES = st.sampled_from(sorted(FAMILIES))
SIZES = st.tuples(st.integers(1, 6), st.integers(1, 8))


@given(NAMES, SIZES, st.integers(0, 2**64))
def test_the_same_four_give_the_same_bandit_with_means_of_both_laws(name, size, seed):
    bandit, again = (rb.family(name, *size, seed) for _ in range(2))
    assert bandit == again
    assert bandit.means.shape == size
    normal = rb.family(name, *size, seed, reward="normal")
    assert normal.reward == "normal"
    np.testing.assert_array_equal(normal.means, bandit.means)


@pytest.mark.parametrize("name", FAMILIES)
def test_name_size_and_seed_all_matter(name):
    first = rb.family(name, 5, 6, 0).means
    assert not np.array_equal(first, rb.family(name, 5, 6, 1).means)
    assert not np.array_equal(first, rb.family(name, 6, 6, 0).means[:5])
    assert not np.array_equal(first, rb.family(name, 5, 7, 0).means[:, :6])
    others = [rb.family(other, 5, 6, 0).means for other in FAMILIES if other != name]
    assert not any(np.array_equal(first, other) for other in others)


def rows(name, seeds=30, arms=20, s_max=9):
    return np.concatenate([rb.family(name, arms, s_max, seed).means for seed in range(seeds)])


def test_rising_arms_rise_to_their_top():
    found = rows("rising")
    assert (np.diff(found) >= 0).all()
    assert (np.diff(found)[:, -1] > 0).mean() > 0.9
    assert found[:, -1].std() > 0.15


def test_peaked_arms_have_their_top_inside_and_fall_from_there():
    found = rows("peaked")
    peak = found.argmax(axis=1)
    assert set(peak) == set(range(1, 8))
    for row, at in zip(found, peak, strict=True):
        assert (np.diff(row[: at + 1]) >= 0).all()
        assert (np.diff(row[at:]) <= 0).all()


def test_free_means_are_uniform_and_apart():
    found = rows("free")
    assert found.mean() == pytest.approx(0.5, abs=0.01)
    assert found.var() == pytest.approx(1 / 12, abs=0.002)
    assert np.corrcoef(found[:, 3], found[:, 4])[0, 1] == pytest.approx(0, abs=0.1)


def test_gaussian_arms_have_the_correlations_of_their_kernel():
    found = rb.family("gaussian", 4000, 9, 0).means
    for steps in (1, 3, 8):
        seen = np.corrcoef(found[:, 0], found[:, steps])[0, 1]
        assert seen == pytest.approx(np.exp(-(steps**2) / (2 * 2.5**2)), abs=0.04)
    assert found.min() == 0
    assert found.max() == 1


def test_exponential_arms_recover_by_the_same_share_in_every_round():
    steps = np.diff(rows("exponential"))
    assert (steps > 0).all()
    steps = steps[steps[:, 1] > 0.01]  # means are rounded, which says little of small steps
    share = steps[:, 1] / steps[:, 0]
    np.testing.assert_allclose(steps[:, 1:], share[:, None] * steps[:, :-1], atol=5e-6)
    half_life = np.log(0.5) / np.log(share)
    assert half_life.min() == pytest.approx(1, abs=0.1)
    assert half_life.max() == pytest.approx(9, abs=0.2)


def test_blocked_arms_pay_nothing_and_then_always_the_same():
    found = rows("blocking")
    delays = (found == 0).sum(axis=1) + 1
    assert set(delays) == set(range(1, 10))
    for row, delay in zip(found, delays, strict=True):
        assert set(row[: delay - 1]) <= {0.0}
        assert len(set(row[delay - 1 :])) == 1


def test_concave_arms_rise_by_smaller_and_smaller_steps():
    steps = np.diff(rows("concave"), prepend=0)
    assert (steps >= 0).all()
    assert (np.diff(steps) <= 1e-12).all()


ALL_TABLES = f"""
import rb_core as rb
for name in {[*FAMILIES]}:
    for seed in range(20):
        print(rb.family(name, 20, 10, seed).means.tobytes().hex())
"""


@pytest.mark.parametrize("processor", ["NEHALEM", "HASWELL", "SKYLAKEX"])
def test_a_family_is_the_same_on_every_processor(processor):
    """Kernels of other processors round otherwise; elsewhere than on x86 these words do nothing."""
    other = {"OPENBLAS_CORETYPE": processor, "NPY_DISABLE_CPU_FEATURES": "X86_V4 X86_V3"}
    here, there = (subprocess.run([sys.executable, "-W", "ignore", "-c", ALL_TABLES], check=True,
                                  capture_output=True, env=os.environ | each).stdout
                   for each in ({}, other))
    assert hashlib.sha256(here).digest() == hashlib.sha256(there).digest()


@pytest.mark.parametrize(("name", "digest"), PINNED.items())
def test_a_family_is_the_same_to_the_last_bit_in_every_version(name, digest):
    """Tables large enough that a step of linear algebra in another order would show."""
    found = b"".join(rb.family(name, 20, 40, seed).means.tobytes() for seed in range(20))
    assert hashlib.sha256(found).hexdigest()[:16] == digest


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("risin", 3, 3, 0), "did you mean 'rising'"),
        (("rising", 0, 3, 0), "arms must be at least 1"),
        (("rising", 3, 2.5, 0), "s_max must be a whole number"),
        (("rising", 3, 3, -1), "seed must be at least 0"),
        (("rising", 3, 3, 0, "gaussian"), "no reward law"),
    ],
)
def test_bad_input_is_one_sentence(arguments, message):
    with pytest.raises(rb.InputError, match=message):
        rb.family(*arguments)


def test_a_table_that_no_machine_has_room_for_is_refused():
    with pytest.raises(rb.InputError, match="arms times s_max must be at most"):
        rb.family("free", 10**10, 10**10, 0)
