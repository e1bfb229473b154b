"""The documentation keeps up with the code."""

import importlib
import inspect
import re
from collections import defaultdict
from pathlib import Path

import pytest

import rb_core as rb
from rb_core.simulation import SIMS_A_BLOCK

TOP = Path(__file__).parents[2]


def documented():
    """The names on the API page, by module."""
    found = defaultdict(list)
    text = (TOP / "book" / "api.md").read_text()
    for part in text.split("currentmodule:: ")[1:]:
        found[part.split()[0]] += re.findall(r"(?:auto\w+|py:data):: (\w+)", part)
    return found


def test_every_public_name_is_on_the_api_page():
    assert sorted(documented()["rb_core"]) == sorted(rb.__all__)


@pytest.mark.parametrize(("module", "homes"), [
    ("figures", ["figures"]), ("gym", ["gym"]),
    ("building_blocks", ["agents.shared.explore_first", "agents.shared.joint_states"])])
def test_the_api_page_has_all_functions_and_classes_of_other_public_modules(module, homes):
    own = [name for home in homes for name in defined_in(f"rb_core.{home}")]
    assert sorted(documented()[f"rb_core.{module}"]) == sorted(own)
    assert set(own) <= set(vars(importlib.import_module(f"rb_core.{module}")))


def defined_in(module):
    here = importlib.import_module(module)
    return [name for name, each in vars(here).items()
            if not name.startswith("_") and getattr(each, "__module__", "") == module
            and (inspect.isclass(each) or inspect.isfunction(each))]


def test_every_public_name_has_a_docstring():
    assert [name for name in rb.__all__ if not getattr(rb, name).__doc__] == []


def test_the_readme_names_only_targets_and_commands_that_exist():
    readme = (TOP / "README.md").read_text()
    targets = re.findall(r"^([a-z]+):", (TOP / "Makefile").read_text(), re.MULTILINE)
    assert set(re.findall(r"make ([a-z]+)", readme)) <= set(targets)
    experiments = re.findall(r"rb run (\S+)", readme)
    assert experiments
    assert set(experiments) <= set(rb.experiments())


def test_the_page_on_clusters_counts_blocks_as_they_are():
    assert f"A_BLOCK = {SIMS_A_BLOCK} " in (TOP / "book" / "cluster.md").read_text()


def test_the_gallery_leads_to_every_experiment():
    page = (TOP / "book" / "experiments.md").read_text()
    parts = re.findall(r'^## ([^\n]*)$(?:(?!^##).)*?^gallery\("(.*?)", "(.*?)"\)$', page,
                       re.MULTILINE | re.DOTALL)
    named = {(name, heading) for heading, *kind in parts for name in rb.experiments(*kind)}
    titles = {(name, each.title.split(": ")[0]) for name, each in rb.experiments().items()}
    assert named == titles


@pytest.mark.parametrize("path", sorted((TOP / "notebooks" / "sweeps").glob("*.yml")),
                         ids=lambda path: path.stem)
def test_a_committed_sweep_is_the_answer_to_its_file(path):
    assert rb.read_swept(path.stem).made["sweep"] == path.read_text().splitlines()
