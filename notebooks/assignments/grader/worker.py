"""Runs a student's code, cell by cell and call by call, as the grader on the other end asks.

This process may be told nothing that a student must not know: it holds no tests and no answers
but the student's own (and, after a failure, ours to the questions before).
Started by `student.py` as  python -I worker.py FILE_DESCRIPTOR BYTES_OF_MEMORY SECONDS.
"""

import os
import sys
import traceback
from multiprocessing.connection import Connection
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import plain

sys.path.pop(0)
CELL = "<answer>"


class NoCore:
    """Keeps rb_core out, where no sandbox hides it."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        if name.split(".")[0] == "rb_core":
            raise ImportError("rb_core is not available here: the task is to write it yourself")


class NoNotebook:
    """What `%magic` and `!command` lines become: nothing happens."""

    def __getattr__(self, name):
        return lambda *_, **__: None


def main(descriptor, memory, seconds):
    limit(memory, seconds)
    sys.meta_path.insert(0, NoCore)
    silence = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(silence, stream)
    pipe = Connection(descriptor)
    names = {"__name__": "__main__", "get_ipython": NoNotebook, "display": lambda *_, **__: None}
    while True:
        try:
            request = plain.loads(pipe.recv_bytes(), names)
        except EOFError:
            return
        try:
            reply = plain.dumps({"value": answered(request, names)})
        except BaseException as error:  # sys.exit() in a cell, too, is only an error of that cell
            reply = plain.dumps({"error": described(error)})
        pipe.send_bytes(reply)


def answered(request, names):
    kind, what = request["do"], request["what"]
    if kind == "run":
        exec(compile(what, CELL, "exec"), names)
        return None
    if kind == "kinds":
        return {name: callable(names[name]) for name in what if name in names}
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
        (resource.RLIMIT_FSIZE, 10**8),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(kind, (most, most))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
