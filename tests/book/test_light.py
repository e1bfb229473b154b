"""Style sheets are cut to what is named, and nothing that is named is lost."""

import sys

from tests.conftest import TOP

sys.path.append(str(TOP / "book" / "_ext"))
from light import cut, description, words_in


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
