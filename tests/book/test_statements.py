"""Marks for kinds of statements, and links to the glossary, where the text calls for them."""

import re

import pytest
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace

from tests.conftest import TOP

PAGE = """# A cycle

```{prf:proposition} Shown
:label: one

It holds.
```

```{prf:proof}
As one sees.
```

```{prf:remark} By the way
:label: two

Nothing follows.
```

```{prf:theorem} Shown later
:label: three

It holds, too.
```

A word before the proof.

```{prf:proof}
As one sees.
```

```{prf:theorem} Not shown
:label: four

Who knows?
```

A word, and a picture.

> Something else.

```{prf:proof}
Of something else.
```

*The paper states* that a cycle is best, and a cycle is. {kind}`computed`
*The paper states just this.*
**What we observe.** It is.

:::{beside}
By the way.
:::

- Observed: it ends in cycles.
- Whatever is observed: not this.
"""
GLOSSARY = "# Glossary\n\n```{glossary}\ncycle\n  What repeats.\n```\n"


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    folder = tmp_path_factory.mktemp("book")
    for name, text in {
        "index": "# A book\n\n```{toctree}\nbook/glossary\nnotebooks/01_first\n```\n",
        "book/glossary": GLOSSARY,
        "notebooks/01_first": PAGE,
    }.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / f"{name}.md").write_text(text)
    (folder / "conf.py").write_text(
        f"import sys\nsys.path.append({str(TOP / 'book' / '_ext')!r})\nproject_address = ''\n"
        "myst_enable_extensions = ['colon_fence']\nsource_suffix = {'.md': 'markdown'}\n"
        "extensions = ['myst_parser', 'sphinx_proof', 'accessible', 'statements', 'terms']\n")
    with docutils_namespace():  # or other tests meet what this one registers
        app = Sphinx(folder, folder, folder / "out", folder / "trees", "html", status=None,
                     warning=None)
        app.build()
    return (folder / "out" / "notebooks" / "01_first.html").read_text()


def test_what_says_of_what_kind_it_is_is_marked(page):
    marked = re.findall(r'class="kind kind-(\w+)">([^<]*)<', page)
    assert sorted(marked) == [
        ("computed", "computed"), ("observed", "Observed"), ("observed", "What we observe."),
        ("paper", "The paper states"), ("proved", "proved"), ("proved", "proved"),
    ]  # fmt: skip
    assert re.search(r"Shown\) <span class=\"kind kind-proved", page)
    assert re.search(r"Shown later\) <span class=\"kind kind-proved", page)


def test_a_remark_stands_beside_the_text(page):
    assert re.search(r'<div class="beside[^"]*">\s*<p>By the way\.</p>', page)


def test_the_first_use_of_a_term_leads_to_the_glossary(page):
    links = re.findall(r'<a [^>]*href="([^"]*)"[^>]*><span class="std-term">([^<]*)<', page)
    assert links == [("../book/glossary.html#term-cycle", "cycle")]
    assert "that a <a" in page  # the heading has the word, too, and the list another
