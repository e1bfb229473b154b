"""Makes book/_static/math.woff2, the font of formulas: STIX Two Math, the glyphs that TeX names.

The font is the STIX Fonts Project's, under the SIL Open Font License (book/_static/math-font.txt).
It is fetched once, by its hash, and cut down from 400 kB.  Needs fontTools and brotli:

    .venv/bin/python -m pip install brotli && .venv/bin/python book/math_font.py
"""

import base64
import hashlib
import io
import sys
import tarfile
import urllib.request
from pathlib import Path

from fontTools import subset
from fontTools.pens.transformPen import TransformPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont

STATIC = Path(__file__).parent / "_static"
ADDRESS = "https://registry.npmjs.org/@fontsource/stix-two-math/-/stix-two-math-5.3.0.tgz"
DIGEST = "negoeozw6VSXjZMozwKRSm/dhCQT62csZcuea9I8KYqPaZq/8KbbBBrA02ZHF7AyuR5mVML/p+q0bwFuSIf2GQ=="
sys.path.append(str(Path(__file__).parent / "_ext"))

import tex_to_mathml as tex  # noqa: E402


def characters():
    """Everything that a formula of the book can contain."""
    tables = (
        tex.LETTERS,
        tex.CAPITALS,
        tex.RELATIONS,
        tex.BINARY,
        tex.LARGE,
        tex.OPENING,
        tex.CLOSING,
        tex.BARS,
        tex.ACCENTS,
    )
    signs = {char for table in tables for text in table.values() for char in text}
    plain = {chr(code) for code in range(0x20, 0x7F)} | set("\u00a0\u2009′″‴⏟⏞∤≮≯≰≱√")
    # Mathematical alphabets: bold, italic, script, double-struck, and their digits.
    ranges = (
        (0x1D400, 0x1D468),
        (0x1D49C, 0x1D4D0),
        (0x1D538, 0x1D56C),
        (0x1D6A4, 0x1D71C),
        (0x1D7CE, 0x1D7E2),
        (0x2100, 0x2140),
    )
    return signs | plain | {chr(code) for first, end in ranges for code in range(first, end)}


def narrow_radicals(font):
    """All roots are as wide as the smallest, as in TeX.

    Browsers reserve the width of the widest for each, which leaves a gap after the others. What is
    put together from parts would be wider still, and no formula here is so high.
    """
    glyphs, root = font.getGlyphSet(), font.getBestCmap()[ord("√")]
    variants = font["MATH"].table.MathVariants
    made = variants.VertGlyphConstruction[variants.VertGlyphCoverage.glyphs.index(root)]
    made.GlyphAssembly = None
    width, _ = font["hmtx"][root]
    for record in made.MathGlyphVariantRecord:
        name = record.VariantGlyph
        scale = width / font["hmtx"][name][0]
        if scale < 1:
            pen = TTGlyphPen(None)
            glyphs[name].draw(TransformPen(pen, (scale, 0, 0, 1, 0, 0)))
            font["glyf"][name] = glyph = pen.glyph()
            glyph.recalcBounds(font["glyf"])
            font["hmtx"][name] = (width, glyph.xMin)


if __name__ == "__main__":
    packed = urllib.request.urlopen(ADDRESS, timeout=60).read()
    assert base64.b64encode(hashlib.sha512(packed).digest()).decode() == DIGEST
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        read = {
            name: archive.extractfile(f"package/{name}").read()
            for name in ("files/stix-two-math-latin-400-normal.woff2", "LICENSE")
        }
    font = TTFont(io.BytesIO(read["files/stix-two-math-latin-400-normal.woff2"]))
    options = subset.Options(
        layout_features=["ssty", "rtlm", "kern", "ccmp"], hinting=False, flavor="woff2"
    )
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=map(ord, characters()))
    cutter.subset(font)
    narrow_radicals(font)
    font.flavor = "woff2"
    font.save(STATIC / "math.woff2")
    (STATIC / "math-font.txt").write_bytes(read["LICENSE"])
