"""PeriodicUCB: its phases, and what it leads to; the periods themselves are tests/science's."""

from itertools import pairwise

import pytest

import rb_core as rb
from rb_core.agents import periodic_ucb
from rb_core.evaluation import COMPARED


def test_a_phase_ends_with_its_timetable_once_a_count_has_grown_by_a_tenth(monkeypatch):
    begun, kernel = [], periodic_ucb.begin_phase

    def noted(memory, t):
        kernel(memory, t)
        begun.append((t, int(memory.place[1]), memory.counts.copy()))

    monkeypatch.setattr(periodic_ucb, "begin_phase", noted)
    rb.trace(rb.family("rising", 4, 5, 1), rb.PeriodicUCB(), 3000, compiled=False)
    assert begun[0][0] == 1
    assert 50 < len(begun) < 500  # far fewer than the rounds: counts grow by factors
    for (t, length, before), (end, _, after) in pairwise(begun):
        assert (end - t) % length == 0
        assert (after >= before + 1 + before // 10).any()


@pytest.mark.parametrize("name", ["rising", "exponential", "concave"])
def test_it_comes_nearer_to_the_best_timetable(name):
    """What it lacks late is less than half of what it lacks early."""
    bandit = rb.family(name, 4, 5, 7)
    lacks = rb.periodic(bandit).average - rb.trace(bandit, rb.PeriodicUCB(), 200_000).expected
    assert lacks[-20_000:].mean() < lacks[:20_000].mean() / 2


def test_bad_parameters_are_refused():
    with pytest.raises(rb.InputError, match="sigma"):
        rb.PeriodicUCB(sigma=0)


def test_the_papers_comparison_stays_the_papers():
    rb.check_agent(rb.PeriodicUCB())
    assert "PeriodicUCB" not in COMPARED
