"""The benchmark measures every agent that the package lists, in the form that readers expect."""

import json
import shutil

import pytest

from tests.bench import c_agents
from tests.bench.__main__ import RESULTS, code, show, speed
from tests.strategies import listed_agents


@pytest.mark.skipif(shutil.which("gcc") is None, reason="the benchmark needs the compiler gcc")
def test_every_listed_agent_is_measured(tmp_path, capsys):
    library = c_agents.load(tmp_path)
    del library["RandomPull"]  # as a new agent, of which there is none in C
    rows = list(speed("small", (3, 2), library, rounds=200, repeats=1))
    assert [row["agent"] for row in rows] == list(listed_agents(0.9))
    committed = json.loads(RESULTS.read_text())
    assert all(list(row) == list(committed["speed"][0]) for row in rows)
    for row in rows:
        assert (row["C"] is None) == (row["agent"] == "RandomPull")
        assert row["compiled"] > 0
    show({"speed": rows, "scaling": {}, "start": {}})
    assert capsys.readouterr().out.count("\n") == 2 + len(rows)


def test_what_was_measured_is_this_code():
    made = json.loads(RESULTS.read_text())["made"]
    assert made["rb_core"] == code(), "Out of date: run `make bench` on a quiet machine."
