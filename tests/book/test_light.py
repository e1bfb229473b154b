"""Style sheets are cut to what is named, and nothing that is named is lost."""

import re
import sys
from types import SimpleNamespace

import pytest

from tests.conftest import TOP

sys.path.append(str(TOP / "book" / "_ext"))
from light import CARD, SCRIPTS, cut, description, lighten, words_in


def test_rules_for_what_nothing_names_are_dropped():
    known = words_in(['<p class="here also-here">', "button.classList.add('made-by-script')"])
    css = """p { color: red } .here { a: b } .gone { a: b } .here, .gone .also-here { c: d }
        .made-by-script:hover { e: f } @media print { .gone { a: b } }
        @media (width > 3px) { .here { g: h } }
        .here:not(.gone) { i: j } @font-face { font-family: "Font Awesome 6 Free"; src: url(x) }
        .here::after { content: var(--pst-icon-note); color: blue }"""
    left = cut(css, known).replace(" ", "")
    assert left == (
        "p{color:red}.here{a:b}.here{c:d}.made-by-script:hover{e:f}@media(width>3px){.here{g:h}}"
        ".here:not(.gone){i:j}.here::after{color:blue}"
    )


def test_a_page_is_described_by_its_first_words():
    words = "Some words about <em>this</em> &amp; that, long enough to say something. " * 4
    page = f'<p>{"x" * 60}</p><article class="bd-article"><p>Short.</p><p>{words}</p></article>'
    said = description(page)
    assert said.startswith("Some words about this &amp; that, long")
    assert said.endswith("…")
    assert len(said) < 170


PAGE = """<html><head><meta charset="utf-8"><title>Cycles &amp; ties</title>
<script data-cfasync="false"></script></head><body><article class="bd-article">
<p>What is "best" &lt; what is good: enough words to be a description.</p></article></body></html>
"""
ASKS = 'document.querySelectorAll(["pre",x].join(", ")).forEach(e=>{e.tabIndex=0})'


@pytest.fixture
def built(tmp_path):
    """The least that a built book has."""
    static = tmp_path / "_static"
    for name in (*SCRIPTS, "searchtools.js", "language_data.js", "terms.js", "interactive.js"):
        (static / name).parent.mkdir(parents=True, exist_ok=True)
        (static / name).write_text(ASKS if name == "scripts/pydata-sphinx-theme.js" else "")
    (static / CARD).touch()
    (tmp_path / "book").mkdir()
    (tmp_path / "book" / "intro.html").write_text(PAGE)
    (tmp_path / "index.html").write_text('<meta charset="utf-8">\n<meta http-equiv="refresh">')
    return tmp_path


def made_light(built, address):
    config = SimpleNamespace(project_address=address, root_doc="book/intro")
    builder = SimpleNamespace(name="html")
    lighten(SimpleNamespace(builder=builder, outdir=built, config=config), None)


def test_a_published_page_says_where_it_is_and_how_it_looks_where_it_is_named(built):
    made_light(built, "https://example.org/rb/")
    for name in ("book/intro.html", "index.html"):
        head = (built / name).read_text().partition("</head>")[0]
        assert re.findall(r'rel="canonical" href="([^"]*)"', head) == [
            "https://example.org/rb/book/intro.html"
        ]
        assert dict(re.findall(r'property="og:(\w+)" content="([^"]*)"', head)) == {
            "type": "article",
            "title": "Cycles &amp; ties",
            "description": "What is &quot;best&quot; &lt; what is good: enough words to be a "
            "description.",
            "url": "https://example.org/rb/book/intro.html",
            "image": f"https://example.org/rb/_static/{CARD}",
        }
    assert (built / "_static" / CARD).exists()
    assert (TOP / "book" / "_static" / CARD).exists()


def test_what_is_published_nowhere_pretends_no_address(built):
    made_light(built, "")
    for name in ("book/intro.html", "index.html"):
        text = (built / name).read_text()
        assert "canonical" not in text
        assert "og:" not in text
    assert not (built / "_static" / CARD).exists()
