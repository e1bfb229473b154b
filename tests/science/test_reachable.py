"""The closed form counts the joint states that a search finds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rb_core as rb
from tests.joint_graph import joint_states


@pytest.mark.parametrize("s_max", range(1, 7))
@pytest.mark.parametrize("arms", range(1, 6))
def test_closed_form_counts_what_a_search_finds(arms, s_max):
    assert rb.reachable_states(arms, s_max) == len(joint_states(arms, s_max))


@given(st.lists(st.integers(1, 3), min_size=1, max_size=4), st.integers(1, 5))
def test_states_that_differ_within_a_group_count_once(groups, s_max):
    arms = sum(groups)
    if arms > 6:
        groups, arms = groups[:2], sum(groups[:2])
    group_of = [g for g, size in enumerate(groups) for _ in range(size)]
    merged = {
        tuple(sorted(zip(group_of, state, strict=True))) for state in joint_states(arms, s_max)
    }
    assert rb.reachable_states(arms, s_max, groups=groups) == len(merged)


@pytest.mark.parametrize(
    ("arms", "s_max", "states"),
    [(3, 3, 10), (6, 3, 37), (6, 6, 3007), (10, 5, 7481), (10, 10, 45_965_531)],
)
def test_the_papers_settings(arms, s_max, states):
    assert rb.reachable_states(arms, s_max) == states


@pytest.mark.parametrize(
    ("arms", "s_max", "states"),
    [
        (1, 1, 1),
        (1, 1000, 2),  # the only arm is pulled for ever: rested, then always of age 1
        (1000, 1, 1),
        (1000, 2, 1 + 1000),  # which arm was pulled last
        (1000, 3, 1 + 1000**2),  # ... and which one before, if it was another
    ],
)
def test_counts_that_are_plain_to_see(arms, s_max, states):
    assert rb.reachable_states(arms, s_max) == states
