"""A YAML file as plain texts, and what a text means at its place.

YAML's own rules would read 1e-3 as a text and no as false; here the meaning follows from who asks.
"""

from collections import Counter
from pathlib import Path
from typing import Any

import yaml

from rb_core.checks import InputError, shown


class Loader(yaml.BaseLoader):
    """Texts, lists and mappings only; nothing may be said twice, and nothing is expanded."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[str, Any]:
        if not all(isinstance(key, yaml.ScalarNode) for key, _ in node.value):
            raise yaml.YAMLError(f"what stands in line {node.start_mark.line + 1} is no name")
        made = super().construct_mapping(node, deep)
        if len(made) < len(node.value):
            keys = Counter(key.value for key, _ in node.value)
            raise yaml.YAMLError(f"{keys.most_common(1)[0][0]} is given twice")
        return made

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        if self.check_event(yaml.AliasEvent):
            raise yaml.YAMLError("aliases (*) are not for sweeps")
        return super().compose_node(parent, index)


def read(source: str | Path) -> tuple[Path, str, dict[str, Any]]:
    """A file, its text, and the mapping that it holds; `source` is its path, or the text itself."""
    written = isinstance(source, str) and "\n" in source
    path = Path("sweep.yml" if written else str(source))
    try:
        text = str(source) if written else path.read_text(encoding="utf-8")
        content = yaml.load(text, Loader)
    except FileNotFoundError:
        raise InputError(
            f"There is no file {str(path)!r}; `rb sweep --example` prints one to start from."
        ) from None
    except (OSError, UnicodeError) as error:
        raise InputError(f"{str(path)!r} cannot be read: {shown(str(error))}.") from None
    except (yaml.YAMLError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        where = f" (line {mark.line + 1})" if mark else ""
        said = " ".join(str(getattr(error, "problem", None) or error).split())
        raise InputError(f"{path.name} is no sweep file: {said}{where}.") from None
    return path, text, mapping(path.name, content)


def mapping(what: str, value: Any) -> dict[str, Any]:
    """`value`, if it is a mapping."""
    if not isinstance(value, dict):
        raise InputError(f"{what} must be names with values (name: value), not {shown(value)}.")
    return value


def several(of: dict[str, Any], key: str) -> list[Any]:
    """The values of a key: a list, or a single one."""
    values = of[key] if isinstance(of[key], list) else [of[key]]
    if not values or values == [""]:
        raise InputError(f"{key} is empty.")
    return values


def single(name: str, value: Any) -> str:
    """`value`, if it is a text."""
    if not isinstance(value, str) or not value:
        raise InputError(f"{name} must have one value, not {shown(value)}.")
    return value
