"""The student's side of a test: a process to run cells in, and stand-ins for what they define.

Whatever that process says is taken as data, and only as an answer to what was asked.
"""

import json
import socket
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import sandbox
import wire

WORKER = [Path(__file__).with_name("worker.py"), Path(__file__).with_name("wire.py")]


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

    def __init__(self, limits, turns=1):
        if limits.caged and not sandbox.available():
            raise sandbox.NoSandbox
        self.limits = limits
        self.line, theirs = socket.socketpair()
        memory = str(int(limits.gigabytes * 2**30))
        # Time on the clock is watched from here; the processor's, with some reserve, over there.
        command = [sys.executable, "-I", str(WORKER[0]), str(theirs.fileno()), memory,
                   str(turns * limits.seconds + 5)]
        with theirs:
            self.process = sandbox.start(command, WORKER, theirs, limits.caged)
        self.asked = 0
        self.stand_ins = {}
        self.has_time_again()

    def has_time_again(self):
        """From here on, all of the time that a question has."""
        self.deadline = time.monotonic() + self.limits.seconds

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.line.close()

    def ask(self, do, what, args=(), options=None):
        """The other side's answer, as plain data; Failed if there is none."""
        self.asked += 1
        request = {"number": self.asked, "do": do, "what": what, "args": list(args),
                   "options": options or {}}
        try:
            self.line.settimeout(max(0.001, self.deadline - time.monotonic()))
            wire.send(self.line, wire.dumps(request, self._name_of))
            reply = json.loads(wire.receive(self.line, wire.MOST_BYTES, self.deadline))
            error, value = self._taken_apart(reply)
        except TimeoutError:
            text = f"not finished after {self.limits.seconds} seconds"
            raise Failed("time limit", text) from None
        except (EOFError, OSError):
            raise Failed("process died", f"the process ended ({self._ending()})") from None
        except Exception as problem:  # whatever can be wrong with what comes from outside
            text = f"the answer cannot be read: {type(problem).__name__}: {problem}"
            raise Failed("error", text) from None
        if error is not None:
            name, text, where = error
            where = f" (line {where} of your cell)" if where else ""
            if name == "NotImplementedError":
                text = ("the line `raise NotImplementedError` was reached. An answer stands in its "
                        "place; if yours does, is it in the cell that was meant for it?")
            raise Failed(STATUS.get(name, "error"), f"{name}: {text}{where}")
        return value

    def _taken_apart(self, reply):
        """A reply's error and value, of which one is None."""
        if type(reply) is not dict or reply.get("number") != self.asked:
            raise wire.Malformed("it is no reply to what was asked")
        if "error" not in reply:
            return None, wire.decoded(reply["value"])
        name, text, where = reply["error"]
        if not (type(name) is type(text) is str and type(where) in (int, type(None))):
            raise wire.Malformed("an error without a name or text")
        return (name[:100], text[:500], where), None

    def names(self, wanted):
        """Of the `wanted` names, those there are: values, and stand-ins for functions."""
        found = {}
        for name in sorted(wanted):
            kind = self.ask("kind", name)
            if kind == "function":
                found[name] = self._stand_in(name)
            elif kind == "value":
                found[name] = self.ask("value", name)
            elif kind != "missing":
                raise Failed("error", f"what {name} is cannot be read")
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
