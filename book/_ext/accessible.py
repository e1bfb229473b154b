"""Mend what the theme's pages lack for readers who listen to them; axe-core checks the outcome."""

import re
from pathlib import Path

REPAIRS = [
    # The arrow that unfolds a part of the side bar has no name.
    (r"<summary>(?=<span class=\"toctree-toggle)", '<summary aria-label="Pages in this part">'),
    # Names that are not what is written there: what is written will do.
    (r'(<summary) aria-label="Toggle hidden content"', r"\1"),
    (r'(<button class="btn search-button-field[^>]*) aria-label="Search"', r"\1"),
    (r'(<i class="theme-switch [^>]*) title="[^"]*"', r"\1"),
    # The page that only leads to the first one: without an icon the browser asks for another.
    (r'(<meta http-equiv="Refresh")', r'<link rel="icon" href="_static/favicon.svg">\1'),
    # A list needs items.
    (r'(<div class="citation"[^>]*) role="doc-biblioentry"', r'\1 role="listitem"'),
]


def mend(app, error):
    if error or app.builder.name != "html":
        return
    for path in Path(app.outdir).rglob("*.html"):
        before = after = path.read_text(encoding="utf-8")
        for pattern, replacement in REPAIRS:
            after = re.sub(pattern, replacement, after)
        if after != before:
            path.write_text(after, encoding="utf-8")


def setup(app):
    app.connect("build-finished", mend, priority=900)  # after all others
    return {"parallel_read_safe": True, "parallel_write_safe": True}
