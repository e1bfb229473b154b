"""What passes between the grader and the process that runs a student's code: plain data, as JSON.

Not pickle, which would let the student's side run anything on the grader's. A message is its length
in four bytes, and then that many bytes.
"""

import json
import numbers
import struct
import time
from collections.abc import Iterable
from decimal import Decimal
from itertools import islice

import numpy as np

MOST_BYTES = 5_000_000  # of a reply; parsed, that may take thirty times as much
MOST_VALUES = 300_000  # in a list
LENGTH = struct.Struct("!I")


class NotPlain(TypeError):
    """A value that is more than data."""


class Malformed(ValueError):
    """A message that is none."""


def send(line, message):
    """Send bytes, within the time that the line has been given."""
    line.sendall(LENGTH.pack(len(message)) + message)


def receive(line, most=None, deadline=None):
    """The bytes of the next message; TimeoutError if it is not complete at the deadline."""
    (length,) = LENGTH.unpack(_exactly(line, LENGTH.size, deadline))
    if most is not None and length > most:
        raise Malformed(f"it has {length:,} bytes, more than {most:,}")
    return _exactly(line, length, deadline)


def _exactly(line, count, deadline):
    parts = []
    while count:
        if deadline is not None:
            line.settimeout(max(0.001, deadline - time.monotonic()))
        part = line.recv(min(count, 2**16))
        if not part:
            raise EOFError
        parts.append(part)
        count -= len(part)
    return b"".join(parts)


def dumps(value, name_of=None):
    return json.dumps(encoded(value, name_of or {}.get)).encode()


def loads(data, named=None):
    """The value again; only who passes `named` accepts references to functions, and generators."""
    return decoded(json.loads(data), named)


def encoded(value, name_of):
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, np.generic):
        return encoded(value.item(), name_of)
    if isinstance(value, numbers.Real | Decimal):
        return float(value)
    if isinstance(value, np.ndarray):
        if value.dtype.kind in KINDS:
            shape, kind = list(value.shape), value.dtype.kind
            return {"array": value.ravel().tolist(), "shape": shape, "kind": kind}
        return encoded(value.tolist(), name_of)
    if isinstance(value, tuple):
        return {"tuple": _each(value, name_of)}
    if isinstance(value, set | frozenset):
        return {"set": _each(value, name_of)}
    if isinstance(value, dict):
        return {"dict": [_each(pair, name_of) for pair in value.items()]}
    if isinstance(value, np.random.Generator):
        return {"generator": value.bit_generator.state}
    if callable(value) and name_of(value) is not None:
        return {"name": name_of(value)}
    if hasattr(value, "__array__"):  # a column of a table, for instance
        return encoded(np.asarray(value), name_of)
    if isinstance(value, Iterable):  # tests see no difference between these and a list
        return _each(value, name_of)
    kind = type(value).__name__
    raise NotPlain(f"a {kind} is not plain data (numbers, text, lists, tuples, dicts, arrays)")


def _each(values, name_of):
    found = [encoded(each, name_of) for each in islice(values, MOST_VALUES + 1)]
    if len(found) > MOST_VALUES:
        raise NotPlain(f"more than {MOST_VALUES:,} values are too many")
    return found


KINDS = {"b": bool, "i": int, "u": int, "f": float}


def decoded(value, named=None):
    if isinstance(value, list):
        return [decoded(each, named) for each in value]
    if not isinstance(value, dict):
        return value
    if "array" in value:
        return _array(value)
    if "tuple" in value:
        return tuple(decoded(each, named) for each in value["tuple"])
    if "set" in value:
        return {decoded(each, named) for each in value["set"]}
    if "dict" in value:
        return {decoded(key, named): decoded(each, named) for key, each in value["dict"]}
    if named is None:
        raise NotPlain("this side takes data only")
    if "generator" in value:
        generator = np.random.default_rng()
        generator.bit_generator.state = value["generator"]
        return generator
    return named[value["name"]]


def _array(value):
    """An array of numbers whose size is that of what was sent, whatever it says of itself."""
    flat, kind = value["array"], KINDS[value["kind"]]
    if not all(type(each) is kind for each in flat):
        raise Malformed("an array holds something else than it says")
    return np.array(flat, dtype=kind).reshape(value["shape"])
