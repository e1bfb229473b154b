"""`rb notebook`: parameters checked against the notebook's declaration, then really executed."""

import html
import importlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from unittest.mock import Mock

import markdown_it
import nbclient
import nbformat
import pytest
from jupyter_client import KernelManager

from rb_core.checks import InputError
from rb_core.cli import main
from rb_core.lab import notebooks as notebook
from rb_core.lab.notebooks import checked, declared
from tests.conftest import TOP


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
        ("seed: int = 0  # seed [0, inf)", "1152921504606846977", 2**60 + 1),
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
        ("rounds: int = 10  # T [1, 100]", "2.5", "rounds must be a whole number, not 2.5."),
        ("rounds: int = 10  # T [1, 100]", "ten", "rounds must be a number, not 'ten'."),
        ("rounds: int = 10  # T [1, 100]", "101", "rounds must be in [1, 100], not 101."),
        ("rounds: int = 10  # T [1, 100]", "inf", "rounds must be a whole number, not inf."),
        ("gamma: float = 0.9  # (0, 1]", "0", "gamma must be in (0, 1], not 0."),
        ("gamma: float = 0.9  # (0, 1]", "nan", "gamma must be in (0, 1], not nan."),
        ("gamma: float = 0.9  # (0, 1)", "1", "gamma must be in (0, 1), not 1."),
        ("gamma: float = 0.9  # any", "1" + "0" * 400, "gamma must be in [-inf, inf), not 10^400."),
        ("gamma: float = 0.9  # any", "-inf", "gamma must be in [-inf, inf), not -inf."),
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


DECLARING = {name: path for name, path in notebook.chapters().items()
             if name not in ("sensitivity", "cluster")}


@pytest.mark.parametrize("path", DECLARING.values(), ids=list(DECLARING))
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


def test_what_a_value_contains_is_text_in_the_remark_and_nothing_else(tmp_path):
    source = made(tmp_path / "source.ipynb", "label: str = 'a'  # a name", "print(label)")
    value = "`<img src=x onerror=alert(1)>``"
    notebook.run(source, [f"label={value}"], tmp_path / "out.ipynb", 60)
    executed = nbformat.read(tmp_path / "out.ipynb", 4)
    assert executed.cells[-1].outputs[0].text == f"{value}\n"
    page = markdown_it.MarkdownIt().render(executed.cells[1].source)
    assert "<img" not in page
    assert f"<code>label = {html.escape(repr(value), quote=False)}</code>" in page


@pytest.mark.parametrize("name", ["notebooks/07_a_chapter", "notebooks/experiments/one",
                                  "notebooks/experiments/experiment"])
def test_no_page_of_the_book_is_overwritten(name, tmp_path, monkeypatch):
    (tmp_path / "_toc.yml").write_text(
        "parts:\n- numbered: true\n  chapters:\n  - file: notebooks/07_a_chapter\n"
        "- chapters:\n  - file: book/prose\n    sections:\n    - file: notebooks/experiments/one\n")
    (tmp_path / "notebooks" / "experiments").mkdir(parents=True)
    monkeypatch.setattr(notebook, "PROJECT", tmp_path)
    source = made(tmp_path / "mine.ipynb", "n: int = 2  # a number [1, 9]", "print(n)")
    page = made(tmp_path / f"{name}.ipynb", "n: int = 2  # a number [1, 9]")
    before = page.read_bytes()
    (tmp_path / "link").symlink_to(page.parent)
    for target in (page, tmp_path / "link" / page.name):
        with pytest.raises(InputError, match="is a page of the book"):
            notebook.run(source, [], target, 60)
    assert page.read_bytes() == before


def test_the_notebook_that_is_run_is_not_overwritten(tmp_path, monkeypatch):
    source = made(tmp_path / "source.ipynb", "n: int = 2  # a number [1, 9]", "print(n)")
    before = source.read_bytes()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=r"'source.ipynb' is .* or the notebook that is run"):
        notebook.run(source, [], Path("source.ipynb"), 60)
    assert source.read_bytes() == before


def test_while_a_notebook_runs_the_old_result_stays_and_a_kill_leaves_it(tmp_path, environment):
    made(tmp_path / "source.ipynb", "n: int = 2  # a number [1, 9]", "print(n)",
         "open('begun', 'w').close()\nimport time\ntime.sleep(60)")
    out = tmp_path / "keep.ipynb"
    out.write_text("old")
    program = ("from pathlib import Path; from rb_core.lab import notebooks as notebook; "
               "notebook.run(Path('source.ipynb'), [], Path('keep.ipynb'), 600)")
    running = subprocess.Popen([sys.executable, "-c", program], cwd=tmp_path, env=environment,
                               start_new_session=True, stderr=subprocess.DEVNULL)
    try:
        while not (tmp_path / "begun").exists():
            assert running.poll() is None
            time.sleep(0.05)
    finally:
        os.killpg(running.pid, signal.SIGKILL)
        running.wait()
    assert out.read_text() == "old"
    assert {path.name for path in tmp_path.glob("*.ipynb")} == {"keep.ipynb", "source.ipynb"}


def test_no_warning_of_jupyter_comes_with_a_run(tmp_path, capfd):
    source = made(tmp_path / "source.ipynb", "n: int = 2  # a number [1, 9]", "print(n)")
    notebook.execute(notebook.read(source), "source", {}, tmp_path / "out.ipynb", tmp_path, 60,
                     progress=False)
    assert "IPKernelApp" not in capfd.readouterr().err


def test_no_warning_of_jupyter_comes_with_a_build(tmp_path, capfd, monkeypatch):
    policy = KernelManager.transport_encryption
    monkeypatch.setattr(policy, "default_value", policy.default_value)  # and back afterwards
    monkeypatch.syspath_prepend(TOP / "book" / "_ext")
    importlib.import_module("execution_cache").setup(Mock())
    source = made(tmp_path / "source.ipynb", "n: int = 2  # a number [1, 9]", "print(n)")
    nbclient.execute(notebook.read(source))
    assert "IPKernelApp" not in capfd.readouterr().err


def test_chapters_have_the_numbers_of_the_book(tmp_path):
    numbered = [line.split("/")[-1] for part in (TOP / "_toc.yml").read_text().split("- caption:")
                if "numbered: true" in part for line in part.splitlines() if "file:" in line]
    assert numbered[-2:] == ["sensitivity", "cluster"]
    for number in (1, 7, len(numbered) - 1):
        assert notebook.find(f"{number:02}").stem == numbered[number - 1]
    assert notebook.find("sensitivity") == notebook.NOTEBOOKS / "sweeps" / "sensitivity.ipynb"
    for path in notebook.chapters().values():
        if path.suffix == ".ipynb":
            assert notebook.find(notebook.slug(path)) == notebook.find(path.stem) == path
    assert notebook.find("ss_sarsa").stem.endswith("_ss_sarsa")
    last = len(numbered)
    with pytest.raises(InputError, match=f"Chapter {last}, 'cluster', has no code to run"):
        notebook.find(str(last))
    with pytest.raises(InputError, match=f"no chapter {last + 1}: they are 1 to {last}"):
        notebook.find(str(last + 1))


def test_without_a_clone_of_the_project_chapters_are_said_to_need_one(monkeypatch, tmp_path):
    monkeypatch.setattr(notebook, "PROJECT", tmp_path)
    for name in ("07", "experiment", "nonsense"):
        with pytest.raises(InputError, match="clone of the project"):
            notebook.find(name)


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
    assert main(["notebook", "ss_sarsa", "--help"]) == 0
    said = capsys.readouterr().out
    for name in ("gamma: float = 0.99999", "ties: str = 'random'", "{random, first}"):
        assert name in said


@pytest.mark.slow
def test_a_chapter_runs_to_its_end_with_another_discount_and_number_of_arms(tmp_path):
    out = tmp_path / "mine.ipynb"
    assert main(["notebook", "ss_sarsa", "-p", "gamma=0.9", "-p", "K=4", "-o", str(out)]) == 0
    cells = nbformat.read(out, 4).cells
    assert "`gamma = 0.9` (the text's: `0.99999`), `K = 4` (the text's: `6`)" in cells[1].source
    assert all(cell.execution_count for cell in cells if cell.cell_type == "code")
    optimum = next(cell for cell in cells if cell.id == "optimum")
    assert "4-hetero increasing" in optimum.outputs[0].data["text/plain"]
    assert "6-hetero" not in str([cell.get("outputs") for cell in cells])
