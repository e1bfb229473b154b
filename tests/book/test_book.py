"""The built book: its links, its weight, its search, how it prints."""

import os
import re
import time
from pathlib import Path

from tests.book.conftest import opened


def test_the_book_builds_without_a_warning(book):
    assert (book / "index.html").exists()


def test_what_is_folded_away_is_printed(browser, served):
    browser.get(f"{served}/book/claims.html")
    visible = """return [...document.querySelectorAll("details.sd-dropdown > div")]
        .map(box => box.checkVisibility() && box.clientHeight > 0)"""
    assert set(browser.execute_script(visible)) == {False}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        assert set(browser.execute_script(visible)) == {True}
    finally:
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


def test_search_finds_pages(browser, served):
    opened(browser, f"{served}/search.html?q=bandit")
    deadline = time.time() + 20
    found = []
    while not found and time.time() < deadline:
        found = browser.find_elements("css selector", "#search-results ul.search li a")
        time.sleep(0.1)
    assert found


def test_links_inside_the_book_lead_somewhere(book, pages):
    from html.parser import HTMLParser

    class Links(HTMLParser):
        def __init__(self):
            super().__init__()
            self.found = []

        def handle_starttag(self, tag, attributes):
            self.found += [value for name, value in attributes if name == "href" and value]

    broken = []
    for page in pages:
        links = Links()
        links.feed((book / page).read_text())
        for link in links.found:
            target = link.split("#")[0].split("?")[0]
            if target and "://" not in target and not target.startswith(("mailto:", "data:")):
                path = os.path.normpath(book / Path(page).parent / target)
                if not os.path.exists(path):
                    broken.append((page, link))
    assert broken == []


def test_no_page_is_heavier_than_a_megabyte_and_a_half(book, pages):
    for page in pages:
        text = (book / page).read_text()
        images = {
            (book / page).parent / name for name in re.findall(r'<img[^>]* src="(.*?)"', text)
            if not name.startswith("data:")  # which is part of the page
        }
        weight = (book / page).stat().st_size + sum(image.stat().st_size for image in images)
        assert weight <= 1.5e6, page
