"""Formulas as MathML: what TeX means, or a refusal."""

import json
import re
import sys
import xml.etree.ElementTree as ElementTree

import pytest

from tests.conftest import TOP

sys.path.append(str(TOP / "book" / "_ext"))
from tex_to_mathml import TexError, convert

CODE = re.compile(r"^(`{3,})(?!\{(?!code-cell))[^\n]*\n.*?^\1", re.MULTILINE | re.DOTALL)


def shape(tex, display=False):
    """The formula as nested tags and texts, without attributes."""

    def of(node):
        inside = "".join(map(of, node)) or (node.text or "")
        return f"{node.tag.removeprefix('m')}({inside})"

    return "".join(map(of, ElementTree.fromstring(convert(tex, display))))


@pytest.mark.parametrize(
    ("tex", "meant"),
    [
        (r"s_{\max}^K", "subsup(i(s)i(max)i(K))"),
        (r"\frac13 x", "row(frac(n(1)n(3))i(x))"),
        (r"\hat Q(\mathbf{s}, a)", "row(over(i(Q)o(ˆ))o(()i(𝐬)o(,)i(a)o()))"),
        (r"\mathcal{N}\mathbb R\mathbf 1", "row(i(𝒩)i(ℝ)n(𝟏))"),
        ("a'_k", "subsup(i(a)i(k)o(′))"),
        (r"10{,}000", "n(10,000)"),
        (r"\sqrt{x} + \sqrt[3]{y}", "row(sqrt(i(x))o(+)root(i(y)n(3)))"),
        (r"\text{if } x", "row(text(if\u00a0)i(x))"),
        (r"1 < \dots < n, \dots", "row(n(1)o(<)i(⋯)o(<)i(n)o(,)i(…))"),
        (r"\binom nk", "row(o(()frac(i(n)i(k))o()))"),
        (
            r"\begin{aligned} a &= b \\ &= c \end{aligned}",
            "table(tr(td(i(a))td(row(row()o(=)i(b))))tr(td()td(row(row()o(=)i(c)))))",
        ),
    ],
)
def test_a_formula_is_what_tex_means(tex, meant):
    assert shape(tex) == meant


def test_signs_and_relations_are_spaced_as_in_tex():
    assert '<mo form="prefix" lspace="0" rspace="0">−</mo><mn>1</mn>' in convert("x = -1")
    assert "<mo>−</mo>" in convert("x - 1")
    assert '<mo lspace="0" rspace="0">=</mo>' in convert(r"\sum_{k=1}^K x")  # inside scripts
    assert '<mspace width="0.167em"></mspace><mi>n</mi>' in convert(r"\ln n")
    assert "mspace" not in convert(r"\ln(n)")


def test_limits_stand_below_where_they_move():
    assert shape(r"\max_a Q", display=True) == "row(under(o(max)i(a))space()i(Q))"
    assert shape(r"\sum_{k}^{K}") == "underover(o(∑)i(k)i(K))"


@pytest.mark.parametrize(
    "tex", [r"\nosuch x", r"\frac{1", r"a & b", "x }", r"\left( x", r"\begin{foo}x\end{foo}", "§"]
)
def test_what_is_not_known_is_refused(tex):
    with pytest.raises(TexError):
        convert(tex)


def test_every_formula_of_the_book_is_known():
    """So that an author hears of it before the book is built."""
    pages = [
        *TOP.glob("book/*.md"),
        *TOP.glob("notebooks/*.ipynb"),
        *TOP.glob("notebooks/sweeps/*.ipynb"),
    ]
    found = 0
    for path in pages:
        if path.suffix == ".md":
            texts = [path.read_text()]
        else:
            cells = json.loads(path.read_text())["cells"]
            texts = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"]
        for text in texts:
            text = CODE.sub("", text)
            text = re.sub(r"`[^`\n]*`", "", text)
            displayed = re.findall(r"\$\$(.*?)\$\$", text, re.DOTALL)
            text = re.sub(r"\$\$.*?\$\$", "", text, flags=re.DOTALL)
            for tex in [
                *displayed,
                *re.findall(r"(?<![\\$])\$(?!\$)([^$\n]+(?:\n[^$\n]+)?)\$", text),
            ]:
                if "\\\\" in tex and "\\begin" not in tex:
                    tex = f"\\begin{{aligned}}{tex}\\end{{aligned}}"
                ElementTree.fromstring(convert(tex))
                found += 1
    assert found > 1000
