"""Where simulations run: threads of this process, or the workers of a Dask cluster.

Dask has the scheduler, the queue, the retries and the transport; here is only the check that all
workers have the same code, without which their numbers could not be put together.
"""

from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import contextmanager

from rb_core.errors import InputError
from rb_core.reproduce import CORE
from rb_core.sources import modules_of

RETRIES = 3  # of a block whose worker died
PATIENCE = 10  # seconds for a scheduler to answer


@contextmanager
def executor(workers, scheduler=None, agents=()):
    """Something to submit simulations to; `scheduler` is the address of a Dask scheduler.

    Modules of the user's own `agents` are sent to its workers, packages must be installed there.
    """
    if scheduler is None:
        with ThreadPoolExecutor(workers) as threads:
            yield threads
        return
    try:
        from distributed import Client
        from distributed.comm import CommClosedError
    except ImportError:
        raise InputError('--scheduler needs Dask: pip install "rb-core[cluster]".') from None
    try:
        client = Client(scheduler, timeout=PATIENCE)
    except (OSError, ValueError, TypeError) as error:
        raise InputError(f"No Dask scheduler answers at {scheduler!r}.") from error
    with client:
        check_workers(client)
        for file in sorted({file for agent in agents for file in modules_of(type(agent))}):
            client.upload_file(str(file))
        try:
            yield client.get_executor(pure=False, retries=RETRIES)
        except (CancelledError, CommClosedError) as error:
            raise InputError(
                f"The scheduler at {scheduler!r} is gone; finished blocks are kept, and the same "
                f"command goes on from there."
            ) from error


def check_workers(client):
    """Refuse to go on unless there are workers, and all of them have this version of rb_core."""
    try:
        found = client.run(core_of_worker)
    except Exception as error:  # whatever a worker says that cannot import rb_core
        raise InputError(f"A worker cannot load rb_core: {error}.") from error
    if not found:
        raise InputError("The scheduler has no workers yet: start some with `dask worker`.")
    others = sorted({core for core in found.values() if core != CORE})
    if others:
        raise InputError(
            f"Workers have another version of rb_core (core {', '.join(others)}, here {CORE}): "
            f"install the same one everywhere."
        )


def core_of_worker():
    """The name of the code that a worker's numbers depend on."""
    from rb_core import reproduce

    return reproduce.CORE
