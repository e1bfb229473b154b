"""Tests of the course; its grader is no package, and is found in its folder."""

import sys

from tests.conftest import TOP

GRADER = TOP / "notebooks" / "assignments" / "grader"
sys.path.append(str(GRADER))
