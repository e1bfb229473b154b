"""The ledger of claims: its rules, its pages, and that results decide its verdicts."""

import ast
import importlib
import json
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import numpy as np
import pytest
import yaml

import rb_core as rb
from rb_core.lab import notebooks, results

TOP = Path(__file__).parents[2]
LEDGER = TOP / "book" / "ledger"
MODULES = ("changes", "claim", "errata", "evaluation", "formulas", "measures", "rules", "theory")
CLAIMS = {each["slug"]: each for each in json.loads((TOP / "book" / "claims.json").read_text())}


class Ledger:
    """Its modules, imported as the program does."""

    def __getattr__(self, name):
        return __import__(name)


@pytest.fixture
def ledger(monkeypatch):
    monkeypatch.syspath_prepend(LEDGER)
    found = Ledger()
    yield found
    found.measures.summaries.cache_clear()
    found.measures.difference.cache_clear()
    for name in MODULES:
        sys.modules.pop(name, None)


def claim(ledger, slug):
    (found,) = [each for each in ledger.theory.CLAIMS + ledger.evaluation.CLAIMS
                if each.slug == slug]
    return found


@pytest.mark.slow
def test_the_committed_pages_are_what_the_papers_results_say_and_nothing_beyond(monkeypatch):
    monkeypatch.syspath_prepend(TOP / "book" / "outputs")
    watch = importlib.import_module("watch")
    with watch.reads() as read:
        ran = subprocess.run([sys.executable, LEDGER, "--check"], capture_output=True, text=True,
                             cwd=TOP, check=False)
    assert ran.returncode == 0, ran.stderr
    folders = {str(Path(name).parent) for name in read}
    assert "notebooks/results" in folders
    assert "notebooks/beyond" not in folders


def test_a_verdict_is_the_sum_of_its_cases(ledger):
    def cases(*held):
        return [ledger.claim.Case("here", "this", each) for each in held]

    verdict = ledger.claim.verdict
    assert verdict(cases(True, True)) == "reproduced"
    assert verdict(cases(True, False)) == "partly"
    assert verdict(cases(False)) == "not reproduced"
    assert verdict(cases(None, True)) == "reproduced"
    assert verdict(cases(False, None)) == "not reproduced"
    for nothing in ([], cases(None)):
        with pytest.raises(ValueError, match="at least one"):
            verdict(nothing)


def test_a_margin_is_decided_by_the_interval_or_not_at_all(ledger):
    within, margin = ledger.measures.within, ledger.rules.NOT_APART
    assert within(margin, rb.Estimate(1, -3, 5)) is True
    assert within(margin, rb.Estimate(8, 5.1, 9)) is False
    assert within(margin, rb.Estimate(-8, -9, -5.1)) is False
    assert within(margin, rb.Estimate(0, -6, 4)) is None
    assert within(ledger.rules.NO_LOWER, rb.Estimate(9, 2, 20)) is True


def with_other_runs(ledger, tmp_path, monkeypatch, agent, settings, **fields):
    """The six-arm results, in which an agent's runs are others."""
    for setting in settings:
        for name in rb.experiments(setting):
            found = results.read_results(results.COMMITTED / f"{name}.npz")
            kept = found.measured[agent]
            changed = {key: np.full_like(getattr(kept.summary, key), value)
                       for key, value in fields.items()}
            found.measured[agent] = kept._replace(summary=kept.summary._replace(**changed))
            results.write_results(tmp_path / f"{name}.npz", found)
    monkeypatch.setattr(results, "COMMITTED", tmp_path)
    ledger.measures.summaries.cache_clear()


def test_other_results_change_a_verdict(ledger, tmp_path, monkeypatch):
    of_ss = claim(ledger, "six-ss-reaches")
    assert ledger.claim.judge(of_ss).verdict == "reproduced"
    with_other_runs(ledger, tmp_path, monkeypatch, "SS-SARSA", ("6-hetero", "6-homo"),
                    tail_regret=1.0)
    assert ledger.claim.judge(of_ss).verdict == "not reproduced"


def test_claims_are_judged_by_the_papers_rate_and_the_strict_one_is_a_matter_of_sensitivity(
    ledger, tmp_path, monkeypatch
):
    of_ss = claim(ledger, "six-ss-reaches")
    with_other_runs(ledger, tmp_path, monkeypatch, "SS-SARSA", ("6-hetero", "6-homo"),
                    strictly_optimal=False)
    judged = ledger.claim.judge(of_ss)
    assert judged.verdict == "reproduced"
    assert judged.sensitivity == {"by the strict rate": "not reproduced"}


def test_sensitivity_names_thresholds_measures_and_cases(ledger):
    """A made-up claim whose cases depend on all three."""
    Case, Claim = ledger.claim.Case, ledger.claim.Claim

    def cases(view):
        if view.reward != "normal":
            yield Case("Bernoulli", "80%", view.most <= 0.8)
        if view.reward != "bernoulli":
            yield Case("normal", "80%", not view.medians)
        yield Case("elsewhere", "80%", True, beyond=True)

    made_up = Claim("made-up", "1", "This.", "That.", "small", cases,
                    also={"by another measure": lambda view: [Case("here", "0%", False)]})
    judged = ledger.claim.judge(made_up)
    assert judged.tried
    assert judged.sensitivity == {
        "at 90%": "partly", "by medians": "partly", "by another measure": "not reproduced"}


def test_what_no_choice_touches_was_not_tried(ledger):
    """Where every view sees the same cases, "none" would promise more than was done."""
    Case, Claim = ledger.claim.Case, ledger.claim.Claim

    def judged(cases):
        return ledger.claim.judge(Claim("made-up", "1", "This.", "That.", "small", cases))

    assert not judged(lambda view: [Case("here", "1", True)]).tried
    assert judged(lambda view: [Case("here", f"{view.most:.0%}", True)]).tried


def test_bars_count_theory_and_experiments_apart(monkeypatch):
    monkeypatch.syspath_prepend(TOP / "book" / "_ext")
    verdicts = importlib.import_module("verdicts")
    text = (TOP / "book" / "claims.md").read_text()
    found = verdicts.tally(text)
    for part, counts in found.items():
        heading = re.search(rf"### {part}: (\d+) claims, (.*)", text)
        assert sum(counts.values()) == int(heading[1])
        for verdict, count in counts.items():
            assert f"{count} {verdict}" in heading[2].split(", ")
    assert sum(sum(counts.values()) for counts in found.values()) == len(CLAIMS)
    with pytest.raises(ValueError, match="nobody knows"):
        verdicts.tally(text.replace("| reproduced |", "| proved |"))


def test_every_claim_has_a_slug_a_rule_and_a_chapter(ledger):
    claims = ledger.theory.CLAIMS + ledger.evaluation.CLAIMS
    assert len({each.slug for each in claims}) == len({each.says for each in claims}) == len(claims)
    for each in claims:
        assert re.fullmatch("[a-z0-9-]+", each.slug)
        assert each.rule.endswith(".")
        assert (TOP / "book" / ledger.claim.page_and_title(each.chapter)[0]).exists(), each.chapter


def test_every_verdict_of_the_first_edition_has_its_successors(ledger):
    assert list(ledger.changes.BECAME) == [number for number, *_ in ledger.changes.first_edition()]
    for became in ledger.changes.BECAME.values():
        assert set(became.slugs) <= set(CLAIMS)


def test_a_verdict_that_moves_without_a_reason_is_refused(ledger):
    class Judged:
        verdict = "partly"

    with pytest.raises(SystemExit, match=r"claim 1 .* does not say why"):
        ledger.changes.moved(dict.fromkeys(CLAIMS, Judged()))


def test_a_correction_that_moved_nothing_is_refused(ledger):
    class Judged:
        said = "not reproduced"

    with pytest.raises(SystemExit, match="and it did not"):
        list(ledger.changes.corrected(dict.fromkeys(CLAIMS, Judged())))


def test_one_reading_of_the_visits_may_move_alone(ledger):
    Judged = ledger.claim.Judged
    same = Judged(None, {"joint": ("partly", []), "separated": ("partly", [])}, {}, False)
    moved = same._replace(by_reading=same.by_reading | {"separated": ("reproduced", [])})
    assert (same.said, moved.said) == ("partly", "partly (separated: reproduced)")


def test_too_few_runs_to_exclude_the_margin_decide_nothing(ledger):
    """A rate is neither called competitive nor not while both are possible."""
    competitive = claim(ledger, "ten-homo-competitive")
    (bernoulli, normal) = ledger.claim.found(competitive, ledger.rules.OURS, "SS-SARSA (sep.)")
    assert bernoulli.held
    assert normal.held is None
    margin = ledger.rules.COMPETITIVE
    view = ledger.rules.OURS._replace(reward="normal")
    (each,) = ledger.measures.chosen(view, "10-homo")
    rates = [ledger.measures.rate(view, each, name) for name in ("SS-SARSA (sep.)", "1RGP-TS")]
    assert rb.compare_rates(*rates).low < -margin < rb.compare_rates(*rates).value


def test_means_that_a_few_runs_decide_are_not_told_apart(ledger):
    """Three bad runs of a thousand, and otherwise no difference."""
    harder = claim(ledger, "normal-is-harder")
    cases = {case.where: case for case in harder.cases(ledger.rules.OURS)}
    regrets = [ledger.measures.summaries(f"small-{law}-discounted")["SS-SARSA (sep.)"].regret
               for law in ("normal", "bernoulli")]
    bad = np.sort(regrets[0])[-3:]
    assert bad.min() > 2 * regrets[1].max()
    assert not cases["Small problem: Normal, SS-SARSA (sep.)"].held
    assert cases["Small problem: Normal, SARSA"].held


# The paper's rewards, a sweep's grid, a bandit, how much is listed, how numbers are written.
NO_THRESHOLDS = {"START", "PEAK", "STARTS", "SHARES", "NO_POLICY", "PREFERENCES", "LISTED", "SMALL",
                 "CLAIMS"}


@pytest.mark.parametrize("module", ["evaluation", "theory", "measures"])
def test_numbers_for_words_are_stated_once(module):
    """What decides a case stands in rules.py, which the page prints, and in no other file."""
    def own(node):
        if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
            return [] if node.value in (0, 1) or abs(node.value) < 1e-6 else [node.value]
        if isinstance(node, ast.Subscript):  # which one is not how much
            return []
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "round":
            return own(node.args[0])  # to how many digits
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):  # a formula
            return own(node.left)
        return [number for part in ast.iter_child_nodes(node) for number in own(part)]

    tree = ast.parse((LEDGER / f"{module}.py").read_text())
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            assert own(node) == [], ast.unparse(node)
    for node in tree.body:  # nor under a name of its own
        if isinstance(node, ast.Assign) and own(node.value):
            names = {name.id for target in node.targets for name in ast.walk(target)
                     if isinstance(name, ast.Name)}
            assert names <= NO_THRESHOLDS, ast.unparse(node)


def test_numbers_for_words_are_printed():
    tree = ast.parse((LEDGER / "rules.py").read_text())
    own = {node.targets[0].id: node.value for node in tree.body if isinstance(node, ast.Assign)}
    printed = {name.id for name in ast.walk(own["WORDS"]) if isinstance(name, ast.Name)}
    assert {name for name, value in own.items() if isinstance(value, ast.Constant)} == printed


PAGES = [TOP / "book" / "intro.md",
         *(path for path in notebooks.pages() if path.parent.name != "experiments")]
ROLE = re.compile(r"\{(claim|verdict)\}`([a-z0-9-]+)`")


AGREES = re.compile(r"as the paper (?:says|warns)|paper says\s+the\s+same|states just this")


def prose(path):
    """The Markdown of a page, cell by cell, each with what its author took verdicts to be."""
    if path.suffix == ".md":
        head, text = re.fullmatch(r"(?:---\n(.*?)\n---\n)?(.*)", path.read_text(), re.S).groups()
        return [(text, (yaml.safe_load(head or "") or {}).get("claims", {}))]
    return [(cell.source, cell.metadata.get("claims", {}))
            for cell in nbformat.read(path, 4).cells if cell.cell_type == "markdown"]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_prose_and_verdict_have_not_parted(path):
    """A cell that shows a verdict was written for it, and says so in its metadata.

    So was one that says in words that a claim holds. A Markdown page has both in its front matter.
    """
    for text, written_for in prose(path):
        shown = {slug for role, slug in ROLE.findall(text) if role == "verdict"}
        assert shown <= set(written_for), text[:200]
        if agrees := AGREES.search(text):
            assert written_for, f"{path.name} says {agrees[0]!r}, and of which claim?\n{text[:200]}"
        for slug, verdict in written_for.items():
            now = CLAIMS[slug]["verdict"]
            assert now == verdict, (
                f"{path.name} speaks of claim {slug!r} as {verdict!r}, and the ledger now says "
                f"{now!r}: read this cell again, mend it, and its metadata.\n{text[:300]}")


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_no_page_types_a_verdict_or_the_number_of_a_claim(path):
    for text, _ in prose(path):
        if path.name not in ("claims.md", "changes.md"):
            assert not re.findall(r"[Cc]laims? \d+", text), text[:200]
            assert not re.findall(r"\*\*(?:Claim|Held)[^*]*\*\*", text), text[:200]
            typed = re.search(r"\b(?:not )?reproduced\b", ROLE.sub("", text))
            assert not typed, f"{path.name} types {typed[0]!r}: use the role verdict.\n{text[:200]}"


@pytest.mark.parametrize(
    ("section", "said"),
    [
        ("4.2", "Section 4.2"),
        ("4.2, remark", "Section 4.2 (remark)"),
        ("6.1, B", "Section 6.1 and appendix B"),
        ("abstract, 1", "Abstract and section 1"),
        ("A, Algorithm 2", "Appendix A (Algorithm 2)"),
    ],
)
def test_places_in_the_paper_are_said_in_words(ledger, section, said):
    assert ledger.claim.place(section) == said


def test_a_claim_names_the_experiments_that_decide_it():
    of_six = {panel.partition(",")[0] for panel in CLAIMS["six-ss-reaches"]["panels"]}
    assert of_six == {"6-Hetero", "6-Homo"}
    assert CLAIMS["six-hetero-1rgp-noise"]["panels"] == [
        "6-Hetero, increasing: Bernoulli", "6-Hetero, increasing: Normal"]
    assert not CLAIMS["visits-below-max"]["panels"]


def test_links_go_both_ways():
    """The chapter that the ledger names for a claim leads back to it."""
    for slug, each in CLAIMS.items():
        if each["verdict"] != "not checkable":
            page = TOP / "book" / "status.md"
            if each["chapter"] != "status":
                page = notebooks.find(each["chapter"])
            texts = [text for text, _ in prose(page)]
            named = {found for text in texts for _, found in ROLE.findall(text)}
            assert slug in named, f"{each['chapter']} does not mention {slug!r}"


def test_what_pages_count_are_the_cases_that_held():
    """A verdict that is partly so has some, but not all, of its decided cases."""
    for each in CLAIMS.values():
        if each["verdict"] != "not checkable":
            decided = each["cases"] - each["undecided"]
            wanted = {"reproduced": each["held"] == decided, "not reproduced": each["held"] == 0,
                      "partly": 0 < each["held"] < decided}
            assert wanted[each["verdict"]], each
