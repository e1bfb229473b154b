"""Agents of the paper taken apart: every doubtful part is a switch (chapters why and suspects).

They are tools for finding causes, not players for figures, and so no list of agents has them.
"""

from rb_core.workbench.slips import SlippedRGPTS
from rb_core.workbench.switches import Workbench

__all__ = ["SlippedRGPTS", "Workbench"]
