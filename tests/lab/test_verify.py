"""`rb verify` accepts what the code gives, and refuses everything else in one sentence."""

import dataclasses

import numpy as np
import pytest

import rb_core as rb
from rb_core.cli import main
from rb_core.lab.results import read_results, write_results
from rb_core.summary import Summary

NAME = "small-normal-discounted"


@pytest.fixture(scope="module")
def true(tmp_path_factory):
    """The smoke tier of one experiment."""
    folder = tmp_path_factory.mktemp("true")
    rb.reproduce("smoke", NAME, folder, rb.Store(tmp_path_factory.mktemp("blocks")))
    return folder


@pytest.fixture
def forge(true, tmp_path):
    """A folder with the results changed by a function; their checksums are right again."""

    def forged(change, name=NAME):
        results = read_results(true / f"{NAME}.npz")
        write_results(tmp_path / f"{name}.npz", change(results) or results)
        return tmp_path

    return forged


def refusal(folder, capsys, sims="all"):
    assert main(["verify", str(folder), "--sims", sims]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    return said


def of_sarsa(results, **fields):
    measured = results.measured["SARSA"]
    summary = measured.summary._replace(**fields)
    results.measured["SARSA"] = measured._replace(summary=summary)


def slightly_other(field):
    def change(results):
        value = getattr(results.measured["SARSA"].summary, field)
        if field == "endings":
            cycle, count = value[0]
            of_sarsa(results, endings=[(cycle, count - 1), ("Z9", 1), *value[1:]])
        elif value.dtype == bool:
            of_sarsa(results, **{field: ~value})
        else:
            wrong = value.copy()
            wrong.flat[3] = np.nextafter(wrong.flat[3], 9).astype(value.dtype) if (
                value.dtype.kind == "f") else wrong.flat[3] + 1
            of_sarsa(results, **{field: wrong})
    return change


def emptied(field):
    def change(results):
        value = getattr(results.measured["SARSA"].summary, field)
        of_sarsa(results, **{field: value[:0]})
    return change


def without_an_agent(results):
    del results.measured["SARSA"], results.agents["SARSA"]


def with_an_invented_agent(results):
    results.measured["TARSA"] = results.measured["SARSA"]
    results.agents["TARSA"] = results.agents["SARSA"]


def with_agents_exchanged(results):
    first, second = results.measured["SARSA"], results.measured["Q-learning"]
    results.measured |= {"SARSA": second, "Q-learning": first}


def by_other_code(results):
    maker = results.measured["SARSA"].maker._replace(code="0123456789abcdef")
    results.measured["SARSA"] = results.measured["SARSA"]._replace(maker=maker)


def with_curves_left_out(results):
    of_sarsa(results, curves=None)


def changed(**fields):
    return lambda results: dataclasses.replace(results, **fields)


FORGERIES = {
    **{f"another {field}": (slightly_other(field), field) for field in Summary._fields},
    **{f"an empty {field}": (emptied(field), field) for field in Summary._fields},
    "an agent dropped": (without_an_agent, "SARSA"),
    "an agent invented": (with_an_invented_agent, "TARSA"),
    "agents exchanged": (with_agents_exchanged, "SARSA"),
    "other code": (by_other_code, "other code"),
    "curves left out": (with_curves_left_out, "curves is missing"),
    "another seed": (changed(seed=1), "another seed"),
    "other rounds": (changed(rounds=999), "another"),
    "more simulations": (changed(simulations=11), "shape"),
    "another bandit": (changed(bandit="no bandit"), "another bandit"),
    "another experiment": (changed(experiment="small-bernoulli-discounted"), "renamed"),
    "no experiment": (changed(experiment="nothing"), "experiment"),
}


def test_true_results_are_accepted_and_counted(true, capsys):
    assert main(["verify", str(true), "--sims", "all"]) == 0
    counted = rb.verify(true, sims="all")
    found = read_results(true / f"{NAME}.npz")
    numbers = sum(np.size(field) for each in found.measured.values() for field in each.summary)
    assert (counted.files, counted.simulations, counted.numbers) == (1, 60, numbers)
    assert f"60 simulations in 1 files recomputed, {numbers:,} numbers compared" in (
        capsys.readouterr().out)


@pytest.mark.parametrize("forgery", FORGERIES)
def test_forged_results_are_refused_in_one_sentence(forge, capsys, forgery):
    change, said = FORGERIES[forgery]
    assert said in refusal(forge(change), capsys)


def test_a_renamed_file_is_refused(forge, capsys):
    folder = forge(lambda results: None, name="small-normal-undiscounted")
    assert "it was renamed" in refusal(folder, capsys)


@pytest.mark.parametrize("field", ["reward", "total", "regret", "strictly_optimal", "tail_regret",
                                   "curves"])
def test_a_sample_of_simulations_sees_what_is_kept_of_each(forge, capsys, field):
    def all_of_them(results):
        value = getattr(results.measured["SARSA"].summary, field)
        of_sarsa(results, **{field: ~value if value.dtype == bool else value + value.dtype.type(1)})

    assert field in refusal(forge(all_of_them), capsys, sims="1") or field == "reward"


def test_a_sample_counts_what_was_compared(true):
    counted = rb.verify(true, sims=3)
    marks = len(rb.results(NAME, true)[0]["SARSA"].checkpoints)
    assert counted.simulations == 18
    assert counted.numbers == 18 * (5 + marks)  # all ten have their curves


def test_other_versions_are_named(forge, capsys):
    def by_an_older_numpy(results):
        for name, each in results.measured.items():
            maker = each.maker._replace(numpy="1.0")
            results.measured[name] = each._replace(maker=maker)

    assert main(["verify", str(forge(by_an_older_numpy))]) == 0
    assert f"Made with numpy 1.0 (here {np.__version__})." in capsys.readouterr().out


@pytest.mark.parametrize("seed", range(200))
def test_no_damage_ends_in_a_traceback(true, tmp_path, seed):
    rng = np.random.default_rng(seed)
    content = bytearray((true / f"{NAME}.npz").read_bytes())
    content[rng.integers(len(content))] ^= 1 << int(rng.integers(8))
    (tmp_path / f"{NAME}.npz").write_bytes(content)
    try:
        found = read_results(tmp_path / f"{NAME}.npz")
    except rb.InputError:
        return
    expected = read_results(true / f"{NAME}.npz")  # a bit that says nothing, such as a date
    for name, each in found.measured.items():
        assert all(map(np.array_equal, each.summary, expected.measured[name].summary))
        assert each[1:] == expected.measured[name][1:]
