"""Runs a student's code, cell by cell and call by call, as the grader on the other end asks.

This process may be told nothing that a student must not know: it holds no tests and no answers
but the student's own (and, after a failure, ours to the questions before). Each question gets a
copy of a process that has loaded NumPy: to begin anew takes longer than most answers.
Started by `student.py` as  python -I worker.py FILE_DESCRIPTOR BYTES_OF_MEMORY FOLDER_TO_EMPTY.
"""

import ctypes
import json
import os
import signal
import socket
import sys
import time
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


def main(descriptor, memory, folder):
    """Begin and end copies, as the grader asks."""
    line, copy = socket.socket(fileno=int(descriptor)), None
    limit("AS", int(memory))
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(4, 0)  # PR_SET_DUMPABLE: copies cannot look into each other or here
    while True:
        word, descriptors, *_ = socket.recv_fds(line, 100, 1)
        if not word:
            return
        if not descriptors:
            line.send(ended(copy, word == b"died").encode())
            emptied(folder)
            continue
        copy = os.fork()
        if copy == 0:
            line.close()
            serve(descriptors[0], int(word))
            os._exit(0)
        os.close(descriptors[0])
        line.send(b"begun")


def ended(copy, has_died):
    """End a copy; returns how it ended by itself, if it did."""
    for _ in range(500 if has_died else 1):  # its line may be closed a little before it is gone
        number, status = os.waitpid(copy, os.WNOHANG)
        if number:
            code = os.waitstatus_to_exitcode(status)
            return f"signal {-code}" if code < 0 else f"exit code {code}"
        time.sleep(0.01 if has_died else 0)
    os.kill(copy, signal.SIGKILL)
    os.waitpid(copy, 0)
    return "it closed its line to the grader"


def emptied(folder):
    """What one question has written is not there for the next."""
    if folder:
        remove_below(folder, os.lstat(folder).st_dev)


def remove_below(folder, device):
    """Not what is mounted there: Python itself may be, and to walk through it takes long."""
    for entry in os.scandir(folder):
        try:
            if entry.stat(follow_symlinks=False).st_dev != device:
                continue
            if entry.is_dir(follow_symlinks=False):
                remove_below(entry.path, device)
                os.rmdir(entry.path)
            else:
                os.unlink(entry.path)
        except OSError:
            pass  # such as a folder above Python's, which is not empty


def serve(descriptor, seconds):
    """Answer requests until the line is closed."""
    limit("CPU", seconds)
    limit("FSIZE", 10**7)  # times the files that may be open: what can lie in memory
    limit("NOFILE", 64)
    limit("NPROC", 1)  # no second process or thread, so that limits are in total
    limit("CORE", 0)
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


def limit(what, most):
    try:
        import resource
    except ImportError:  # not on Windows
        return
    resource.setrlimit(getattr(resource, f"RLIMIT_{what}"), (most, most))


if __name__ == "__main__":
    main(*sys.argv[1:])
