"""Numbers of a student's own: the same questions, other arms, rewards and seeds."""

import hashlib
import importlib.util
from functools import lru_cache

import numpy as np
from assignment import HOME

# nbgrader's exchange gives everybody the same files: there, all numbers lie beside the notebook,
# and its cell of numbers takes those of whoever runs it.
TABLE = "numbers.json"
FROM_TABLE = f"""\
# Your own numbers, by the name of your account: run this cell to see them.
# They are in {TABLE}, which stays beside this notebook.
import getpass
import json
import os

with open("{TABLE}") as file:
    of_all = json.load(file)
your_numbers = of_all.get(os.environ.get("JUPYTERHUB_USER") or getpass.getuser(), of_all[""])
exec(your_numbers)
print(your_numbers)"""


def numbers(assignment, student, seed):
    """The numbers of one student in one assignment; the same whenever they are asked for."""
    text = f"{seed}/{assignment}/{student}".encode()
    rng = np.random.default_rng(int.from_bytes(hashlib.sha256(text).digest()[:16], "big"))
    return maker(assignment).numbers(rng)


def cell(values):
    """The cell that gives them."""
    return "\n".join(f"{name} = {value!r}" for name, value in values.items())


@lru_cache
def maker(assignment):
    """The file that makes an assignment's numbers (its name begins with a digit)."""
    path = HOME / "variants" / f"{assignment}.py"
    spec = importlib.util.spec_from_file_location(f"variant_{assignment}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
