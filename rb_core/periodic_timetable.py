"""Purely periodic timetables, for means that are known: a published planner, to be held beside
`schedule`."""

import numpy as np

from rb_core.bandit import RecoveringBandit
from rb_core.periods import best_timetable, timetable_room
from rb_core.scheduling import PASSES, Schedule, followed, upper_bound


def periodic(bandit: RecoveringBandit) -> Schedule:
    """The best purely periodic timetable, after Simchi-Levi, Zheng and Zhu (2021).

    Every arm gets a period, or is left out, and no two arms are due in one round. Only abstracts of
    the paper could be read. What is ours, or known to differ:

    1. One arm is pulled a round, no fewer; there, up to K of N arms are. A round that belongs to no
       arm goes to the best one without a period at that moment.
    2. Means may be anything. There, they recover: they do not fall with the time since a pull.
    3. Periods are 1, 2, 4, ... times an odd number, and the best of these are found exactly
       (`rb_core/periods.py`).
    4. A timetable with free rounds is cut off after being played a hundred times, and repeated.

    Parameters
    ----------
    bandit : RecoveringBandit

    Returns
    -------
    Schedule

    Examples
    --------
    >>> import rb_core as rb
    >>> [arm for arm, _ in rb.periodic(rb.setting("6-hetero")).cycle]
    [0, 1, 2]
    """
    bound = upper_bound(bandit)
    room = timetable_room(bandit.arms, bandit.s_max)
    length = best_timetable(room, bandit.means)
    slots = room.slots[:length]
    slots = slots if (slots >= 0).all() else np.tile(slots, PASSES)
    return followed(bandit, room.period, slots, bound)
