"""A file of results is what was written, array by array, or it is refused."""

import numpy as np
import pytest

import rb_core as rb
from rb_core.engine.blocks import Maker
from rb_core.lab.results import expected_results, read_results, write_results
from rb_core.summary import Measured

MAKER = Maker("0123456789abcdef", "3.11", "2.0", "0.61")


def measured(level):
    regret = level + np.arange(4.0)
    summary = rb.Summary(np.array([1, 2]), np.outer(np.arange(5.0), [1, 2]), 9 - regret, 9 - regret,
                         regret, regret > level, [("A3 B3", 3), ("B1", 1)], regret / 2,
                         np.outer(regret, [0.5, 1]).astype(np.float32))
    return Measured(summary, MAKER, level + 0.5)


@pytest.fixture
def path(tmp_path):
    results = expected_results(rb.experiment("small-normal-discounted"), sims=4)
    results.measured |= {"SARSA": measured(3.0), "1RGP-TS": measured(5.0)}
    results.notes["command"] = "none"
    write_results(tmp_path / "kept.npz", results)
    return tmp_path / "kept.npz"


def rewritten(path, change):
    """The same file with other arrays: in good order, but for its digest."""
    with np.load(path) as file:
        arrays = dict(file)
    change(arrays)
    np.savez_compressed(path, **arrays)


def test_what_was_written_is_read(path):
    found = read_results(path)
    assert (found.experiment, found.simulations, found.seed) == ("small-normal-discounted", 4, 0)
    assert found.notes == {"command": "none"}
    assert list(found.measured) == ["SARSA", "1RGP-TS"]
    for name, level in (("SARSA", 3.0), ("1RGP-TS", 5.0)):
        expected = measured(level)
        assert found.measured[name][1:] == expected[1:]
        for one, other in zip(found.measured[name].summary, expected.summary, strict=True):
            np.testing.assert_array_equal(one, other)


def test_a_file_that_was_written_again_as_it_was_is_read(path):
    rewritten(path, lambda arrays: None)
    assert list(read_results(path).measured) == ["SARSA", "1RGP-TS"]


def other_number(arrays):
    arrays["SARSA/regret"] = arrays["SARSA/regret"] + 1e-9


def other_type(arrays):
    arrays["SARSA/optimal"] = arrays["SARSA/optimal"].astype(np.int8)


def other_shape(arrays):
    arrays["SARSA/quantiles"] = arrays["SARSA/quantiles"].reshape(2, 5)


def other_agent(arrays):
    arrays["SARSA/total"], arrays["1RGP-TS/total"] = arrays["1RGP-TS/total"], arrays["SARSA/total"]


def one_less(arrays):
    del arrays["SARSA/curves"]


@pytest.mark.parametrize("change", [other_number, other_type, other_shape, other_agent, one_less])
def test_an_array_that_was_exchanged_is_seen(path, change):
    rewritten(path, change)
    with pytest.raises(rb.InputError, match="damaged"):
        read_results(path)


def test_arrays_that_nothing_is_said_about_are_refused(path, monkeypatch):
    monkeypatch.setattr("rb_core.lab.results._digest", lambda arrays: "the same for all")
    results = expected_results(rb.experiment("small-normal-discounted"), sims=4)
    results.measured["SARSA"] = measured(3.0)
    write_results(path, results)
    assert list(read_results(path).measured) == ["SARSA"]
    rewritten(path, lambda arrays: arrays.update({"nobody/regret": np.zeros(4)}))
    with pytest.raises(rb.InputError, match="damaged"):
        read_results(path)
