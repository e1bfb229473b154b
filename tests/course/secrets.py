"""What students must not see: solutions and hidden tests."""

import html
import re
from functools import cache

import nbformat
from assignment import assignments, read


@cache
def secrets(name):
    """Lines of solutions and hidden tests that stand nowhere else in the assignment."""
    hidden, shown = set(), set()
    for cell in read(name).notebook.cells:
        inside = False
        for line in map(str.strip, cell.source.splitlines()):
            if line.startswith(("### BEGIN", "### END")):
                inside = line.startswith("### BEGIN")
            elif len(line) >= 25:
                (hidden if inside else shown).add(line)
    return hidden - shown


def leaks(text):
    return {line for name in assignments() for line in secrets(name) if line in text}


def texts_below(folder):
    """What a reader of these files can see, as plain text."""
    for path in folder.rglob("*"):
        if path.suffix == ".ipynb":
            yield path, "\n".join(c.source for c in nbformat.read(path, as_version=4).cells)
        elif path.suffix in (".html", ".md", ".txt", ".js", ".json", ".py"):
            text = path.read_text(errors="ignore")
            yield path, html.unescape(re.sub(r"<[^>]+>", "", text))
