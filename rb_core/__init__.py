"""Recovering bandits: the problem, the paper's agents, exact optima and fast simulation."""

from rb_core.agents import RGPTS, QLearning, RandomPull, Sarsa, SSSarsa
from rb_core.bandit import RecoveringBandit
from rb_core.conformance import check_agent
from rb_core.errors import InputError
from rb_core.metrics import (
    Comparison,
    Estimate,
    bootstrap,
    compare,
    difference,
    is_optimal,
    optimal_rate,
    regret,
    wilson,
)
from rb_core.planning import Optimum, QStar, optimum, q_star
from rb_core.reachable import reachable_states
from rb_core.reproduce import results
from rb_core.settings import Experiment, experiment, experiments, setting
from rb_core.simulate import Runs, Trace, simulate, states_along, trace
from rb_core.summary import Summary, summarise

__version__ = "0.1.0"

__all__ = [
    "RGPTS",
    "Comparison",
    "Estimate",
    "Experiment",
    "InputError",
    "Optimum",
    "QLearning",
    "QStar",
    "RandomPull",
    "RecoveringBandit",
    "Runs",
    "SSSarsa",
    "Sarsa",
    "Summary",
    "Trace",
    "bootstrap",
    "check_agent",
    "compare",
    "difference",
    "experiment",
    "experiments",
    "is_optimal",
    "optimal_rate",
    "optimum",
    "q_star",
    "reachable_states",
    "regret",
    "results",
    "setting",
    "simulate",
    "states_along",
    "summarise",
    "trace",
    "wilson",
]
