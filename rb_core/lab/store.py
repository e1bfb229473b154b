"""Blocks on disk, named by what determines them, whole or not there."""

import hashlib
import io
from pathlib import Path

import numpy as np
import platformdirs

from rb_core.engine.blocks import Block, Maker, SignedBlock
from rb_core.engine.files import check_writable
from rb_core.engine.sealed import read_sealed, write_sealed


class Store:
    """A folder of blocks of simulations, which :func:`simulate` looks into and adds to.

    A block lies under a name that its content follows from: what was simulated, and the code and
    the versions that did it. It is written to a file of its own and then renamed: a reader sees all
    of it or nothing, and two processes that compute the same block write the same file. A damaged
    block counts as missing.

    Parameters
    ----------
    folder : path, optional
        By default the one in the user's cache, which the command line uses, too.

    Examples
    --------
    >>> import tempfile, rb_core as rb
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     once, again = (rb.simulate(rb.setting("small"), rb.RandomPull(), rounds=50, sims=2,
    ...                                store=rb.Store(folder)) for _ in range(2))
    >>> bool((once.cumulative == again.cumulative).all())
    True
    """

    def __init__(self, folder: str | Path | None = None):
        self.folder = Path(folder or platformdirs.user_cache_path("rb_core") / "blocks")
        check_writable(self.folder)

    def path(self, name: str) -> Path:
        """Where the block called `name` lives.

        Parameters
        ----------
        name : str
            Any text.

        Examples
        --------
        >>> import tempfile, rb_core as rb
        >>> rb.Store(tempfile.gettempdir()).path("mine").suffix
        '.block'
        """
        return self.folder / f"{hashlib.sha256(name.encode()).hexdigest()[:32]}.block"

    def __contains__(self, name: str) -> bool:
        """Whether there is something under that name; only :meth:`get` sees if it is damaged."""
        return self.path(name).exists()

    def get(self, name: str) -> SignedBlock | None:
        """A block, or None if it is missing or damaged.

        Parameters
        ----------
        name : str

        Examples
        --------
        >>> import tempfile, rb_core as rb
        >>> rb.Store(tempfile.gettempdir()).get("no such block") is None
        True
        """
        payload = read_sealed(self.path(name))
        if payload is None:
            return None
        with np.load(io.BytesIO(payload), allow_pickle=False) as arrays:
            if str(arrays["name"]) != name:
                return None
            block = Block(*(arrays[field] for field in Block._fields))
            return SignedBlock(block, Maker(*arrays["maker"].tolist()), float(arrays["seconds"]))

    def put(self, name: str, block: SignedBlock) -> None:
        """Keep a block under a name.

        Parameters
        ----------
        name : str
        block : SignedBlock
            With who computed it.

        Examples
        --------
        >>> import tempfile, rb_core as rb
        >>> from rb_core.engine.blocks import Job, signed_block
        >>> job = Job(rb.setting("small"), rb.RandomPull(), 50, 1.0, seed=0, first=0, count=1)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     rb.Store(folder).put("mine", signed_block(job))
        ...     "mine" in rb.Store(folder)
        True
        """
        payload = io.BytesIO()
        np.savez_compressed(payload, name=np.array(name), maker=np.array(block.maker),
                            seconds=np.array(block.seconds), **block.block._asdict())
        write_sealed(self.path(name), payload.getvalue())
