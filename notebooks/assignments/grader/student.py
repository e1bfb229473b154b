"""The student's side of a test: a process to run cells in, and stand-ins for what they define."""

import subprocess
import sys
import time
from dataclasses import dataclass
from multiprocessing import Pipe
from pathlib import Path

import plain
import sandbox

WORKER = [Path(__file__).with_name("worker.py"), Path(__file__).with_name("plain.py")]
MOST_BYTES = 50_000_000  # of one reply


@dataclass(frozen=True)
class Limits:
    """What one question may use."""

    seconds: int = 20
    gigabytes: float = 1.0
    caged: bool = True


class Failed(Exception):
    """The student's code did not give an answer; `status` is how the grade list calls it."""

    def __init__(self, status, message):
        super().__init__(message)
        self.status = status


FATAL = {"time limit", "process died"}
STATUS = {"SyntaxError": "syntax error", "IndentationError": "syntax error",
          "TabError": "syntax error", "MemoryError": "out of memory",
          "NotImplementedError": "not answered"}


class Student:
    """A process of its own that runs a student's code within limits."""

    def __init__(self, limits):
        if limits.caged and not sandbox.available():
            raise sandbox.NoSandbox
        self.limits = limits
        self.pipe, theirs = Pipe()
        memory = str(int(limits.gigabytes * 2**30))
        # Time on the clock is watched from here; the processor's, with some reserve, over there.
        command = [sys.executable, "-I", str(WORKER[0]), str(theirs.fileno()), memory,
                   str(limits.seconds + 5)]
        surroundings = sandbox.environment()
        self.process = subprocess.Popen(
            sandbox.caged(command, WORKER) if limits.caged else command,
            pass_fds=[theirs.fileno()], env=surroundings, start_new_session=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        theirs.close()
        self.deadline = time.monotonic() + limits.seconds
        self.stand_ins = {}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.pipe.close()

    def ask(self, do, what, args=(), options=None):
        """The other side's answer, as plain data; Failed if there is none."""
        request = {"do": do, "what": what, "args": list(args), "options": options or {}}
        try:
            self.pipe.send_bytes(plain.dumps(request, self._name_of))
            if not self.pipe.poll(max(0.0, self.deadline - time.monotonic())):
                raise Failed("time limit", f"not finished after {self.limits.seconds} seconds")
            reply = plain.loads(self.pipe.recv_bytes(MOST_BYTES))
            error, value = reply.get("error"), reply.get("value")
        except (EOFError, OSError):
            raise Failed("process died", f"the process ended ({self._ending()})") from None
        except (ValueError, KeyError, TypeError, RecursionError) as problem:
            raise Failed("error", f"the answer cannot be read: {problem}") from None
        if error is not None:
            name, text, line = (*error, None, None, None)[:3]
            where = f" (line {line} of your cell)" if line else ""
            raise Failed(STATUS.get(name, "error"), f"{name}: {text}{where}")
        return value

    def names(self, wanted):
        """Of the `wanted` names, those there are: values, and stand-ins for functions."""
        found = {}
        for name, is_function in self.ask("kinds", sorted(wanted)).items():
            found[name] = self._stand_in(name) if is_function else self.ask("value", name)
        return found

    def _stand_in(self, name):
        def call(*args, **options):
            return self.ask("call", name, args, options)

        call.__name__ = name
        self.stand_ins[call] = name
        return call

    def _name_of(self, function):
        return self.stand_ins.get(function, getattr(function, "__name__", None))

    def _ending(self):
        try:
            code = self.process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            return "it closed its line to the grader"
        # -9, or 137 where a shell or the cage reports it
        return f"signal {-code}" if code < 0 else f"exit code {code}"
