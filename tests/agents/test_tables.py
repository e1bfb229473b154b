"""What an agent has learnt after a few hundred rounds, line by line against the plain witness.

Small enough to run without the compiler: who edits an agent sees a slip within seconds.
"""

import dataclasses

import pytest

import rb_core as rb
from tests.strategies import listed_agents
from tests.witness import assert_same_run, plain_run

BANDITS = {
    "bernoulli": rb.setting("6-hetero", "peaked"),
    # Fewer states than the longest lookahead has steps.
    "normal": rb.RecoveringBandit([[0.1, 0.9], [0.4, 0.3], [0.2, 0.7]], "normal", variance=0.3),
}
# With the paper's exploration all of so few rounds would explore, or none.
SHORT = {"explore": 0.5, "t0": 50}


def agents():
    for name, agent in listed_agents(0.9).items():
        yield name, agent
        fields = {field.name for field in dataclasses.fields(agent)}
        if fields >= set(SHORT):
            yield f"{name}, short", dataclasses.replace(agent, **SHORT)
            yield f"{name}, first of ties", dataclasses.replace(agent, **SHORT, ties="first")
    yield "3RGP-TS, to the letter", rb.RGPTS(3, sigma=0.5, refresh="state")
    yield "3RGP-UCB", rb.RGPUCB(3, sigma=0.8, length_scale=0.7)
    yield "2RGP-TS, fresh samples", rb.RGPTS(2, length_scale=0.7, samples="fresh")


AGENTS = dict(agents())


@pytest.mark.parametrize("law", BANDITS)
@pytest.mark.parametrize("name", AGENTS)
def test_an_agent_learns_the_tables_of_its_witness(name, law):
    assert_same_run(BANDITS[law], AGENTS[name], 300, seed=2, compiled=False)


@pytest.mark.parametrize("name", AGENTS)
def test_a_witness_learns_something(name):
    """Else two empty tables would agree."""
    bandit, agent = BANDITS["normal"], AGENTS[name]
    memory = rb.trace(bandit, agent, 300, compiled=False).memory
    tables = [table for _, table, _ in plain_run(bandit, agent, 300).memory.beside(memory)]
    assert bool(tables) == (agent != rb.RandomPull())
    assert all(table.any() for table in tables)
