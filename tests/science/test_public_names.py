"""What a user can call is typed and explained, with an example that runs."""

import ast
import doctest
import importlib
import inspect
import re
from pathlib import Path

import pytest

import rb_core as rb

API = (Path(__file__).parents[2] / "book" / "api.md").read_text(encoding="utf-8")


def documented():
    """What book/api.md documents, by its full name."""
    found, home = {}, None
    for directive, name in re.findall(r"^\.\. (currentmodule|auto\w+):: (\S+)$", API, re.MULTILINE):
        if directive == "currentmodule":
            home = name
        else:
            found[f"{home}.{name}"] = getattr(importlib.import_module(home), name)
    return found


def members(name, kind):
    """The methods and properties of a class that a user may call, by their full names."""
    for short, value in vars(kind).items():
        inside = getattr(value, "fget", None) or getattr(value, "func", None)  # of a property
        inside = inside or getattr(value, "__func__", value)  # of a method of the class
        if not short.startswith("_") and inspect.isfunction(inside):
            yield f"{name}.{short}", inside, inside is value or isinstance(value, classmethod)


DOCUMENTED = documented()
FUNCTIONS = {name: each for name, each in DOCUMENTED.items() if inspect.isfunction(each)}
CLASSES = {name: each for name, each in DOCUMENTED.items() if inspect.isclass(each)}
METHODS, PROPERTIES = {}, {}
for name, kind in CLASSES.items():
    for member, function, called in members(name, kind):
        (METHODS if called else PROPERTIES)[member] = function
CALLED = FUNCTIONS | METHODS


def test_what_public_functions_return_is_documented():
    found = {name.rpartition(".")[2] for name in DOCUMENTED}
    assert {"SweepTable", "Plan", "Sweep", "Combination", "Listed"} <= found


def test_type_checkers_see_the_names_that_are_there():
    tree = ast.parse(Path(rb.__file__).read_text())
    seen = next(node for node in tree.body if isinstance(node, ast.If))
    typed = {alias.name for node in seen.body for alias in node.names}
    assert typed == {*rb.__all__, "building_blocks", "figures", "workbench"}
    assert set(dir(rb)) == typed
    assert (Path(rb.__file__).parent / "py.typed").exists()


@pytest.mark.parametrize("name", [*CALLED, *PROPERTIES])
def test_what_is_public_is_annotated(name):
    signature = inspect.signature((CALLED | PROPERTIES)[name])
    without = [each for each, parameter in signature.parameters.items()
               if parameter.annotation is parameter.empty and each not in ("self", "cls")]
    assert without == []
    assert signature.return_annotation is not signature.empty


@pytest.mark.parametrize("name", [*CALLED, *CLASSES])
def test_what_is_public_has_its_parameters_and_an_example(name):
    thing = (CALLED | CLASSES)[name]
    text = inspect.getdoc(thing)
    if thing is not rb.InputError and {*inspect.signature(thing).parameters} - {"self", "cls"}:
        assert re.search("^(Parameters|Attributes)\n-----", text, re.MULTILINE)
    assert ">>>" in text


@pytest.mark.parametrize("name", PROPERTIES)
def test_a_property_says_what_it_is(name):
    assert inspect.getdoc(PROPERTIES[name])


@pytest.mark.parametrize("name", ["SSSarsa", "Sarsa", "QLearning", "RGPTS"])
def test_an_agent_says_in_its_own_help_what_differs_from_the_paper(name):
    assert re.search("differs from the paper.*:\n\n1\\. ", inspect.getdoc(getattr(rb, name)))


@pytest.mark.parametrize("name", sorted({each.__module__ for each in DOCUMENTED.values()}))
def test_examples_run(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = doctest.testmod(importlib.import_module(name))
    assert found.attempted
    assert found.failed == 0
