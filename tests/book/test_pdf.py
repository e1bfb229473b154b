"""The one page that `make pdf` prints: every chapter, then all solutions."""

import base64
import re
import shutil
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


# What is folded or scrolls, and what only a screen has: all that paper cannot do.
NOT_ON_PAPER = """
const shown = (selector) => [...document.querySelectorAll(selector)].filter(
  (each) => each.checkVisibility() && each.getClientRects().length);
const style = (selector, name) => [...new Set(
  [...document.querySelectorAll(selector)].map((each) => getComputedStyle(each)[name]))];
const FOLDED = ".bd-article details.sd-dropdown > div";
return {
  folded: document.querySelectorAll(FOLDED).length - shown(FOLDED).length,
  bars: shown("details.above-input, .copybtn, .bd-sidebar, #jb-print-docs-body").length,
  headings: shown("h1").map((each) => each.textContent.replace("#", "")),
  formulas: [style(".formula", "backgroundImage"), style(".formula", "overflowX")],
  scrolling: style(".pst-scrollable-table-container, table.table", "overflowX"),
  badges: style(".verdict-holds", "backgroundColor"),
  cover: document.querySelector(".cover img").naturalWidth > 1000,
}"""


def test_it_prints_as_a_book(page, browser):
    made = TOP / "_build" / "singlehtml"
    shutil.copy(made / "book" / "intro.html", made / "index.html")  # where it finds its sheets
    browser.get((made / "index.html").as_uri())
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        seen = browser.execute_script(NOT_ON_PAPER)
    finally:
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    assert seen == {
        "folded": 0,
        "bars": 0,
        "headings": ["Some choices pay less when you repeat them"],
        "formulas": [["none"], ["visible"]],
        "scrolling": ["visible"],
        "badges": ["rgb(0, 104, 76)"],
        "cover": True,
    }
    # Nor would the first pages be as they are without the rules for paper.
    browser.execute_script("document.querySelectorAll('section.chapter').forEach(c => c.remove())")
    wish = {"preferCSSPageSize": True, "displayHeaderFooter": False}
    pdf = base64.b64decode(browser.execute_cdp_cmd("Page.printToPDF", wish)["data"])
    boxes = set(re.findall(rb"/MediaBox\s*\[\s*([\d. ]+)\]", pdf))
    assert [[round(float(each)) for each in box.split()] for box in boxes] == [[0, 0, 595, 842]]


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


def test_tables_are_aligned_as_on_the_web(page):
    assert page.count('<td class="words">') > 100


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
