"""A YAML file as plain texts, and what a text means at its place.

YAML's own rules would read 1e-3 as a text and no as false; here the meaning follows from who asks.
"""

import yaml

from rb_core.errors import InputError, shown


class Loader(yaml.BaseLoader):
    """Texts, lists and mappings only; nothing may be said twice, and nothing is expanded."""

    def construct_mapping(self, node, deep=False):
        keys = [self.construct_object(key, deep=True) for key, _ in node.value]
        if not all(isinstance(key, str) for key in keys):
            raise yaml.YAMLError(f"what stands in line {node.start_mark.line + 1} is no name")
        for key in keys:
            if keys.count(key) > 1:
                raise yaml.YAMLError(f"{key} is given twice")
        return super().construct_mapping(node, deep)

    def compose_node(self, parent, index):
        if self.check_event(yaml.AliasEvent):
            raise yaml.YAMLError("aliases (*) are not for sweeps")
        return super().compose_node(parent, index)


def read(path):
    """The text of a file, and the mapping that it holds."""
    try:
        text = path.read_text(encoding="utf-8")
        content = yaml.load(text, Loader)
    except FileNotFoundError:
        raise InputError(
            f"There is no file {str(path)!r}; `rb sweep --example` prints one to start from."
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{str(path)!r} cannot be read: {shown(str(error))}.") from None
    except (yaml.YAMLError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        where = f" (line {mark.line + 1})" if mark else ""
        said = " ".join(str(getattr(error, "problem", None) or error).split())
        raise InputError(f"{path.name} is no sweep file: {said}{where}.") from None
    return text, mapping(path.name, content)


def mapping(what, value):
    """`value`, if it is a mapping."""
    if not isinstance(value, dict):
        raise InputError(f"{what} must be names with values (name: value), not {shown(value)}.")
    return value


def several(of, key):
    """The values of a key: a list, or a single one."""
    values = of[key] if isinstance(of[key], list) else [of[key]]
    if not values or values == [""]:
        raise InputError(f"{key} is empty.")
    return values


def single(name, value):
    """`value`, if it is a text."""
    if not isinstance(value, str) or not value:
        raise InputError(f"{name} must have one value, not {shown(value)}.")
    return value


def numeral(name, text):
    """A number as people write it: 1000, 1_000, 1e3."""
    single(name, text)
    try:
        return float(text)
    except ValueError:
        raise InputError(f"{name} must be a number, not {shown(text)}.") from None
