"""Runs a student's code, cell by cell and call by call, as the grader on the other end asks.

This process may be told nothing that a student must not know: it holds no tests and no answers
but the student's own (and, after a failure, ours to the questions before).
Started by `student.py` as  python -I worker.py FILE_DESCRIPTOR BYTES_OF_MEMORY SECONDS.
"""

import json
import os
import socket
import sys
import traceback
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import wire

sys.path.pop(0)
CELL = "<answer>"


class NoCore:
    """Keeps rb_core out, where no sandbox hides it."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        if name.split(".")[0] == "rb_core":
            raise ImportError("rb_core is not available here: the task is to write it yourself")


class NoNotebook:
    """What `%magic` and `!command` lines become: nothing; but `%time` runs what it times."""

    def __init__(self, names):
        self.names = names

    def run_line_magic(self, magic, line, *_, **__):
        if magic in ("time", "timeit", "prun"):
            exec(compile(line, CELL, "exec"), self.names)

    def __getattr__(self, name):
        return lambda *_, **__: None


def main(descriptor, memory, seconds):
    limit(memory, seconds)
    sys.meta_path.insert(0, NoCore)
    silence = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(silence, stream)
    line = socket.socket(fileno=descriptor)
    names = {"__name__": "__main__", "display": lambda *_, **__: None}
    names["get_ipython"] = lambda: NoNotebook(names)
    while True:
        try:
            request = wire.loads(wire.receive(line), names)
        except EOFError:
            return
        try:
            said = {"value": wire.encoded(answered(request, names), {}.get)}
            reply = packed(request, said)
        except BaseException as error:  # sys.exit() in a cell, too, is only an error of that cell
            reply = packed(request, {"error": described(error)})
        wire.send(line, reply)


def packed(request, said):
    data = json.dumps({"number": request["number"], **said}).encode()
    if len(data) > wire.MOST_BYTES:
        raise wire.NotPlain("it is too large for an answer")
    return data


def answered(request, names):
    kind, what = request["do"], request["what"]
    if kind == "run":
        exec(compile(what, CELL, "exec"), names)
        return None
    if kind == "kind":
        if what not in names:
            return "missing"
        return "function" if callable(names[what]) else "value"
    if kind == "value":
        return names[what]
    return names[what](*request["args"], **request["options"])


def described(error):
    """The error's name and text, and the line of the cell in which it happened."""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__)
             if frame.filename == CELL]
    if isinstance(error, SyntaxError) and error.filename == CELL:
        lines = [error.lineno]
    try:
        text = str(error)[:500]
    except BaseException:
        text = ""
    return [type(error).__name__, text, lines[-1] if lines else None]


def limit(memory, seconds):
    try:
        import resource
    except ImportError:  # not on Windows
        return
    for kind, most in (
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_FSIZE, 10**7),  # times the files that may be open: what can lie in memory
        (resource.RLIMIT_NOFILE, 64),
        (resource.RLIMIT_NPROC, 1),  # no second process or thread, so that limits are in total
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(kind, (most, most))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
