"""`rb notebook`: parameters checked against the notebook's declaration, then really executed."""

import nbformat
import pytest

from rb_core import notebook
from rb_core.cli import main
from rb_core.errors import InputError
from rb_core.notebook import checked, declared


def made(path, *cells):
    """A notebook on disk: a title, a parameters cell, and more code."""
    first, *others = cells
    book = nbformat.v4.new_notebook()
    book.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
    book.metadata["language_info"] = {"name": "python"}
    book.cells = [nbformat.v4.new_markdown_cell("# A title"), nbformat.v4.new_code_cell(first)]
    book.cells[1].metadata["tags"] = ["parameters"]
    book.cells += [nbformat.v4.new_code_cell(source) for source in others]
    nbformat.write(book, path)
    return path


@pytest.mark.parametrize(
    ("line", "text", "value"),
    [
        ("rounds: int = 10  # T [1, 1_000_000]", "1e5", 100_000),
        ("rounds: int = 10  # T [1, 1_000_000]", "1_000", 1000),
        ("gamma: float = 0.9  # discount (0, 1]", "1e-3", 0.001),
        ("gamma: float = 0.9  # discount (0, 1]", "1", 1.0),
        ("ties: str = 'random'  # how {random, first}", "first", "first"),
        ("label: str = ''  # anything", "a=b # c", "a=b # c"),
        ("quick: bool = False  # less of it", "true", True),
        ("quick: bool = True  # less of it", "No", False),
    ],
)
def test_values_are_read_as_people_write_them(line, text, value):
    parsed = declared(line).parsed(text)
    assert parsed == value
    assert type(parsed) is type(value)


@pytest.mark.parametrize(
    ("line", "text", "said"),
    [
        ("rounds: int = 10  # T [1, 100]", "2.5", "rounds must be a whole number, not '2.5'."),
        ("rounds: int = 10  # T [1, 100]", "ten", "rounds must be a number, not 'ten'."),
        ("rounds: int = 10  # T [1, 100]", "101", "rounds must be in [1, 100], not '101'."),
        ("rounds: int = 10  # T [1, 100]", "inf", "rounds must be a whole number, not 'inf'."),
        ("gamma: float = 0.9  # (0, 1]", "0", "gamma must be in (0, 1], not '0'."),
        ("gamma: float = 0.9  # (0, 1]", "nan", "gamma must be in (0, 1], not 'nan'."),
        ("gamma: float = 0.9  # (0, 1)", "1", "gamma must be in (0, 1), not '1'."),
        ("ties: str = 'a'  # {random, first}", "firstly", "There is no ties 'firstly': did you"),
        ("quick: bool = True  # less", "2", "quick must be true or false, not '2'."),
    ],
)
def test_a_value_out_of_its_declared_range_is_refused(line, text, said):
    with pytest.raises(InputError) as refused:
        declared(line).parsed(text)
    assert said in str(refused.value)


def test_names_are_checked_and_the_closest_is_offered():
    known = {"gamma": declared("gamma: float = 0.9  # discount (0, 1]")}
    assert checked(["gamma=0.5"], known, "07") == {"gamma": 0.5}
    for bad, said in [("gama=0.5", "did you mean 'gamma'"), ("gamma", "name=value")]:
        with pytest.raises(InputError, match=said):
            checked([bad], known, "07")
    with pytest.raises(InputError, match="given twice"):
        checked(["gamma=0.5", "gamma=0.6"], known, "07")


@pytest.mark.parametrize("path", notebook.chapters().values(), ids=list(notebook.chapters()))
def test_every_notebook_declares_its_parameters_with_types_and_help(path):
    found = notebook.parameters(notebook.read(path))
    assert found
    for parameter in found.values():
        assert len(parameter.text) >= 8, parameter
        if parameter.kind in (int, float):
            assert parameter.limits(), f"{parameter.name} has no range"
            assert parameter.parsed(repr(parameter.default)) == parameter.default
        if parameter.choices:
            assert parameter.default in parameter.choices


def test_a_notebook_is_executed_with_the_values_and_says_what_was_changed(tmp_path):
    source = made(tmp_path / "source.ipynb", "n: int = 2  # a number [1, 9]", "print(n * 10)")
    out = tmp_path / "out.ipynb"
    notebook.run(source, ["n=7"], out, 60)
    executed = nbformat.read(out, 4)
    assert executed.cells[-1].outputs[0].text == "70\n"
    assert "`n = 7` (the text's: `2`)" in executed.cells[1].source


def test_a_failing_cell_is_named_in_two_lines_and_what_ran_is_kept(tmp_path, capsys, monkeypatch):
    source = made(tmp_path / "bad.ipynb", "n: int = 2  # a number [1, 9]", "print(n)", "1 / 0")
    monkeypatch.setattr(notebook, "chapters", lambda: {"bad": source})
    out = tmp_path / "out.ipynb"
    assert main(["notebook", "bad", "-o", str(out)]) == 1
    said = capsys.readouterr().err.splitlines()[-2:]
    assert said[0].startswith("rb: cell [3] of bad failed")
    assert said[1] == "ZeroDivisionError: division by zero"
    printed = [cell for cell in nbformat.read(out, 4).cells if cell.source == "print(n)"]
    assert printed[0].outputs[0].text == "2\n"


def test_a_cell_that_takes_too_long_is_stopped(tmp_path, capsys, monkeypatch):
    source = made(tmp_path / "slow.ipynb", "n: int = 2  # a number [1, 9]",
                  "import time; time.sleep(60)")
    monkeypatch.setattr(notebook, "chapters", lambda: {"slow": source})
    call = ["notebook", "slow", "-o", str(tmp_path / "out.ipynb"), "--timeout", "1"]
    assert main(call) == 1
    assert "took over 1 seconds" in capsys.readouterr().err


def test_help_lists_the_parameters_of_a_chapter(capsys):
    assert main(["notebook", "07", "--help"]) == 0
    said = capsys.readouterr().out
    for name in ("gamma: float = 0.99999", "ties: str = 'random'", "{random, first}"):
        assert name in said


@pytest.mark.slow
def test_a_chapter_runs_to_its_end_with_another_discount_and_number_of_arms(tmp_path):
    out = tmp_path / "mine.ipynb"
    assert main(["notebook", "07", "-p", "gamma=0.9", "-p", "K=4", "-o", str(out)]) == 0
    cells = nbformat.read(out, 4).cells
    assert "`gamma = 0.9` (the text's: `0.99999`), `K = 4` (the text's: `6`)" in cells[1].source
    assert all(cell.execution_count for cell in cells if cell.cell_type == "code")
    optimum = next(cell for cell in cells if cell.id == "optimum")
    assert "4-hetero increasing" in optimum.outputs[0].data["text/plain"]
    assert "6-hetero" not in str([cell.get("outputs") for cell in cells])
