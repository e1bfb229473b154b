"""A student's process for the hundreds of questions of test_mistakes.py, without a cage.

To start Python and load NumPy takes longer than most answers: here that is done once. Time is the
processor's alone, so that a busy machine fails nobody.
"""

import os
import signal
import socket
import subprocess
import sys
import time
from functools import cache
from pathlib import Path

import sandbox
from student import Student

from tests.course import GRADER


@cache
def line_to_the_warm_worker():
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    script = Path(__file__).with_name("warm_worker.py")
    subprocess.Popen(  # ends when this process does, and its end of the line with it
        [sys.executable, "-I", str(script), str(GRADER), str(theirs.fileno())],
        pass_fds=[theirs.fileno()], env=sandbox.environment(), stdin=subprocess.DEVNULL,
    )
    theirs.close()
    return ours


class Copy:
    """A copy of the warm worker, as far as `Student` needs to know a process."""

    def __init__(self, descriptor, memory, seconds):
        line = line_to_the_warm_worker()
        socket.send_fds(line, [f"{memory} {seconds}".encode()], [descriptor])
        self.number = int(line.recv(100))

    def kill(self):
        os.kill(self.number, signal.SIGKILL)

    def wait(self, timeout=None):
        return 0


class QuickStudent(Student):
    """Like any student, but a copy of the warm worker."""

    def __init__(self, limits, turns=1):
        self.limits = limits
        self.line, theirs = socket.socketpair()
        with theirs:
            memory = int(limits.gigabytes * 2**30)
            self.process = Copy(theirs.fileno(), memory, turns * limits.seconds)
        self.asked, self.stand_ins = 0, {}
        self.has_time_again()

    def has_time_again(self):
        self.deadline = time.monotonic() + 3600
