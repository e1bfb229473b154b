"""Students' processes for the hundreds of questions of test_mistakes.py: begun from one, uncaged.

Time is the processor's alone, so that a busy machine fails nobody.
"""

import time
from functools import cache

from student import Student, Students


class PatientStudent(Student):
    def has_time_again(self):
        self.deadline = time.monotonic() + 3600


class QuickStudents(Students):
    """Like any other, but kept for the next hand-in."""

    student = PatientStudent

    def __exit__(self, *_):
        pass

    def new(self, turns=1):
        return self.student(self, turns)


@cache
def quick_students(limits):
    return QuickStudents(limits)
