"""The notebooks behind the download button: plain Markdown around the same code."""

import os
import random
import re
import zlib
from types import SimpleNamespace

import nbformat
import pytest
import yaml
from nbclient import NotebookClient
from sphinx.application import Sphinx

from tests.conftest import TOP

QUICK = ("01", "02", "03", "09", "10", "11", "12")  # chapters that take seconds

# What Jupyter would show as it stands: directives, roles, targets, labels of formulas.
RAW = re.compile(
    r"\[\]\(|^\s*(`{3,}|:{3,})\{[\w:-]+\}|\{[\w:-]+\}`|^\([\w-]+\)=\s*$|\$\$\s*\([\w-]+\)",
    re.MULTILINE,
)

SAMPLE = r"""
(here)=
# Sample

% not for readers

Equation {eq}`eq-one` of {prf:ref}`prop-one` is in {ref}`here` and in {doc}`other`, or
{doc}`page two <other>`, [](other.ipynb) or [](#here). {cite:t}`one2001` and
{cite:p}`one2001,three2003`. It is {glue:text}`own`, elsewhere {glue:any}`foreign`;
{ref}`ex-one` asks why. A set $\{a\}$ is no role.

| {glue:text}`own` | b |
|---|---|
| 1 | {eq}`eq-one` |

Term
: Its meaning, {glue:text}`own`.

```{prf:proposition} It holds
:label: prop-one

As in

$$
x = 1
$$ (eq-one)
```

```{prf:proof}
See {eq}`eq-one`.
```

````{exercise} Why
:label: ex-one

Say why.
````

````{solution} ex-one
:label: sol-one
:class: dropdown

```python
print("{eq}`eq-one`")
```
````

- in a list

  :::{note} Mind this.
  :::

```{figure} picture.png
:alt: A line

Its caption, {glue:text}`own`.
```
"""

PLAIN = r"""# Sample



Equation (1) of Proposition 1 is in Sample and in *Other*, or
page two, *Other* or Sample. One and Two (2001) and
(One and Two, 2001; Three et al., 2003). It is 42%, elsewhere 7;
Exercise 1 asks why. A set $\{a\}$ is no role.

| 42% | b |
|---|---|
| 1 | (1) |

- **Term**:
  Its meaning, 42%.

<blockquote>

**Proposition 1 (It holds)**

As in

$$
x = 1
\tag{1}
$$

</blockquote>

<blockquote>

**Proof**

See (1).

</blockquote>

<blockquote>

**Exercise 1 (Why)**

Say why.

</blockquote>

<details>
<summary>Solution to Exercise 1</summary>

```python
print("{eq}`eq-one`")
```

</details>

- in a list

  <blockquote>

  **Note**

  Mind this.

  </blockquote>

![A line](picture.png)

Its caption, 42%."""

WORKS = """
@book{one2001, author={One, Ann and Two, Bob}, title={First}, publisher={P}, year={2001}}
@book{three2003, author={Three, C and Four, D and Five, E}, title={Second}, publisher={P},
  year={2003}}
"""


KERNEL = {"name": "python3", "display_name": "Python 3"}


def notebook_with_glue(text, name, value):
    output = nbformat.v4.new_output(
        "display_data",
        {"application/papermill.record/text/plain": repr(value)},
        metadata={"scrapbook": {"name": name, "mime_prefix": "application/papermill.record/"}},
    )
    cells = [
        nbformat.v4.new_code_cell("glue()", outputs=[output], execution_count=1),
        nbformat.v4.new_markdown_cell(text),
    ]
    return nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": KERNEL})


@pytest.mark.slow
def test_every_construct_becomes_plain(tmp_path, monkeypatch):
    source, target = tmp_path / "source", tmp_path / "target"
    source.mkdir()
    (source / "works.bib").write_text(WORKS)
    (source / "picture.png").write_bytes(b"")
    (source / "index.md").write_text(
        "# Top\n\n```{toctree}\nsample\nother\n```\n\n```{bibliography}\n```\n"
    )
    nbformat.write(notebook_with_glue(SAMPLE, "own", "42%"), source / "sample.ipynb")
    nbformat.write(notebook_with_glue("# Other", "foreign", 7), source / "other.ipynb")
    monkeypatch.syspath_prepend(TOP / "book" / "_ext")
    extensions = ["myst_nb", "sphinx_proof", "sphinx_exercise", "sphinxcontrib.bibtex"]
    settings = {
        "extensions": [*extensions, "plain_downloads"],
        "source_suffix": {".md": "myst-nb"},  # else Sphinx adds to its default, for other tests
        "myst_enable_extensions": ["colon_fence", "deflist", "dollarmath"],
        "nb_execution_mode": "off",
        "bibtex_bibfiles": ["works.bib"],
    }
    app = Sphinx(source, None, target, tmp_path / "trees", "html", settings, status=None)
    app.build()
    sample = nbformat.read(target / "_sources" / "sample.ipynb", 4)
    code, text, references = sample.cells
    assert code == nbformat.read(source / "sample.ipynb", 4).cells[0]
    assert text.source == PLAIN
    assert references.source.splitlines() == [
        "**References**",
        "",
        "- Ann One and Bob Two. First. P, 2001.",
        "- C Three, D Four, and E Five. Second. P, 2003.",
    ]


@pytest.mark.browser
@pytest.mark.timeout(1800)  # waits for the build
def test_downloads_are_plain_and_have_the_same_code(book):
    downloads = sorted((book / "_sources").rglob("*.ipynb"))
    assert len(downloads) > 3
    title = yaml.safe_load((TOP / "_config.yml").read_text())["title"]
    for path in downloads:
        notebook = nbformat.read(path, 4)
        nbformat.validate(notebook)
        original = nbformat.read(TOP / path.relative_to(book / "_sources"), 4)
        assert notebook.cells[0].id == "what-it-needs"
        assert notebook.cells[0].source.startswith(f'# A page of "{title}".')
        assert [c for c in notebook.cells[1:] if c.cell_type == "code"] == [
            c for c in original.cells if c.cell_type == "code"
        ]
        for cell in notebook.cells:
            if cell.cell_type == "markdown":
                assert not RAW.search(cell.source), (path.name, RAW.search(cell.source)[0])


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.timeout(1800)  # waits for the build
def test_downloads_run_as_they_are_in_an_empty_folder(book, tmp_path):
    """Two chapters and an experiment: others when the book changes, the same for the same book.

    And the page on sweeps, which reads files beside it.
    """
    sources = book / "_sources" / "notebooks"
    chapters, pages = sorted(sources.glob("[0-9]*.ipynb")), sorted(sources.glob("experiments/*"))
    quick = [path for path in chapters if path.name[:2] in QUICK]
    pick = random.Random(zlib.crc32(b"".join(path.read_bytes() for path in chapters)))
    outside = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    sweep = sources / "sweeps" / "sensitivity.ipynb"
    for path in [*pick.sample(quick, 2), pick.choice(pages), sweep]:
        folder = tmp_path / path.stem
        folder.mkdir()
        notebook = nbformat.read(path, 4)
        committed = [printed(cell) for cell in notebook.cells]
        client = NotebookClient(notebook, timeout=600, resources={"metadata": {"path": folder}})
        client.execute(env=outside)  # raises if a cell does
        assert [printed(cell) for cell in notebook.cells] == committed, path.name


def test_a_download_says_what_it_needs(monkeypatch):
    monkeypatch.syspath_prepend(TOP / "book" / "_ext")
    import importlib.util

    import plain_downloads

    config = SimpleNamespace(html_title="A book", project="", project_address="https://example.org/book")
    first = plain_downloads.needs(config).source
    assert "A book" in first
    assert "https://example.org/book" in first
    exec(first, {})  # here the package is
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(SystemExit, match="needs rb_core"):
        exec(first, {})


def printed(cell):
    """What a cell printed, if it is code."""
    outputs = cell.get("outputs", [])
    return "".join(output.text for output in outputs if output.output_type == "stream")
