"""Work that may go wrong in any way, in a process of its own: at worst that process ends."""

import multiprocessing
import os
import signal
import threading
from contextlib import contextmanager
from multiprocessing import forkserver
from multiprocessing.connection import wait
from pathlib import Path

MOST_MEMORY = 6 * 2**30  # of addresses; compiled code takes more of these than of memory
# Not by fork: a server with threads may call us.
PROCESSES = multiprocessing.get_context(
    "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn")
# What takes long to import, once for all processes: the grader itself, and what tests use.
PROCESSES.set_forkserver_preload(["grading", "matplotlib.pyplot", "rb_core.planning"])


class Ended(Exception):
    """The process gave no result; the text says why."""


class TimeUp(BaseException):
    """Not an Exception, so that nobody catches it by accident."""


def each(work, items, seconds, at_once=1):
    """For each item, in the order in which they end: (item, what `work` returned, or Ended)."""
    waiting, running = list(reversed(items)), {}
    _begin_server()
    try:
        while waiting or running:
            while waiting and len(running) < at_once:
                item = waiting.pop()
                ours, theirs = PROCESSES.Pipe(duplex=False)
                process = PROCESSES.Process(target=_child, args=(theirs, work, item, seconds))
                process.start()
                theirs.close()
                running[ours] = (item, process)
            for line in wait(list(running)):
                item, process = running.pop(line)
                yield item, _result(line, process)
    finally:
        for _, process in running.values():
            process.kill()


def call(work, item, seconds):
    """What `work` returns for one item; raises Ended."""
    ((_, result),) = each(work, [item], seconds)
    if isinstance(result, Ended):
        raise result
    return result


def _begin_server():
    """Start what other processes are copied from; only by a variable does it find our modules."""
    if PROCESSES.get_start_method() != "forkserver":
        return
    before = os.environ.get("PYTHONPATH")
    here = str(Path(__file__).parent)
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [here, before]))
    try:
        forkserver.ensure_running()
    finally:
        del os.environ["PYTHONPATH"]
        if before is not None:
            os.environ["PYTHONPATH"] = before


def _result(line, process):
    try:
        found = line.recv()
    except EOFError:
        found = None
    line.close()
    process.join()
    if found is None:
        return Ended(f"the grader's process for it ended (exit code {process.exitcode})")
    return found


def _child(line, work, item, seconds):
    """Within limits: the alarm ends this process, and with it those that it has started."""
    _limit_memory()
    if hasattr(signal, "alarm"):
        signal.alarm(seconds)
    try:
        result = work(item)
    except Exception as error:
        result = Ended(f"{type(error).__name__}: {error}"[:500])
    line.send(result)


def _limit_memory():
    try:
        import resource
    except ImportError:  # not on Windows
        return
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))


@contextmanager
def processor_time(seconds):
    """Raises TimeUp if what is done inside takes this process longer than that.

    The processor's time, not the clock's: a busy machine fails nobody, and to wait is no work.
    """
    if not hasattr(signal, "setitimer") or threading.current_thread() != threading.main_thread():
        yield
        return

    def stop(*_):
        raise TimeUp

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
