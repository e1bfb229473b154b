"""The built book in a real browser that has no network but the server it is read from."""

import functools
import json
import os
import shutil
import subprocess
import sys
import threading
import time
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

TOP = Path(__file__).parents[1]
BUILT = TOP / "_build" / "html"
CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
needs_browser = pytest.mark.skipif(
    not (CHROMIUM and DRIVER), reason="needs chromium and chromedriver, which are not installed"
)
# The first test waits for the build, which executes all chapters if nothing is cached.
pytestmark = [pytest.mark.browser, pytest.mark.timeout(1800)]
WEB = ("http:", "https:", "ws:", "wss:", "//")


@pytest.fixture(scope="module")
def book():
    """The book, built strictly from an empty output folder, as `make book` does it."""
    for folder in (BUILT, TOP / "_build" / ".doctrees"):
        shutil.rmtree(folder, ignore_errors=True)
    builder = Path(sys.executable).with_name("jupyter-book")
    command = [str(builder), "build", ".", "--all", "-n", "-W", "--keep-going"]
    done = subprocess.run(command, cwd=TOP, capture_output=True, text=True, timeout=1700)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return BUILT


@pytest.fixture(scope="module")
def pages(book):
    """Paths of all pages a reader can open."""
    found = [path.relative_to(book).as_posix() for path in book.rglob("*.html")]
    return sorted(page for page in found if not page.startswith(("_static/", "_sources/")))


@pytest.fixture(scope="module")
def served(book):
    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *arguments):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=book))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for flag in (
        "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
        "--disable-background-networking", "--disable-component-update", "--disable-sync",
        "--window-size=1300,1000", f"--user-data-dir={tmp_path_factory.mktemp('profile')}",
        "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    ):  # fmt: skip
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options, webdriver.ChromeService(DRIVER))
    yield driver
    driver.quit()


def opened(browser, address):
    """Open a page and wait until its formulas are set; returns the addresses it asked for."""
    browser.get_log("performance")
    browser.get_log("browser")
    browser.get(address)
    deadline = time.time() + 20
    script = "return window.MathJax && MathJax.startup ? !!MathJax.startup.document : true"
    while not browser.execute_script(script) and time.time() < deadline:
        time.sleep(0.1)
    browser.execute_async_script(
        "const done = arguments[0];"
        "(window.MathJax && MathJax.startup ? MathJax.startup.promise : Promise.resolve())"
        ".then(() => setTimeout(done, 50))"
    )
    events = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    return [
        event["params"]["request"]["url"]
        for event in events
        if event["method"] == "Network.requestWillBeSent"
    ]


def test_the_book_builds_without_a_warning(book):
    assert (book / "index.html").exists()


@needs_browser
def test_every_page_reads_offline_with_formulas_and_pictures(browser, served, pages):
    assert len(pages) > 3
    for page in pages:
        asked = opened(browser, f"{served}/{page}")
        foreign = [url for url in asked if url.startswith(WEB) and not url.startswith(served)]
        assert foreign == [], page
        severe = [line for line in browser.get_log("browser") if line["level"] == "SEVERE"]
        assert severe == [], page
        wrong = browser.execute_script(
            "return [document.querySelectorAll('mjx-merror, [data-mjx-error]').length,"
            " [...document.images].filter(i => !i.complete || !i.naturalWidth).map(i => i.src),"
            " [...document.images].filter(i => !i.alt).map(i => i.src)]"
        )
        assert wrong == [0, [], []], page


@needs_browser
def test_pages_fit_a_phone(browser, served, pages):
    browser.set_window_size(400, 800)
    try:
        for page in pages:
            opened(browser, f"{served}/{page}")
            width = browser.execute_script("return document.documentElement.scrollWidth")
            assert width <= browser.execute_script("return window.innerWidth") + 1, page
    finally:
        browser.set_window_size(1300, 1000)


@needs_browser
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
