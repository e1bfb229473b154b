"""The stamp of code: a short name for all that a function or a class can reach, and nothing else.

It starts from living objects and follows the names that their code uses. So it does not matter in
which file a function lies, in which order things are imported, what comments, docstrings,
annotations and error messages say, or what else the package has; the compiler's options do matter.
"""

import ast
import collections
import dataclasses
import functools
import hashlib
import importlib
import linecache
import pickle
import sys
import sysconfig
import types
from collections.abc import Collection
from pathlib import Path
from typing import Any

import numpy as np
from numba.core.dispatcher import Dispatcher

from rb_core.checks import InputError

STANDARD = (sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib"))
INSTALLED = {"site-packages", "dist-packages"}
UNSEEN = ("type_comment", "type_params", "ctx", "kind")  # of syntax: says nothing, or not always
# Where dataclass and NamedTuple write methods.
GENERATED = ("<string>", dataclasses.__file__, collections.__file__)
PLAIN = (bool, int, float, complex, str, bytes, type(None), type(Ellipsis), np.generic, np.dtype)


def stamp(*roots: Any) -> str:
    """The stamp of everything that `roots` (functions, classes) can reach.

    Code of other packages is named, not followed: a result keeps their versions instead.
    """
    homes = {root.__module__.partition(".")[0] for root in roots}
    reader = Reader(homes | {"rb_core", "__main__"})
    found: dict[int, object] = {}
    texts, todo = set(), list(roots)
    while todo:
        thing = todo.pop()
        if id(thing) not in found:
            found[id(thing)] = thing  # kept alive, so that no other object gets its number
            text, reached = reader.described(thing)
            texts.add(text)
            todo += reached
    return hashlib.sha256("\n".join(sorted(texts)).encode()).hexdigest()[:16]


def followed(module: str, homes: Collection[str]) -> bool:
    """Whether a module's code is part of a stamp: that of `homes`, and what was not installed."""
    if module.partition(".")[0] in homes:
        return True
    file = getattr(sys.modules.get(module), "__file__", None)
    if file is None or file.startswith(STANDARD):
        return False
    return not INSTALLED & set(Path(file).parts)


class Reader:
    """Puts code into words; that of the packages `homes` is followed wherever it is installed."""

    def __init__(self, homes: Collection[str]):
        self.homes = homes

    def described(self, thing):
        """A function, a class or what wraps one, in words, and the things that it uses."""
        if isinstance(thing, Dispatcher):
            options = {name: value for name, value in thing.targetoptions.items() if value}
            text, reached = self.described_function(thing.py_func, compiled=True)
            return f"{text} compiled with {sorted(options.items())}", reached
        inside = _wrapped(thing)
        if inside is not thing:
            return f"{type(thing).__name__} of {inside.__qualname__}", [inside]
        if isinstance(thing, types.FunctionType) and followed(thing.__module__, self.homes):
            return self.described_function(thing)
        if isinstance(thing, type) and followed(thing.__module__, self.homes):
            return self.described_class(thing)
        return self.mentioned(thing)[0], []

    def mentioned(self, thing):
        """How a thing is written where it is used, and what must be described besides."""
        if isinstance(thing, PLAIN):
            return repr(thing), []
        if isinstance(thing, np.ndarray):
            return f"{thing.dtype}{thing.shape}{thing.tobytes().hex()}", []
        if isinstance(thing, dict):
            thing = tuple((str(key), thing[key]) for key in sorted(thing, key=str))
        if isinstance(thing, set | frozenset):
            thing = tuple(sorted(thing, key=str))
        if isinstance(thing, tuple | list):
            parts = [self.mentioned(each) for each in thing]
            words = ", ".join(text for text, _ in parts)
            return f"({words})", [each for _, reached in parts for each in reached]
        name = getattr(thing, "__qualname__", None) or getattr(thing, "__name__", None)
        home = getattr(thing, "__module__", None) or ""
        place = "" if followed(home, self.homes) else home
        return f"<{place} {name or type(thing).__qualname__}>", [thing]

    def named(self, name, thing, rest):
        """What a name with dots stands for: what a module of a followed package has under it."""
        while isinstance(thing, types.ModuleType) and followed(thing.__name__, self.homes) and rest:
            first, _, rest = rest.partition(".")
            thing = getattr(thing, first, None)
        return {} if rest else {name: thing}

    def described_class(self, kind):
        own = {name: value for name, value in vars(kind).items() if _is_own(name, value)}
        own |= {"fields": list(getattr(kind, "__dataclass_fields__", ())), "bases": kind.__bases__}
        text, reached = self.mentioned(own)
        return f"class {kind.__qualname__} {text}", reached

    def described_function(self, function, compiled=False):
        code = function.__code__
        used: dict[str, Any] = {}
        essence = Essence()
        for node in (nodes := [essence.visit(node) for node in _syntax_of(function)]):
            if compiled:  # its options are known, and how they were given does not matter
                node.decorator_list = []
            for part in ast.walk(node):
                if isinstance(part, ast.Name | ast.Attribute):
                    name = ast.unparse(part)
                    home, _, rest = name.partition(".")
                    if home in function.__globals__ and home not in code.co_varnames:
                        used |= self.named(name, function.__globals__[home], rest)
        for home, name in essence.imported:
            module = importlib.import_module(home, function.__globals__.get("__package__"))
            used[name] = getattr(module, name)
        cells = zip(code.co_freevars, function.__closure__ or (), strict=True)
        used |= {name: cell.cell_contents for name, cell in cells}
        text, reached = self.mentioned(used)
        return f"{function.__qualname__} {[_words(node) for node in nodes]} {text}", reached


def _wrapped(thing: Any) -> Any:
    """The function inside a property, a method of a class, or a cache."""
    if isinstance(thing, types.FunctionType | types.ModuleType | type):
        return thing
    insides = (getattr(thing, name, None) for name in ("fget", "__func__", "func", "__wrapped__"))
    return next((each for each in insides if isinstance(each, types.FunctionType)), thing)


def _is_own(name: str, value: object) -> bool:
    """Whether an attribute of a class is more than what Python makes of its fields."""
    code = getattr(_wrapped(value), "__code__", None)
    if code is None:
        return not (name.startswith("__") or name == "_abc_impl")
    return not (name.startswith("_") and code.co_filename in GENERATED)


def _syntax_of(function: types.FunctionType) -> list[Any]:
    """Copies of the syntax of a function, if the text of its file still is the code that runs."""
    code = function.__code__
    for _ in range(2):
        lines = linecache.getlines(code.co_filename, function.__globals__)
        codes, nodes = _read("".join(lines), code.co_filename)
        if code in codes:
            # a copy, by the quickest way: `copy.deepcopy` takes six times as long
            return pickle.loads(pickle.dumps(nodes[code.co_firstlineno, code.co_name]))
        linecache.checkcache(code.co_filename)  # the module may have been loaded again
    raise InputError(
        f"The source of {function.__qualname__} cannot be found, or has changed since it was "
        f"loaded: start anew, so that results can be kept under the name of their code."
    )


class Essence(ast.NodeTransformer):
    """Leaves out docstrings, annotations, imports, and what an error says (not that it is one)."""

    def __init__(self):
        self.imported = []

    def visit_ImportFrom(self, node):
        home = "." * node.level + (node.module or "")
        self.imported += [(home, alias.name) for alias in node.names]
        return ast.Pass()

    def visit_Import(self, node):
        return ast.Pass()

    def visit_Expr(self, node):
        return ast.Pass() if isinstance(node.value, ast.Constant) else self.generic_visit(node)

    def visit_AnnAssign(self, node):
        if node.value is None:
            return ast.Pass()
        return self.generic_visit(ast.Assign([node.target], node.value))

    def visit_Raise(self, node):
        return ast.Raise(getattr(node.exc, "func", node.exc))

    def visit_arg(self, node):
        return ast.arg(node.arg)

    def visit_FunctionDef(self, node):
        node.returns = None
        return self.generic_visit(node)


@functools.cache
def _read(text: str, file: str) -> tuple[set[types.CodeType], dict[tuple[int, str], list]]:
    """All code in a file, and the syntax of its functions by first line and name."""
    codes, todo = set(), [compile(text, file, "exec", dont_inherit=True)]
    while todo:
        code = todo.pop()
        codes.add(code)
        todo += [each for each in code.co_consts if isinstance(each, types.CodeType)]
    nodes: dict[tuple[int, str], list] = {}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            marks = getattr(node, "decorator_list", [])
            line = min([node.lineno, *(mark.lineno for mark in marks)])
            nodes.setdefault((line, getattr(node, "name", "<lambda>")), []).append(node)
    return codes, nodes


def _words(node: object) -> str:
    """Syntax in words, the same in every version of Python."""
    if isinstance(node, list):
        return f"[{' '.join(_words(each) for each in node if not isinstance(each, ast.Pass))}]"
    if not isinstance(node, ast.AST):
        return repr(node)
    shown = [f"{name}={_words(value)}" for name, value in ast.iter_fields(node)
             if name not in UNSEEN and value not in (None, [])]
    return f"{type(node).__name__}({' '.join(shown)})"
