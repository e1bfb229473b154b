"""Recovering bandits: the problem, the paper's agents, exact optima and fast simulation.

Each name is loaded when it is first used: `import rb_core` takes no time, reads no other file and
writes none.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rb_core import building_blocks, figures, workbench
    from rb_core.agents import (
        AGENTS,
        RGPTS,
        RGPUCB,
        PeriodicUCB,
        PlanUCB,
        QLearning,
        RandomPull,
        Sarsa,
        SSSarsa,
    )
    from rb_core.bandit import RecoveringBandit
    from rb_core.by_hand import play
    from rb_core.checks import InputError, choice, number, whole
    from rb_core.conformance import check_agent
    from rb_core.engine.compiled import inlined
    from rb_core.engine.streams import stream
    from rb_core.evaluation import Experiment, experiment, experiments
    from rb_core.families import family
    from rb_core.gluing import glue
    from rb_core.interleaving import interleaved
    from rb_core.lab.cost import core_seconds, tier_seconds
    from rb_core.lab.executors import executor
    from rb_core.lab.notebooks import run_notebook
    from rb_core.lab.race import SUITES, Race, race
    from rb_core.lab.reproduce import reproduce
    from rb_core.lab.results import results
    from rb_core.lab.run import run, table
    from rb_core.lab.store import Store
    from rb_core.lab.sweep import read_sweep, sweep
    from rb_core.lab.sweep.table import SweepTable, read_swept
    from rb_core.lab.verify import Verified, verify
    from rb_core.metrics import (
        Comparison,
        Estimate,
        bootstrap,
        compare_paired,
        compare_rates,
        compare_unpaired,
        is_optimal,
        is_strictly_optimal,
        mean_interval,
        optimal_rate,
        regret,
        strictly_optimal_rate,
        tail_regret,
        wilson,
    )
    from rb_core.periodic_timetable import periodic
    from rb_core.planning import Optimum, QStar, optimum, q_star
    from rb_core.player import Player
    from rb_core.problem import Problem, paper_gamma
    from rb_core.reachable import reachable_states
    from rb_core.scheduling import Schedule, schedule, upper_bound
    from rb_core.settings import setting
    from rb_core.simulation import Runs, Trace, simulate, states_along, trace
    from rb_core.summary import Summary, kind_letters, summarise

__version__ = "2.1.0"

HOMES = {
    "agents": (
        "AGENTS", "RGPTS", "RGPUCB", "PeriodicUCB", "PlanUCB", "QLearning", "RandomPull",
        "SSSarsa", "Sarsa",
    ),
    "bandit": ("RecoveringBandit",),
    "by_hand": ("play",),
    "conformance": ("check_agent",),
    "engine.compiled": ("inlined",),
    "engine.streams": ("stream",),
    "checks": ("InputError", "choice", "number", "whole"),
    "evaluation": ("Experiment", "experiment", "experiments"),
    "families": ("family",),
    "gluing": ("glue",),
    "interleaving": ("interleaved",),
    "lab.cost": ("core_seconds", "tier_seconds"),
    "lab.executors": ("executor",),
    "lab.notebooks": ("run_notebook",),
    "lab.race": ("SUITES", "Race", "race"),
    "lab.reproduce": ("reproduce",),
    "lab.results": ("results",),
    "lab.run": ("run", "table"),
    "lab.store": ("Store",),
    "lab.sweep": ("read_sweep", "sweep"),
    "lab.sweep.table": ("SweepTable", "read_swept"),
    "lab.verify": ("Verified", "verify"),
    "metrics": (
        "Comparison", "Estimate", "bootstrap", "compare_paired", "compare_rates",
        "compare_unpaired", "is_optimal", "is_strictly_optimal", "mean_interval", "optimal_rate",
        "regret", "strictly_optimal_rate", "tail_regret", "wilson",
    ),
    "periodic_timetable": ("periodic",),
    "planning": ("Optimum", "QStar", "optimum", "q_star"),
    "player": ("Player",),
    "problem": ("Problem", "paper_gamma"),
    "reachable": ("reachable_states",),
    "scheduling": ("Schedule", "schedule", "upper_bound"),
    "settings": ("setting",),
    "simulation": ("Runs", "Trace", "simulate", "states_along", "trace"),
    "summary": ("Summary", "kind_letters", "summarise"),
}  # fmt: skip
MODULES = ("building_blocks", "figures", "workbench")
__all__ = sorted(name for names in HOMES.values() for name in names)


def __getattr__(name: str) -> Any:
    if name in MODULES:
        return importlib.import_module(f"rb_core.{name}")
    for home, names in HOMES.items():
        if name in names:
            value = getattr(importlib.import_module(f"rb_core.{home}"), name)
            globals()[name] = value
            return value
    raise AttributeError(f"module 'rb_core' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, *MODULES]
