"""An agent from a module of the user's, named as module:Class on the command line."""

import dataclasses
import importlib
import sys
from collections import Counter
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any

from rb_core.checks import InputError, choice, failures_of
from rb_core.conformance import check_agent


def load_user_agent(spec: str, gamma: float, folder: Path | None = None) -> Any:
    """The agent that `spec` (module:Class) names, put through the conformance suite.

    The module is looked for in `folder`, too, by default the current one. If the class has a field
    `gamma`, it gets the experiment's discount; all its other fields must have defaults.
    """
    module, _, name = spec.partition(":")
    if not (module and name):
        raise InputError(f"An agent is given as module:Class, not as {spec!r}.")
    kind = _class(module, name, str(folder or Path.cwd()))
    if not (isinstance(kind, type) and dataclasses.is_dataclass(kind) and hasattr(kind, "init")):
        raise InputError(f"{spec} is no agent: a frozen dataclass with a method init (chapter "
            "bring_your_own).")
    fields = {field.name: field for field in dataclasses.fields(kind)}
    needed = [
        field.name for field in fields.values()
        if field.name != "gamma" and field.default is field.default_factory is dataclasses.MISSING
    ]
    if needed:
        raise InputError(f"{spec} has a parameter without a default: {', '.join(needed)}.")
    with failures_of(name):
        agent: Any = kind(**{"gamma": gamma} if "gamma" in fields else {})
    check_agent(agent)
    return agent


def _class(module: str, name: str, here: str) -> Any:
    if here not in sys.path:
        sys.path.insert(0, here)
    with failures_of(f"The module {module!r}"):
        try:
            found = importlib.import_module(module)
        except ModuleNotFoundError as error:
            said = f"There is no module {error.name!r} (looked in {here}, too)."
            raise InputError(said) from None
    agents = [each for each, kind in vars(found).items() if hasattr(kind, "init")]
    return getattr(found, name if hasattr(found, name) else choice(
        f"agent in {module}", name, agents))


def labels_of(specs: Iterable[str], taken: Collection[str]) -> dict[str, str]:
    """What to call the agents that `specs` (module:Class) name, each by a name of its own.

    That is the class, unless two agents or one of the names in `taken` are called so.
    """
    classes = {spec: spec.partition(":")[2] for spec in specs}
    times = Counter(classes.values())
    return {spec: short if times[short] == 1 and short not in taken else spec
            for spec, short in classes.items()}
