"""The student's side of a test: a process to run cells in, and stand-ins for what they define.

Whatever that process says is taken as data, and only as an answer to what was asked.
"""

import json
import socket
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


class Students:
    """Processes for the questions of one hand-in, one after the other, in one cage."""

    def __init__(self, limits):
        self.limits, self.process, self.control = limits, None, None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.control.close()
            self.process = None

    def new(self, turns=1):
        return Student(self, turns)

    def begin(self, line, seconds):
        """Let a process begin that has the other end of a line."""
        for _ in range(2):  # a student's process may have ended or stopped what begins them
            if self.process is None:
                self._start()
            if self._said([str(seconds).encode()], [line.fileno()], patience=60) == "begun":
                return
            self.close()
        raise Failed("process died", "it could not be started")

    def end(self, word="end"):
        """End the process that was begun last; returns how it ended, or "" if that is unknown."""
        said = self._said([word.encode()], [], patience=5) if self.process is not None else ""
        if not said:
            self.close()
        return said

    def _start(self):
        kind = getattr(socket, "SOCK_SEQPACKET", socket.SOCK_STREAM)
        self.control, theirs = socket.socketpair(socket.AF_UNIX, kind)
        memory = str(int(self.limits.gigabytes * 2**30))
        folder = "/tmp" if self.limits.caged else ""
        command = [sys.executable, "-I", str(WORKER[0]), str(theirs.fileno()), memory, folder]
        with theirs:
            self.process = sandbox.start(command, WORKER, theirs, self.limits.caged)

    def _said(self, words, descriptors, patience):
        try:
            self.control.settimeout(patience)
            socket.send_fds(self.control, words, descriptors)
            return self.control.recv(100).decode()
        except OSError:
            return ""


class Student:
    """A process of its own that runs a student's code within limits."""

    def __init__(self, students, turns):
        self.students, self.limits = students, students.limits
        self.line, theirs = socket.socketpair()
        # Time on the clock is watched from here; the processor's, with some reserve, over there.
        with theirs:
            students.begin(theirs, turns * self.limits.seconds + 5)
        self.asked = 0
        self.stand_ins = {}
        self.has_time_again()

    def has_time_again(self):
        """From here on, all of the time that a question has."""
        self.deadline = time.monotonic() + self.limits.seconds

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.line.close()
        self.students.end()

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
            how = self.students.end("died") or "nobody knows how"
            raise Failed("process died", f"the process ended ({how})") from None
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
