"""The committed results are what the current code produces, and hang together."""

from fnmatch import fnmatch

import numpy as np
import pytest

import rb_core as rb
from rb_core.metrics import wilson
from rb_core.reproduce import CORE, RESULTS, TIERS, recompute
from rb_core.summary import LEVELS

NAMES = list(rb.experiments())
CHEAP = [name for name in NAMES if not name.startswith("10-")]


@pytest.mark.parametrize("name", NAMES)
def test_results_were_made_by_this_code_at_full_size(name):
    summaries, made = rb.results(name)
    named = rb.experiment(name)
    assert made["core"] == CORE, f"Stale: run `rb reproduce --tier paper --only {name}`."
    assert made["experiment"] == name
    assert made["rounds"] == named.rounds
    assert made["simulations"] == TIERS["paper"].sims
    assert list(summaries) == list(named.agents())
    assert set(made["core seconds"]) == set(summaries)


@pytest.mark.parametrize("name", CHEAP)
def test_randomly_chosen_simulations_come_out_the_same(name):
    assert recompute(RESULTS / f"{name}.npz", sims=1) == len(rb.experiment(name).agents())


def test_so_does_one_of_the_long_experiments():
    name = np.random.default_rng().choice([name for name in NAMES if fnmatch(name, "10-hetero-*")])
    assert recompute(RESULTS / f"{name}.npz", sims=1) == len(rb.experiment(name).agents())


@pytest.mark.parametrize("name", NAMES)
def test_a_summary_agrees_with_its_own_simulations_and_the_optimum(name):
    named = rb.experiment(name)
    best = rb.optimum(named.bandit, named.rounds, named.gamma)
    for summary in rb.results(name)[0].values():
        sims = len(summary.reward)
        np.testing.assert_allclose(summary.regret, best.value - summary.reward, atol=1e-6)
        np.testing.assert_allclose(
            summary.quantiles[:, -1], np.quantile(summary.regret, LEVELS), atol=1e-6
        )
        assert summary.rate == wilson(int(summary.optimal.sum()), sims)
        assert sum(count for _, count in summary.endings) == sims
        assert (summary.regret >= -1e-6).all()
        assert (summary.total >= summary.reward - 1e-6).all()


def test_all_results_together_are_a_few_megabytes():
    assert sum(path.stat().st_size for path in RESULTS.glob("*.npz")) < 6e6
