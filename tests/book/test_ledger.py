"""The ledger of claims: its rules, its pages, and that results decide its verdicts."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import rb_core as rb
from rb_core.lab import results

TOP = Path(__file__).parents[2]
LEDGER = TOP / "book" / "ledger"


@pytest.fixture
def ledger(monkeypatch):
    monkeypatch.syspath_prepend(LEDGER)
    import claim
    import evaluation
    import theory

    evaluation.summaries.cache_clear()
    yield {"claim": claim, "evaluation": evaluation, "theory": theory}
    evaluation.summaries.cache_clear()
    for name in ("claim", "evaluation", "theory", "errata", "formulas"):
        sys.modules.pop(name, None)


@pytest.mark.slow
def test_the_committed_pages_are_what_the_results_say():
    ran = subprocess.run(
        [sys.executable, LEDGER, "--check"], capture_output=True, text=True, cwd=TOP, check=False
    )
    assert ran.returncode == 0, ran.stderr


def test_a_verdict_is_the_sum_of_its_cases(ledger):
    claim = ledger["claim"]

    def cases(*held):
        return [claim.Case("here", "this", each) for each in held]

    assert claim.verdict(cases(True, True)) == "reproduced"
    assert claim.verdict(cases(True, False)) == "partly"
    assert claim.verdict(cases(False)) == "not reproduced"
    with pytest.raises(ValueError, match="at least one"):
        claim.verdict([])


def test_other_results_change_a_verdict(ledger, tmp_path, monkeypatch):
    claim, evaluation = ledger["claim"], ledger["evaluation"]
    (of_ss,) = [c for c in evaluation.CLAIMS if c.says.startswith("Six arms: SS-SARSA reaches")]
    assert claim.verdict(of_ss.cases("SS-SARSA")) == "reproduced"

    for name in [*rb.experiments("6-hetero"), *rb.experiments("6-homo")]:
        found = results.read_results(results.COMMITTED / f"{name}.npz")
        kept = found.measured["SS-SARSA"]
        failed = kept.summary._replace(optimal=np.zeros_like(kept.summary.optimal))
        found.measured["SS-SARSA"] = kept._replace(summary=failed)
        results.write_results(tmp_path / f"{name}.npz", found)
    monkeypatch.setattr(results, "COMMITTED", tmp_path)
    evaluation.summaries.cache_clear()
    assert claim.verdict(of_ss.cases("SS-SARSA")) == "not reproduced"


def test_every_claim_names_its_rule_and_a_page_that_exists(ledger):
    claims = ledger["theory"].CLAIMS + ledger["evaluation"].CLAIMS
    assert len(claims) >= 25
    assert len({each.says for each in claims}) == len(claims)
    for each in claims:
        assert each.rule.endswith(".")
        assert (TOP / "book" / each.page).exists(), each.page
