"""The one page that `make pdf` prints: every chapter, then all solutions."""

import re
import subprocess
import sys
from html import unescape
from pathlib import Path

import nbformat
import pytest

from tests.conftest import TOP

pytestmark = [pytest.mark.browser, pytest.mark.timeout(1800)]


@pytest.fixture(scope="module")
def page(book):
    """After the pages of the book, whose parsed sources are used again."""
    builder = Path(sys.executable).with_name("jupyter-book")
    command = [str(builder), "build", ".", "-n", "-W", "--keep-going", "--builder", "singlehtml"]
    done = subprocess.run(command, cwd=TOP, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return (TOP / "_build" / "singlehtml" / "book" / "intro.html").read_text()


def chapters():
    contents = (TOP / "_toc.yml").read_text()
    listed = re.findall(r"file: (notebooks/(?:\d|sweeps/)\w+)$", contents, re.MULTILINE)
    return [nbformat.read(TOP / f"{name}.ipynb", 4) for name in listed]


def test_every_chapter_is_there_in_order(page):
    titles = [next(c for c in each.cells if c.cell_type == "markdown") for each in chapters()]
    titles = [cell.source.splitlines()[0].removeprefix("# ") for cell in titles]
    headings = re.findall(r"<h2>(.*?)</h2>", page)
    headings = [unescape(re.sub(r"<span class=.*?</span>|<a .*|<.*?>", "", h)) for h in headings]
    assert [heading for heading in headings if heading in titles] == titles


def test_solutions_are_at_the_end(page):
    written = sum(
        len(re.findall(r"^`{3,}\{solution\}", cell.source, re.MULTILINE))
        for chapter in chapters()
        for cell in chapter.cells
    )
    before, after = page.split('id="solutions"')
    shown = re.compile(r'<div class="[^"]*solution[^"]*admonition[^"]*"[^>]*>')
    assert shown.findall(before) == []
    assert len(shown.findall(after)) == written
    assert not any("dropdown" in each for each in shown.findall(after))


def test_links_stay_on_the_page(page):
    places = set(re.findall(r'\bid="([^"]+)"', page))
    body = page[page.index("<article") :]
    links = re.findall(r'<a class="[^"]*reference internal[^"]*" href="([^"]*)"', body)
    assert [link for link in links if link[0] != "#" or link[1:] not in places] == []
