"""Where simulations run: threads of this process, or the workers of a Dask cluster.

Dask has the scheduler, the queue, the retries and the transport. Here is what it lacks: sending a
user's own modules to all workers, also to those that join later, and saying when nobody works. That
all workers have the same code is checked with every block that comes back.
"""

import contextlib
import logging
import pickle
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError, Executor, Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

from rb_core.checks import InputError
from rb_core.engine.blocks import maker_of
from rb_core.engine.stamp import followed

RETRIES = 3  # of a block whose worker died
PATIENCE = 10  # seconds for a scheduler to answer, and between two looks at the workers


@contextlib.contextmanager
def executor(
    workers: int, scheduler: str | None = None, agents: Iterable[object] = ()
) -> Iterator[Executor]:
    """Something to submit simulations to; `scheduler` is the address of a Dask scheduler.

    Parameters
    ----------
    workers : int
        Threads, if there is no scheduler.
    scheduler : str, optional
    agents : agents with their parameters
        Modules of the user's own that they are made of are sent to the scheduler's workers;
        packages must be installed there.

    Examples
    --------
    >>> import rb_core as rb
    >>> with rb.executor(workers=2) as executor:
    ...     runs = rb.simulate(rb.setting("small"), rb.RandomPull(), 50, 4, executor=executor)
    """
    if scheduler is None:
        with ThreadPoolExecutor(workers) as threads:
            yield threads
        return
    try:
        from distributed import Client
        from distributed.comm import CommClosedError
    except ImportError:
        raise InputError('A scheduler needs Dask: pip install "rb-core[cluster]".') from None
    for name in list(logging.root.manager.loggerDict):
        if name.startswith("distributed"):
            logging.getLogger(name).setLevel(logging.CRITICAL)  # what matters is said here
    try:
        client = Client(scheduler, timeout=PATIENCE)
    except (OSError, ValueError, TypeError) as error:
        raise InputError(f"No Dask scheduler answers at {scheduler!r}.") from error
    with client, watched(client):
        if not client.scheduler_info()["workers"]:
            raise InputError("The scheduler has no workers yet: start some with `dask worker`.")
        send_modules(client, agents)
        try:
            yield Pickling(client.get_executor(pure=False, retries=RETRIES))
        except (CancelledError, CommClosedError) as error:
            raise InputError(
                f"The scheduler at {scheduler!r} is gone; finished blocks are kept, and the same "
                f"command goes on from there."
            ) from error
        except ImportError as error:
            raise InputError(f"A worker cannot load rb_core, or your agent: {error}.") from error


class Pickling(Executor):
    """Hands tasks on as bytes, so that a Dask scheduler need not know a user's own modules."""

    def __init__(self, inner: Executor):
        self.inner = inner

    def submit(  # type: ignore[override]
        self, function: Callable, /, *arguments: object
    ) -> Future:
        """As any executor; keyword arguments are not needed here."""
        return self.inner.submit(call_pickled, pickle.dumps((function, arguments)))


def call_pickled(content: bytes) -> Any:
    """What a worker does."""
    function, arguments = pickle.loads(content)
    return function(*arguments)


@contextlib.contextmanager
def watched(
    client: Any, say: Callable[[str], object] = lambda text: print(text, file=sys.stderr)
) -> Iterator[None]:
    """Says, meanwhile, when no worker works, or some do not; silence would look like work."""
    over = threading.Event()

    def watch() -> None:
        said = ""
        while not over.wait(PATIENCE):
            with contextlib.suppress(Exception):  # that a scheduler is gone is said elsewhere
                now = trouble(client.scheduler_info()["workers"].values())
                if now and now != said:
                    say(f"rb: {now}")
                said = now

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()


def trouble(workers: Iterable[dict]) -> str:
    """What is wrong with the workers of a scheduler, in a sentence; nothing if all work."""
    states = [worker["status"] for worker in workers]
    idle = [state for state in states if state != "running"]
    if not states:
        return "all workers are gone; the run goes on when some come back (Ctrl-C ends it)."
    if idle:
        return f"{len(idle)} of {len(states)} workers do not work now ({', '.join(sorted(idle))})."
    return ""


def send_modules(client: Any, agents: Iterable[object]) -> None:
    """Give all workers, now and later, the user's own modules that `agents` are made of."""
    texts = {}
    for agent in agents:
        for name in user_modules(type(agent)):
            texts[name] = Path(sys.modules[name].__file__ or "").read_text(encoding="utf-8")
        maker_of(type(agent))  # which refuses a file that was edited since it was loaded
    if texts:
        from rb_core.lab.worker_plugin import UserModules

        client.register_plugin(UserModules(texts))


def user_modules(kind: type) -> list[str]:
    """The modules of the user's own that a class is made of: its own, and what that imports."""
    found: list[str] = []
    todo = [kind.__module__]
    while todo:
        name = todo.pop()
        module = sys.modules.get(name)
        ours = name.partition(".")[0] == "rb_core"
        if name in found or ours or not getattr(module, "__file__", None) or not followed(name, ()):
            continue
        found.append(name)
        for value in vars(module).values():
            todo.append(str(getattr(value, "__module__", None) or getattr(value, "__name__", "")))
    return found
