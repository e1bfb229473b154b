"""Every mutant can still be made of the present text, and the last run was of this code.

That their tests kill them is shown by `make mutants`, which takes minutes.
"""

import ast
import json
from functools import cache

import pytest

from tests.conftest import PACKAGE
from tests.mutants.listed import MUTANTS, RESULTS, TOP, stamps

STALE = "Out of date: run `make mutants`."


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: f"{mutant.file}: {mutant.change}")
def test_a_mutant_is_other_code_and_names_a_test(mutant):
    text = (PACKAGE / mutant.file).read_text()
    assert ast.dump(ast.parse(mutant.applied(text))) != ast.dump(ast.parse(text))
    file, _, test = mutant.killer.partition("::")
    assert test.partition("[")[0] in functions_of(file)


@cache
def functions_of(file):
    tree = ast.parse((TOP / file).read_text())
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_there_are_enough_mutants_and_no_two_alike():
    assert len({(each.file, each.change) for each in MUTANTS}) == len(MUTANTS) >= 60


def test_the_last_run_killed_all_of_these_mutants_of_this_code():
    found = json.loads(RESULTS.read_text())
    listed = [{"file": each.file, "change": each.change, "killer": each.killer} for each in MUTANTS]
    assert found["each"] == listed, STALE
    assert found["made"]["code"] == stamps(), STALE
    assert found["killed"] == found["mutants"] == len(MUTANTS)
