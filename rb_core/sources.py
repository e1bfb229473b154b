"""A short name for code: the same for the same code, whatever its comments say."""

import ast
import hashlib
import importlib.metadata
import sys
from functools import cache
from modulefinder import ModuleFinder
from pathlib import Path


def code_hash(paths):
    """A short name for the code in these files, in this order, without comments and docstrings."""
    digest = hashlib.sha256()
    for path in paths:
        tree = ast.parse(Path(path).read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            documented = isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
            if documented and ast.get_docstring(node) is not None:
                del node.body[0]
        digest.update(ast.dump(tree).encode())
    return digest.hexdigest()[:16]


@cache
def own_files(kind):
    """The files that make a class of the user's: its module, and what that imports from beside it.

    Installed packages do not count: those of a block are not part of its name either.
    """
    module = sys.modules[kind.__module__]
    name, file = module.__name__, Path(module.__file__)
    beside = file.parents[name.count(".") + (file.name == "__init__.py")]
    installed = set(importlib.metadata.packages_distributions()) - {name.partition(".")[0]}
    finder = ModuleFinder([str(beside)], excludes=["rb_core", *installed])
    finder.import_hook(name)
    return tuple(sorted(Path(each.__file__) for each in finder.modules.values() if each.__file__))


def modules_of(kind):
    """Those of its files that are modules by themselves; none for classes of this package."""
    if _is_ours(kind) or "." in kind.__module__:
        return ()
    return own_files(kind)


@cache
def source_of(kind):
    """A short name for the code of an agent's class; none for those of this package.

    Taken once a process, as the class is, which an edit of its file does not change either.
    """
    return "" if _is_ours(kind) else code_hash(own_files(kind))


def _is_ours(kind):
    return kind.__module__.startswith("rb_core.")
