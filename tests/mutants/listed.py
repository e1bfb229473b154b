"""All mutants, and where the outcome of the last run is kept."""

from pathlib import Path

import rb_core as rb
from rb_core.engine.blocks import maker_of
from tests.mutants import (
    of_agents,
    of_engine,
    of_lab,
    of_planners,
    of_science,
    of_workbench,
)

TOP = Path(__file__).parents[2]
RESULTS = TOP / "notebooks" / "results" / "mutants.json"
MUTANTS = (*of_agents.MUTANTS, *of_engine.MUTANTS, *of_science.MUTANTS, *of_planners.MUTANTS,
           *of_lab.MUTANTS, *of_workbench.MUTANTS)


def stamps() -> dict[str, str]:
    """The code of every agent that the package lists, the loop included."""
    return {name: maker_of(type(listed.make(0.9))).code for name, listed in rb.AGENTS.items()}
