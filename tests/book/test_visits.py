"""Every page opened once, in a browser that has no network but the server it is read from.

While it is open it is looked at in light and dark, wide and as narrow as a phone.
"""

from typing import NamedTuple
from urllib.parse import unquote

import pytest

from tests.book import axe
from tests.book.conftest import opened

WEB = ("http:", "https:", "ws:", "wss:", "//")
WIDE, PHONE = (1300, 1000), (400, 800)
# Pictures load when they come near: here, all at once.
PICTURES = """
const done = arguments[0], article = document.querySelector(".bd-article");
const tex = article && article.innerText.match(/\\\\[(\\[]|\\$\\$/g);
for (const image of document.images) image.loading = "eager";
Promise.all([...document.images].map(image => image.decode().catch(() => {}))).then(() => done([
  document.querySelectorAll("merror").length + (tex || []).length,
  [...document.images].filter(i => !i.complete || !i.naturalWidth).map(i => i.src),
  [...document.images].filter(i => !i.alt).map(i => i.src)]))"""
# What is far away is laid out when it comes near: here, all at once.
WHOLE = """document.head.insertAdjacentHTML(
    "beforeend", "<style>* { content-visibility: visible !important }</style>")"""
# How wide the page is and how wide the screen, and pictures that are drawn too high or too wide.
ON_A_PHONE = """return [document.documentElement.scrollWidth, window.innerWidth,
  [...document.images].filter(image => {
    const {width, height} = getComputedStyle(image), shape = parseFloat(width) / parseFloat(height);
    const own = image.naturalWidth / image.naturalHeight;
    return image.checkVisibility() && Math.abs(shape / own - 1) > 0.03;
  }).map(image => image.src)]"""
LIGHT = 1_200_000  # bytes of a page and all that it asks for at first, uncompressed
FEW = 25

# The page changes its theme a moment after the reader's system has.
THEME = """
const [wanted, done] = arguments;
let looks = 200;
(function look() {
  const theme = document.documentElement.dataset.theme;
  if (theme === wanted || !looks--) done(theme); else setTimeout(look, 50);
})();"""

# Colours that are still on their way from one theme to the other are nobody's.
AT_ONCE = """document.head.insertAdjacentHTML(
    "beforeend", "<style>* { transition: none !important }</style>")"""


class Visit(NamedTuple):
    """What was seen on one page."""

    foreign: list  # addresses elsewhere that it asked for
    requests: int  # for all that it needs before one scrolls
    weight: int  # of these, in bytes
    severe: list  # what the console says
    formulas_and_pictures: list  # wrong formulas, missing pictures, pictures without alt text
    phone: list  # how wide the page is on a phone, how wide the phone; pictures out of shape
    themes: list
    faults: dict  # what axe found in each theme; None without axe


@pytest.fixture(scope="module")
def visits(browser, served, pages, book):
    browser.set_script_timeout(110)  # the driver itself gives up after 120
    try:
        script = axe.script()
    except OSError:
        script = None
    show(browser, WIDE, "light")
    found = {page: visit(browser, served, page, script, book) for page in pages}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    assert len(found) > 50
    return found


def visit(browser, served, page, script, book):
    show(browser, WIDE, "light")
    asked = opened(browser, f"{served}/{page}")
    foreign = [url for url in asked if url.startswith(WEB) and not url.startswith(served)]
    here = [url.removeprefix(f"{served}/") for url in asked if url.startswith(served)]
    own = {url.partition("?")[0] for url in here}
    weight = sum((book / unquote(path)).stat().st_size for path in own)
    severe = [line for line in browser.get_log("browser") if line["level"] == "SEVERE"]
    browser.execute_script(WHOLE)
    pictures = browser.execute_async_script(PICTURES)
    show(browser, PHONE, "light")
    phone = browser.execute_script(ON_A_PHONE)
    themes, faults = [], {}
    browser.execute_script(AT_ONCE)
    if script:
        browser.execute_script(axe.LIGHTEN)
        browser.execute_script(script)
    for mode, options in (("light", {}), ("dark", {"runOnly": ["color-contrast"]})):
        show(browser, WIDE, mode)
        themes.append(browser.execute_async_script(THEME, mode))
        faults[mode] = browser.execute_async_script(axe.RUN, options) if script else None
    return Visit(foreign, len(own), weight, severe, pictures, phone, themes, faults)


def show(browser, size, mode):
    wish = {"features": [{"name": "prefers-color-scheme", "value": mode}]}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", wish)
    width, height = size
    screen = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)


def test_no_page_asks_for_anything_elsewhere(visits):
    assert {page: seen.foreign for page, seen in visits.items() if seen.foreign} == {}


def test_pages_are_light(visits):
    heavy = {page: (seen.weight, seen.requests) for page, seen in visits.items()
             if seen.weight > LIGHT or seen.requests > FEW}
    assert heavy == {}


def test_no_page_complains(visits):
    assert {page: seen.severe for page, seen in visits.items() if seen.severe} == {}


def test_formulas_are_set_and_pictures_are_there_with_alt_text(visits):
    seen = {page: seen.formulas_and_pictures for page, seen in visits.items()}
    assert {page: wrong for page, wrong in seen.items() if wrong != [0, [], []]} == {}


def test_pages_fit_a_phone(visits):
    for page, seen in visits.items():
        width, phone, out_of_shape = seen.phone
        assert phone == PHONE[0]
        assert width <= phone + 1, page
        assert out_of_shape == [], page


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_axe_finds_nothing_serious(visits, mode):
    for page, seen in visits.items():
        assert page == "404.html" or seen.themes == ["light", "dark"], page
    found = {page: seen.faults[mode] for page, seen in visits.items()}
    if None in found.values():
        pytest.skip(f"needs axe-core {axe.VERSION}, which cannot be had")
    assert {page: faults for page, faults in found.items() if faults} == {}
