"""Compiles a C file beside this one against NumPy's random numbers, and loads it."""

import ctypes
import hashlib
import os
import re
import shutil
import subprocess
import sysconfig
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
FLAGS = ["-O3", "-march=native", "-ffp-contract=off", "-fno-math-errno", "-std=c11", "-fPIC",
         "-shared", "-Wl,-Bsymbolic"]


def load(name, build_dir, *flags):
    """The library made from the file `name`, with more flags; it is kept in `build_dir`."""
    return ctypes.CDLL(str(compiled(HERE / name, build_dir, *flags)))


def compiled(source, build_dir, *flags):
    """The shared library; its name carries a hash of what went in, so it is rebuilt as needed."""
    gcc = shutil.which("gcc")
    if gcc is None:
        raise RuntimeError("The C comparison needs the compiler gcc, which was not found.")
    numpy_dir = Path(np.__file__).parent
    command = [
        gcc, *FLAGS, *flags, f"-I{np.get_include()}", f"-I{sysconfig.get_path('include')}",
        str(source), str(numpy_dir / "random" / "lib" / "libnpyrandom.a"), "-lm",
    ]
    included = [HERE / name for name in re.findall(r'#include "(.+)"', source.read_text())]
    text = "".join(path.read_text() for path in (source, *included))
    recipe = text + " ".join(command) + np.__version__
    name = f"{source.stem}-{hashlib.sha256(recipe.encode()).hexdigest()[:16]}.so"
    library = Path(build_dir).resolve() / name
    if not library.exists():
        library.parent.mkdir(parents=True, exist_ok=True)
        unfinished = library.with_suffix(f".{os.getpid()}")
        done = subprocess.run([*command, "-o", str(unfinished)], capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"gcc could not compile {source.name}:\n{done.stderr}")
        unfinished.replace(library)  # at once: another process may be waiting for it
    return library
