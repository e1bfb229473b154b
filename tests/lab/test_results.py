"""The committed results are what the current code produces, and hang together."""

import hashlib
import subprocess

import numpy as np
import pytest

import rb_core as rb
from rb_core.engine.blocks import maker_of
from rb_core.lab.reproduce import TIERS
from rb_core.lab.results import COMMITTED
from rb_core.lab.verify import verify_file
from rb_core.metrics import wilson
from rb_core.summary import LEVELS
from tests.conftest import TOP

NAMES = list(rb.experiments())
CHEAP = [name for name in NAMES if not name.startswith("10-")]
LONG = [name for name in NAMES if name.startswith("10-hetero-")]


@pytest.mark.parametrize("name", NAMES)
def test_results_were_made_by_this_code_at_full_size(name):
    summaries, made = rb.results(name)
    named = rb.experiment(name)
    for agent, maker in made["made by"].items():
        code = maker_of(type(named.agents[agent])).code
        assert maker["code"] == code, f"Stale: run `rb reproduce --tier paper --only {name}`."
    assert made["experiment"] == name
    assert made["rounds"] == named.rounds
    assert made["simulations"] == TIERS["paper"].sims
    assert list(summaries) == list(named.agents)
    assert set(made["core seconds"]) == set(summaries)


@pytest.mark.parametrize("name", CHEAP)
def test_randomly_chosen_simulations_come_out_the_same(name):
    assert verify_file(COMMITTED / f"{name}.npz", sims=1).simulations == 6


def test_so_does_one_of_the_long_experiments():
    """Another one for every commit."""
    head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=TOP, capture_output=True).stdout
    name = LONG[int(hashlib.sha256(head).hexdigest(), 16) % len(LONG)]
    assert verify_file(COMMITTED / f"{name}.npz", sims=1).simulations == 6


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.slow
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
    assert sum(path.stat().st_size for path in COMMITTED.glob("*.npz")) < 12e6
