"""Who has this project has its tests, but not the numbers with which a course asks them."""

import ast
import subprocess
import sys

import numpy as np
import pytest
import secret
from assignment import assignments, read, source
from student_notebook import student_notebook

from tests.conftest import TOP
from tests.course.secrets import leaks

NAMES = assignments()


def functions_in(question, code):
    """The functions of an answer that a test calls; some tests look at values only."""
    defined = {node.name for node in ast.parse(question.reference).body
               if isinstance(node, ast.FunctionDef)}
    return [name for name in sorted(defined) if f"{name}(" in code]


def function_tests(name, word):
    """The tests of questions that ask for functions, with what runs before them."""
    assignment = read(name, word)
    space = {"__name__": "__main__"}
    for code in assignment.given.values():
        exec(code, space)
    for question in assignment.questions.values():
        exec(question.reference, space)
        for test, _, code in question.tests:
            if functions_in(question, code):
                yield functions_in(question, code), test, code, dict(space)


@pytest.mark.parametrize("name", NAMES)
def test_hidden_tests_of_functions_draw_from_the_secret_and_nothing_else_does(name):
    tests = {test for question in read(name).questions.values()
             for test, _, code in question.tests if functions_in(question, code)}
    for cell in source_cells(name):
        hidden = "".join(part.split("### END HIDDEN TESTS")[0]
                         for part in cell.source.split("### BEGIN HIDDEN TESTS")[1:])
        assert cell.source.count("SECRET") == hidden.count("SECRET")
        grade_id = cell.metadata.get("nbgrader", {}).get("grade_id")
        assert grade_id not in tests or "SECRET" in hidden, grade_id


def source_cells(name):
    import nbformat
    from assignment import SOURCE

    return nbformat.read(SOURCE / name / f"{name}.ipynb", as_version=4).cells


class Unknown(Exception):
    """A call that was not written down."""


def key(args, options):
    """What a call was given, in full: `repr` shortens large arrays, and names a generator by where
    it lies in memory, which the next one may take over."""
    with np.printoptions(threshold=sys.maxsize):
        return repr([each.bit_generator.state if isinstance(each, np.random.Generator) else each
                     for each in (*args, *options.items())])


@pytest.mark.parametrize("name", NAMES)
def test_answers_looked_up_with_another_secret_do_not_pass(name):
    books = {}

    def write_down(test, function):
        def called(*args, **options):
            asked = key(args, options)  # before the call, which may change what it is given
            books[test][asked] = function(*args, **options)
            return books[test][asked]
        return called

    def look_up(test):
        def called(*args, **options):
            asked = key(args, options)
            if asked not in books[test]:
                raise Unknown(asked[:200])
            return books[test][asked]
        return called

    for wanted, test, code, space in function_tests(name, "mine"):
        books[test] = {}
        exec(code, space | {each: write_down(test, space[each]) for each in wanted})
    for wanted, test, code, space in function_tests(name, "the teacher's"):
        with pytest.raises(Unknown):
            exec(code, space | {each: look_up(test) for each in wanted})


def test_a_course_makes_its_secret_once_and_for_itself(tmp_path):
    made = secret.of(tmp_path / "course")
    assert secret.of(tmp_path / "course") == made
    assert secret.of(tmp_path / "other") != made
    assert (tmp_path / "course" / "secret").stat().st_mode & 0o077 == 0


def test_each_test_has_a_seed_of_its_own():
    seeds = {secret.seed("x", name, test) for name in NAMES
             for question in read(name).questions.values() for test, _, _ in question.tests}
    assert len(seeds) == sum(len(q.tests) for name in NAMES for q in read(name).questions.values())
    assert "SECRET" not in "".join(cell.source for name in NAMES for cell in source(name).cells)


def test_git_the_site_and_make_clean_leave_the_course_alone():
    for path in ("course/secret", "course/gradebook.db", "course/submitted/ada/x.ipynb",
                 "course/graded/001/grades.csv", "course-2027/secret"):  # the page's next class
        asked = ["git", "check-ignore", "-q", path]
        assert subprocess.run(asked, cwd=TOP, check=False).returncode == 0, path
    kept = subprocess.run(["git", "ls-files", "course*"], cwd=TOP, capture_output=True, check=True)
    assert kept.stdout == b""
    said = subprocess.run(["make", "--dry-run", "clean"], cwd=TOP, capture_output=True, text=True,
                          check=True)
    assert "course" not in said.stdout
    settings = (TOP / "_config.yml").read_text()
    assert "only_build_toc_files: true" in settings
    assert '"course*"' in settings[settings.index("exclude_patterns"):]


@pytest.mark.parametrize("name", NAMES)
def test_what_the_book_gives_students_has_nothing_hidden_in_it(name):
    text = "\n".join(cell.source for cell in student_notebook(name).cells)
    assert leaks(text) == set()
    assert "SECRET" not in text
    assert "HIDDEN" not in text
