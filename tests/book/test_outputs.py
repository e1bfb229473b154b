"""The stamps in the notebooks: all up to date, and none says so when something has changed."""

import ast
import copy
import sys

import pytest

from tests.conftest import TOP

sys.path += [str(TOP / "book" / "outputs"), str(TOP / "book" / "_ext")]

import committed
import execution_cache
import nbformat
import stamp
import watch
from execute import execute

NOTEBOOKS = committed.notebooks()
PROSE = [path for path in sorted((TOP / "book").glob("*.md")) if "{code-cell}" in path.read_text()]


def test_all_committed_outputs_are_up_to_date():
    said = {path.stem: ", ".join(names) for path, names in committed.out_of_date().items()}
    assert said == {}, "`make derived` executes these notebooks anew"


def test_all_notebooks_of_the_book_are_looked_at():
    contents = (TOP / "_toc.yml").read_text()
    names = [path.relative_to(TOP).with_suffix("").as_posix() for path in NOTEBOOKS]
    listed = [name for name in names if f"file: {name}\n" in contents]
    assert len(listed) == contents.count("file: notebooks/")


@pytest.fixture
def made(tmp_path, monkeypatch):
    """A little project: a notebook that was made from a module, a table and another notebook."""
    monkeypatch.setattr(stamp, "TOP", tmp_path)
    (tmp_path / "code.py").write_text("def double(x):\n    return 2 * x\n")
    (tmp_path / "table.csv").write_text("a,b\n1,2\n")
    cells = [nbformat.v4.new_markdown_cell("# Title"), nbformat.v4.new_code_cell("double(1)")]
    notebook = nbformat.v4.new_notebook(cells=cells)
    nbformat.write(notebook, tmp_path / "other.ipynb")
    notebook.metadata[stamp.NAME] = stamp.stamp(notebook, {"code.py", "table.csv", "other.ipynb"})
    assert stamp.changed(notebook) == []
    return notebook


def test_words_and_comments_make_nothing_stale(made):
    code = stamp.TOP / "code.py"
    code.write_text('"""Doubles."""\n# twice\ndef double(x):\n    """2 x."""\n    return (2 * x)\n')
    made.cells[0].source = "# Another title"
    assert stamp.changed(made) == []


@pytest.mark.parametrize(
    ("file", "text"),
    [("code.py", "def double(x):\n    return 3 * x\n"), ("table.csv", "a,b\n1,3\n")],
)
def test_another_input_makes_it_stale(made, file, text):
    (stamp.TOP / file).write_text(text)
    assert stamp.changed(made) == [file]


def test_a_missing_input_makes_it_stale(made):
    (stamp.TOP / "table.csv").unlink()
    assert stamp.changed(made) == ["table.csv"]


def test_another_cell_makes_it_stale(made):
    made.cells[1].source = "double(2)"
    assert stamp.changed(made) == ["cells"]


def test_another_text_of_the_notebook_it_is_made_from_makes_it_stale(made):
    other = copy.deepcopy(made)
    other.cells[0].source = "# Another title"
    nbformat.write(other, stamp.TOP / "other.ipynb")
    assert stamp.changed(made) == ["other.ipynb"]


def test_a_notebook_without_a_stamp_is_stale():
    assert stamp.changed(nbformat.v4.new_notebook()) == ["never stamped"]


def test_code_has_the_same_name_in_all_versions_of_python():
    """Written down by hand, because only one version runs here."""
    found = stamp.described(ast.parse("f(1)"))
    name = ["Name", ["id", "'f'"], ["ctx", ["Load"]]]
    call = ["Call", ["func", name], ["args", [["Constant", ["value", "1"]]]]]
    assert found == ["Module", ["body", [["Expr", ["value", call]]]]]


READER = """
import subprocess, sys
import rb_core.settings
text = open("table.csv").read()
open("written.csv", "w").write(text)
subprocess.run([sys.executable, "-c", "import numpy as np; np.load('array.npz')['a']"], check=True)
"""


def test_what_a_notebook_reads_is_seen(tmp_path, monkeypatch):
    """Also by the programs that it starts; not what it writes, nor the package's other files."""
    import numpy as np

    monkeypatch.setattr(watch, "TOP", tmp_path)
    (tmp_path / "table.csv").write_text("a\n")
    np.savez(tmp_path / "array.npz", a=1)
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(READER)])
    with watch.reads() as files:
        execute(notebook, tmp_path)
    assert files == {"table.csv", "array.npz"}


def test_the_code_of_the_package_is_part_of_every_stamp():
    for path in NOTEBOOKS:
        assert "rb_core/__init__.py" in stamp.read(path)["metadata"][stamp.NAME], path.stem


@pytest.mark.slow
@pytest.mark.parametrize("path", PROSE, ids=[path.stem for path in PROSE])
def test_the_cache_of_other_pages_watches_all_that_they_read(path):
    from myst_nb.core.read import read_myst_markdown_notebook

    notebook = read_myst_markdown_notebook(path.read_text())
    with watch.reads() as files:
        execute(notebook, path.parent)
    known = {file.relative_to(TOP).as_posix() for file in execution_cache.watched(TOP)}
    assert files - known == set()
    assert any(file.startswith("rb_core/") for file in files)
