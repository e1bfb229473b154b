"""Plain data as JSON: what passes between the grader and the process that runs a student's code.

Not pickle, which would let the student's side run anything on the grader's.
"""

import json

import numpy as np


class NotPlain(TypeError):
    """A value that is more than data."""


def dumps(value, name_of=None):
    return json.dumps(_encoded(value, name_of or {}.get)).encode()


def loads(data, named=None):
    """The value again; only who passes `named` accepts references to functions, and generators."""
    return _decoded(json.loads(data), named)


def _encoded(value, name_of):
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, np.generic):
        return _encoded(value.item(), name_of)
    if isinstance(value, np.ndarray):
        if value.dtype.kind in "biufU":
            return {"array": value.tolist(), "kind": value.dtype.kind}
        return _encoded(value.tolist(), name_of)
    if isinstance(value, list | range | type({}.keys()) | type({}.values()) | type({}.items())):
        return [_encoded(each, name_of) for each in value]
    if isinstance(value, tuple):
        return {"tuple": [_encoded(each, name_of) for each in value]}
    if isinstance(value, set | frozenset):
        return {"set": [_encoded(each, name_of) for each in value]}
    if isinstance(value, dict):
        pairs = value.items()
        return {"dict": [[_encoded(key, name_of), _encoded(each, name_of)] for key, each in pairs]}
    if isinstance(value, np.random.Generator):
        return {"generator": value.bit_generator.state}
    if callable(value) and name_of(value) is not None:
        return {"name": name_of(value)}
    kind = type(value).__name__
    raise NotPlain(f"a {kind} is not plain data (numbers, text, lists, tuples, dicts, arrays)")


KINDS = {"b": bool, "i": int, "u": int, "f": float, "U": str}


def _decoded(value, named):
    if isinstance(value, list):
        return [_decoded(each, named) for each in value]
    if not isinstance(value, dict):
        return value
    if "array" in value:
        return np.array(value["array"], dtype=KINDS[value["kind"]])
    if "tuple" in value:
        return tuple(_decoded(each, named) for each in value["tuple"])
    if "set" in value:
        return {_decoded(each, named) for each in value["set"]}
    if "dict" in value:
        return {_decoded(key, named): _decoded(each, named) for key, each in value["dict"]}
    if named is None:
        raise NotPlain("this side takes data only")
    if "generator" in value:
        generator = np.random.default_rng()
        generator.bit_generator.state = value["generator"]
        return generator
    return named[value["name"]]
