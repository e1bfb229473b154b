"""The runner itself can fail: what no test sees is reported as survived, and what breaks is not."""

import pytest

from tests.mutants.mutant import Mutant
from tests.mutants.runner import FAILED, PASSED, copied, faulty, outcome

CODE = """
def double(number):
    return 2 * number
"""
TESTS = """
import pytest
import rb_core

def test_double():
    assert rb_core.double(3) == 6

def test_that_cannot_fail():
    rb_core.double(3)

@pytest.mark.skip
def test_skipped():
    assert rb_core.double(3) == 6

@pytest.fixture
def broken():
    assert rb_core.double(3) == 6

def test_with_a_fixture(broken):
    pass
"""
KILLER = "tests/test_it.py::test_double"

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A package of one line, and its tests."""
    top = tmp_path_factory.mktemp("top")
    for name, text in (("rb_core/__init__.py", CODE), ("tests/__init__.py", ""),
                       ("tests/test_it.py", TESTS), ("pyproject.toml", ""),
                       ("tests/conftest.py", "from hypothesis import settings\n"
                                             "settings.register_profile('steady')\n")):
        (top / name).parent.mkdir(exist_ok=True)
        (top / name).write_text(text)
    return copied(top, tmp_path_factory.mktemp("copies") / "copy")


def said(project, before, after, killer=KILLER):
    with faulty(project, Mutant("__init__.py", before, after, killer)):
        return outcome(project, [killer], project / "cache")


def test_a_fault_that_the_test_sees_is_killed_and_the_copy_is_sound_again(project):
    assert said(project, "2 * number", "3 * number") == FAILED
    assert outcome(project, [KILLER], project / "cache") == PASSED


def test_a_mutant_that_does_nothing_survives(project):
    assert said(project, "2 * number", "2 * number  # twice") == PASSED


def test_a_test_that_cannot_fail_kills_nothing(project):
    assert said(project, "2 *", "3 *", "tests/test_it.py::test_that_cannot_fail") == PASSED


@pytest.mark.parametrize(
    ("after", "killer"),
    [
        ("2 *", KILLER),  # no syntax
        ("3 * number", "tests/test_it.py::test_skipped"),
        ("3 * number", "tests/test_it.py::test_with_a_fixture"),
        ("3 * number", "tests/test_it.py::test_nowhere"),
    ],
)
def test_what_does_not_fail_in_the_test_itself_is_no_kill(project, after, killer):
    assert said(project, "2 * number", after, killer) not in (FAILED, PASSED)


@pytest.mark.parametrize(("before", "nth"), [("x", None), ("y", None), ("x", 3)])
def test_a_mutant_must_say_where_it_is(before, nth):
    with pytest.raises(ValueError, match="times"):
        Mutant("file.py", before, "z", KILLER, nth).applied("x + x")


def test_one_of_several_places_can_be_meant():
    assert Mutant("file.py", "x", "z", KILLER, 2).applied("x + x + x") == "x + z + x"
