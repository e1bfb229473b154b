"""A sweep: a YAML file of agents and parameters, read and checked whole, as a list of runs."""

import math
from dataclasses import dataclass
from functools import cache, partial
from itertools import product

from rb_core.bandit import RecoveringBandit
from rb_core.errors import MOST_ROUNDS, InputError, choice, number, whole
from rb_core.settings import SIMULATIONS
from rb_core.simulate import MOST_SIMS, check_problem
from rb_core.sweep import bandits
from rb_core.sweep.agents import Agents
from rb_core.sweep.texts import mapping, numeral, read, several, single

EXAMPLE = """\
# A sweep for `rb sweep`: every agent with every combination of the values in the grid.
base: small-bernoulli-discounted  # an experiment, from `rb list`; or a bandit of your own:
                                  #   {K: 6, s_max: 6, shape: peaked, reward: bernoulli}
                                  #   {table: rewards.csv, reward: normal, variance: 0.5}
agents: [SS-SARSA, 1RGP-TS]       # as in the figures; or yours, as "mymodule:MyAgent"
grid:                             # or  list: [{t0: 500, explore: 0.1}, ...]
  t0: [50, 500, 5000]
  explore: [0.05, 0.1, 0.2]
sims: 20
rounds: 10_000
# gamma: 0.999                    # of the evaluation, and of agents if the grid has no other
# seed: 0
"""

KEYS = ("base", "agents", "grid", "list", "sims", "rounds", "gamma", "seed")
MOST_RUNS = 10_000
MOST_ROWS = 1_000_000  # of the table: it is held in memory


@dataclass(frozen=True)
class Run:
    """One agent on one bandit; `values` are what the sweep's parameters are in it."""

    name: str
    agent: object
    bandit: RecoveringBandit
    rounds: int
    gamma: float  # of the evaluation
    values: tuple  # of (parameter, value) pairs; a parameter that does not apply is left out


@dataclass(frozen=True)
class Sweep:
    """What a sweep file asks for."""

    name: str
    text: str
    runs: tuple
    parameters: tuple
    sims: int
    seed: int


def read_sweep(path):
    """The sweep in the file at `path`; whatever is wrong with it is an InputError."""
    text, content = read(path)
    for key in content:
        choice(f"key in {path.name}", key, KEYS)
    if "base" not in content:
        raise InputError(f"{path.name} needs a base: an experiment or a bandit of your own.")
    seed = whole("seed", numeral("seed", content.get("seed", "0")), 0)
    sims = whole("sims", numeral("sims", content.get("sims", str(SIMULATIONS))), 1, MOST_SIMS)
    points = points_of(content)
    swept = tuple(dict.fromkeys(key for point in points for key in point if key != "agent"))
    base = bandits.base_fields(content["base"], swept)
    base |= {key: content[key] for key in ("rounds", "gamma") if key in content}
    folder = path.parent.resolve()
    agents = Agents(content, points, base["experiment"], folder)
    of_problem = {*bandits.PARAMETERS, "rounds"}
    for key in swept:
        choice("parameter", key, sorted(of_problem | agents.known))
        if key not in of_problem:
            agents.check_that_some_have(key)
    pairs = agents.with_points(points)
    check_size(len(pairs))
    # Kept for this call only: the tables behind the bandits may change.
    bandit_of = cache(partial(bandits.bandit_and_parameters, folder))
    # An agent that lacks a parameter is the same for all its values, and runs once.
    runs = dict.fromkeys(run_of(agents, *pair, base, swept, bandit_of) for pair in pairs)
    check_size(len(runs), sims)
    return Sweep(path.stem, text, tuple(runs), swept, sims, seed)


def points_of(content):
    """The combinations of values that are asked for, as they are written."""
    if "grid" in content and "list" in content:
        raise InputError("A sweep has a grid or a list, not both.")
    if "list" in content:
        points = [mapping("An item of the list", item) for item in several(content, "list")]
        for point in points:
            for key, value in point.items():
                single(key, value)
        return points
    grid = mapping("The grid", content.get("grid", {}))
    if "agent" in grid or "agents" in grid:
        raise InputError("Agents are no part of the grid: name them under agents.")
    axes = {key: several(grid, key) for key in grid}
    check_size(math.prod(map(len, axes.values())))
    return [dict(zip(axes, values, strict=True)) for values in product(*axes.values())]


def check_size(runs, sims=1):
    """Refuse what would not fit."""
    if runs > MOST_RUNS:
        raise InputError(f"A sweep has at most {MOST_RUNS:,} runs, and this one {runs:,}.")
    if runs * sims > MOST_ROWS:
        raise InputError(
            f"{runs:,} runs of {sims:,} simulations are more than the {MOST_ROWS:,} rows that a "
            f"table may have: make it several sweeps."
        )


def run_of(agents, name, point, base, swept, bandit_of):
    """The run of one agent at one point."""
    texts = {key: single(key, value) for key, value in point.items()}
    fields = base | texts
    if fields["rounds"] is None:
        raise InputError("rounds are needed, because the base is no experiment.")
    rounds = whole("rounds", numeral("rounds", fields["rounds"]), 2, MOST_ROUNDS)
    # The gamma of a point is an agent's own; the evaluation's is the same for all.
    gamma = 1 - 1 / rounds if base["gamma"] is None else numeral("gamma", base["gamma"])
    number("gamma", gamma, 0, 1, open_low=True)
    bandit, used = bandit_of(tuple(
        (key, fields[key]) for key in ("means", *bandits.PARAMETERS) if key in fields
    ))
    agent = agents.with_values(name, texts, gamma)
    check_problem(bandit, agent, rounds)
    used = {"rounds": rounds} | used | {
        key: getattr(agent, key) for key in agents.parameters(name)
    }
    values = tuple((key, used[key]) for key in swept if key in used)
    return Run(agents.labels[name], agent, bandit, rounds, gamma, values)
