"""The agents, one algorithm a file.

An agent is a frozen dataclass of parameters with a method `init(arms, s_max, rounds)`, which makes
the memory of one simulation: a NamedTuple of numbers and arrays with the methods

- `act(self, t, state, rng)`: the arm to pull in round `t`;
- `learn(self, t, state, arm, reward, next_state)`: what to make of the reward;
- `grow(self, t, rounds)`, only if its arrays must grow: a memory with room for more rounds.

Anything of this form runs in the compiled loop at full speed (chapter bring_your_own). A file
in this folder says under `LISTED` how its agents are called and drawn; `AGENTS` has them all.
"""

import importlib
import pkgutil

from rb_core.agents.periodic_ucb import PeriodicUCB
from rb_core.agents.plan_ucb import PlanUCB
from rb_core.agents.q_learning import QLearning
from rb_core.agents.random_pull import RandomPull
from rb_core.agents.rgp_ts import RGPTS
from rb_core.agents.rgp_ucb import RGPUCB
from rb_core.agents.sarsa import Sarsa
from rb_core.agents.shared.listing import Listed
from rb_core.agents.ss_sarsa import SSSarsa

__all__ = [
    "AGENTS", "RGPTS", "RGPUCB", "PeriodicUCB", "PlanUCB", "QLearning", "RandomPull", "SSSarsa",
    "Sarsa",
]  # fmt: skip


def _listed() -> dict[str, Listed]:
    modules = [importlib.import_module(f"{__name__}.{found.name}")
               for found in pkgutil.iter_modules(__path__) if not found.ispkg]
    return {each.name: each for module in modules for each in module.LISTED}


AGENTS = _listed()
