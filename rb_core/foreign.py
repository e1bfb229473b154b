"""An agent from a module of the user's, named as module:Class on the command line."""

import dataclasses
import importlib
import sys
from pathlib import Path

from rb_core.conformance import check_agent
from rb_core.errors import InputError, choice


def load_agent(spec, gamma, folder=None):
    """The agent that `spec` (module:Class) names, put through the conformance suite.

    The module is looked for in `folder`, too, by default the current one. If the class has a field
    `gamma`, it gets the experiment's discount; all its other fields must have defaults.
    """
    module, colon, name = spec.partition(":")
    if not (colon and module and name):
        raise InputError(f"An agent is given as module:Class, not as {spec!r}.")
    kind = _class(module, name, str(folder or Path.cwd()))
    if not (isinstance(kind, type) and dataclasses.is_dataclass(kind) and hasattr(kind, "init")):
        raise InputError(f"{spec} is no agent: a frozen dataclass with a method init (chapter 14).")
    fields = {field.name: field for field in dataclasses.fields(kind)}
    needed = [
        field.name for field in fields.values()
        if field.name != "gamma" and field.default is field.default_factory is dataclasses.MISSING
    ]
    if needed:
        raise InputError(f"{spec} has a parameter without a default: {', '.join(needed)}.")
    agent = kind(gamma=gamma) if "gamma" in fields else kind()
    check_agent(agent)
    return agent


def _class(module, name, here):
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        found = vars(importlib.import_module(module))
    except ModuleNotFoundError as error:
        raise InputError(f"There is no module {error.name!r} (looked in {here}, too).") from None
    except Exception as error:
        raise InputError(
            f"The module {module!r} cannot be imported: {type(error).__name__}: {error}."
        ) from None
    return found[choice(f"class in {module}", name, found)]
