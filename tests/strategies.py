"""Random bandits and agents for hypothesis."""

import dataclasses

from hypothesis import strategies as st

import rb_core as rb
from rb_core.lab.race import COMPETITORS

# Tenths make equal means, and so ties, likely.
TENTHS = st.integers(0, 10).map(lambda n: n / 10)
SHARES = TENTHS | st.floats(0, 1)
ANY_MEANS = st.integers(-10, 10).map(lambda n: n / 10) | st.floats(-1, 1)
SEEDS = st.integers(0, 2**64)


@st.composite
def tables(draw, numbers, arms, s_max):
    """Tables of at most `arms` x `s_max` numbers, of which some rows are often equal."""
    arms, s_max = draw(st.integers(1, arms)), draw(st.integers(1, s_max))
    row = st.lists(numbers, min_size=s_max, max_size=s_max)
    rows = draw(st.lists(row, min_size=1, max_size=arms))
    return rows + draw(
        st.lists(st.sampled_from(rows), min_size=arms - len(rows), max_size=arms - len(rows))
    )


def bandits(arms=5, s_max=5):
    """Bandits of both laws; normal ones have negative means, too."""
    bernoulli = st.builds(rb.RecoveringBandit, tables(SHARES, arms, s_max))
    normal = st.builds(
        rb.RecoveringBandit,
        tables(ANY_MEANS, arms, s_max),
        reward=st.just("normal"),
        variance=st.sampled_from([0.5, 0.01, 2.0]),
    )
    return bernoulli | normal


# Parameters of agents, by name; a parameter that is not here keeps its default.
PARAMETERS = {
    "gamma": st.sampled_from([1.0, 0.99999, 0.9]) | st.floats(0.01, 1),
    "t0": st.sampled_from([5000, 0, 1, 10.5]),
    "explore": st.sampled_from([0.0, 0.1, 0.37, 1.0]),
    "ties": st.sampled_from(["random", "first"]),
    "visits": st.sampled_from(["joint", "separated"]),
    "lookahead": st.integers(1, 3),
    "sigma": st.sampled_from([1.0, 0.5, 2.0]),
    "length_scale": st.sampled_from([2.5, 1.0, 0.3]),
    "refresh": st.sampled_from(["arm", "state"]),
    "samples": st.sampled_from(["shared", "fresh"]),
}


def agents_of(kind):
    names = {field.name for field in dataclasses.fields(kind)}
    return st.builds(kind, **{name: PARAMETERS[name] for name in sorted(names & set(PARAMETERS))})


def listed_agents(gamma):
    """The agents that the package lists, by name; of those with two names the first."""
    by_agent = {}
    for name, listed in rb.AGENTS.items():
        by_agent.setdefault(listed.make(gamma), name)
    return {name: agent for agent, name in by_agent.items()}


def measured_agents(gamma):
    """Those of them whose speed the book speaks of: published competitors are not among them."""
    return {name: agent for name, agent in listed_agents(gamma).items() if name not in COMPETITORS}


KINDS = {type(agent).__name__: type(agent) for agent in listed_agents(0.9).values()}
AGENTS = {name: agents_of(kind) for name, kind in KINDS.items()}
