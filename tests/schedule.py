"""Which tests stay together when several processes share them: those that need something costly.

By their names, which is all that the process that shares them out knows. (xdist's own marks for
this, xdist_group, do nothing with pytest 9.2.)
"""

import re

from xdist.scheduler import LoadScopeScheduling

# The process that has built the book also reads it in its browser.
WITH_THE_BOOK = re.compile(
    r"tests/book/test_(book|downloads|figures_to_touch|layout|pdf|search|secrets|visits)\.py")
# A graded class, a day at a hub; hand-ins for one assignment, which begin alike; one notebook.
TOGETHER = [
    re.compile(r"(tests/course/test_(?:grading|hub|strange_hand_ins)\.py)"),
    re.compile(r"tests/course/test_mistakes\.py::.*\[(\w+)"),
    re.compile(r"(.*\.ipynb)::"),
]


def group(name):
    """What a test shares its process with, by the test's name; nothing but itself in most cases."""
    if WITH_THE_BOOK.match(name):
        return "book"
    found = (pattern.match(name) for pattern in TOGETHER)
    return next((match[1] for match in found if match), name)


class Schedule(LoadScopeScheduling):
    """Hands out one group after the other, in the order of the files."""

    def _split_scope(self, nodeid):
        return group(nodeid)
