"""The progress bar shows on a terminal, and only there."""

import os
import struct
import subprocess
import sys

import pytest

pty = pytest.importorskip("pty", reason="there are pseudo-terminals on POSIX systems only")
fcntl, termios = pytest.importorskip("fcntl"), pytest.importorskip("termios")

PROGRAM = """
import rb_core as rb
rb.simulate(rb.setting("small"), rb.RandomPull(), 1000, sims=40, progress={progress})
"""


def errors_on_a_terminal(environment, progress):
    """What the program writes to a standard error that is a terminal."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    program = [sys.executable, "-c", PROGRAM.format(progress=progress)]
    process = subprocess.Popen(program, env=environment, stderr=theirs)
    os.close(theirs)
    written = b""
    try:
        while part := os.read(ours, 4096):
            written += part
    except OSError:  # how Linux says that the other end is closed
        pass
    os.close(ours)
    assert process.wait() == 0
    return written.decode()


def test_a_bar_on_a_terminal(environment):
    assert "40/40" in errors_on_a_terminal(environment, progress=True)


def test_no_bar_unless_asked_for(environment):
    assert errors_on_a_terminal(environment, progress=False) == ""


def test_no_bar_into_a_file(tmp_path, environment):
    program = [sys.executable, "-c", PROGRAM.format(progress=True)]
    done = subprocess.run(program, env=environment, capture_output=True, check=True)
    assert done.stderr == b""
