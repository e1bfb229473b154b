"""What the book's own agents are made of, for agents of your own.

Uniform-Explore-First, which SS-SARSA, SARSA and Q-learning share, and tables over the joint states
that are met.
"""

from rb_core.agents.shared.explore_first import (
    Explorer,
    check_parameters,
    counts_joint,
    grown_explorer,
    least_visited_arm,
    locate,
    pick_best,
    separated_sums,
    start_exploration,
)
from rb_core.agents.shared.joint_states import (
    JointStates,
    grown_rows,
    grown_table,
    joint_states,
    row_of,
    rows_needed,
)

__all__ = [
    "Explorer",
    "JointStates",
    "check_parameters",
    "counts_joint",
    "grown_explorer",
    "grown_rows",
    "grown_table",
    "joint_states",
    "least_visited_arm",
    "locate",
    "pick_best",
    "row_of",
    "rows_needed",
    "separated_sums",
    "start_exploration",
]
