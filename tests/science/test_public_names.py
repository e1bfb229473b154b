"""What a user can call is typed and explained, with an example that runs."""

import ast
import doctest
import importlib
import inspect
from pathlib import Path

import pytest

import rb_core as rb

PUBLIC = {name: getattr(rb, name) for name in rb.__all__}
FUNCTIONS = {name: each for name, each in PUBLIC.items() if inspect.isfunction(each)}
CLASSES = {name: each for name, each in PUBLIC.items() if inspect.isclass(each)}
# Results: what they hold is said, they are not made by users.
RESULTS = {"Comparison", "Experiment", "InputError", "Optimum", "QStar", "Runs", "Summary",
           "SweepTable", "Trace", "Verified"}


def test_type_checkers_see_the_names_that_are_there():
    tree = ast.parse(Path(rb.__file__).read_text())
    seen = next(node for node in tree.body if isinstance(node, ast.If))
    typed = {alias.name for node in seen.body for alias in node.names}
    assert typed == {*rb.__all__, "building_blocks", "figures"}
    assert set(dir(rb)) == typed
    assert (Path(rb.__file__).parent / "py.typed").exists()


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_public_function_is_annotated(name):
    signature = inspect.signature(FUNCTIONS[name])
    without = [each for each, parameter in signature.parameters.items()
               if parameter.annotation is parameter.empty]
    assert without == []
    assert signature.return_annotation is not signature.empty


@pytest.mark.parametrize("name", [*FUNCTIONS, *sorted(CLASSES.keys() - RESULTS - {"Estimate"})])
def test_a_public_name_has_its_parameters_and_an_example(name):
    text = inspect.getdoc(PUBLIC[name])
    if inspect.signature(PUBLIC[name]).parameters:
        assert "Parameters\n-----" in text
    assert ">>>" in text


MODULES = sorted({each.__module__ for each in [*FUNCTIONS.values(), *CLASSES.values()]})


@pytest.mark.parametrize("name", MODULES)
def test_examples_run(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = doctest.testmod(importlib.import_module(name))
    assert found.failed == 0
