"""Every student's own numbers: solvable, different, and equally hard."""

import ast
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from types import ModuleType

import pytest
import variants
from assignment import NUMBERS, assignments, read

from tests.rotation import drawn

SEED = 2024
STUDENTS = [f"student-{i}" for i in range(200)]


def solve(assignment):
    """Our answers to all questions, in one namespace as in a notebook, put through the tests.

    Tests that use no given value, and so no number of the student's own, are left out: they are
    the same for everybody.
    """
    space = {"__name__": "__main__"}
    for code in assignment.given.values():
        exec(code, space)
    own = {name for name, value in space.items() if not name.startswith("__")
           and not callable(value) and not isinstance(value, ModuleType)}
    tested = 0
    for question in assignment.questions.values():
        exec(question.reference, space)
        for _, _, test in question.tests:
            if own & names_in(test) or own & names_in(question.reference):
                exec(test, dict(space))
                tested += 1
    assert tested


def names_in(code):
    return {node.id for node in ast.walk(ast.parse(code))
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}


@pytest.mark.parametrize("name", assignments())
def test_variants_are_distinct_and_equally_hard(name):
    made = [variants.numbers(name, student, SEED) for student in drawn(STUDENTS, 50)]
    assert len({variants.cell(each) for each in made}) == len(made)
    hard = {variants.maker(name).difficulty(each) for each in made}
    assert len(hard) == 1, hard


@pytest.mark.parametrize("name", assignments())
def test_a_student_gets_the_same_numbers_again_and_others_from_another_seed(name):
    first, again, other = (variants.numbers(name, "ada", seed) for seed in (1, 1, 2))
    assert first == again
    assert first != other


@pytest.mark.parametrize("name", assignments())
def test_a_variant_replaces_exactly_the_numbers_of_the_source(name):
    space = {}
    exec(read(name).given[NUMBERS], space)
    space.pop("__builtins__")
    assert set(variants.numbers(name, "ada", SEED)) == set(space)


def solve_variant(name, student):
    solve(read(name, student).with_numbers(variants.cell(variants.numbers(name, student, SEED))))


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("name", assignments())
def test_variants_can_be_solved(name):
    with ProcessPoolExecutor() as pool:
        for _ in pool.map(partial(solve_variant, name), drawn(STUDENTS, 20)):
            pass  # the first that fails raises
