"""The built book: made once, served on this machine, opened in headless Chromium."""

import functools
import json
import shutil
import subprocess
import sys
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.conftest import TOP
from tests.schedule import group


@pytest.hookimpl(tryfirst=True)  # before tests are chosen by their marks
def pytest_collection_modifyitems(items):
    """Whatever needs the built book waits for the one build, in the one process that has it."""
    for item in items:
        if "book" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.timeout(1800))
            assert group(item.nodeid) == "book", f"tests/schedule.py does not know {item.nodeid}"


@pytest.fixture(scope="session")
def book():
    """The book, built strictly from an empty output folder, as `make book` does it.

    It shows committed outputs; that they are true is shown by executing the notebooks (nbval).
    """
    built = TOP / "_build" / "html"
    for folder in (built, TOP / "_build" / ".doctrees"):
        shutil.rmtree(folder, ignore_errors=True)
    builder = Path(sys.executable).with_name("jupyter-book")
    command = [str(builder), "build", ".", "--all", "-n", "-W", "--keep-going"]
    done = subprocess.run(command, cwd=TOP, capture_output=True, text=True, timeout=1700)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return built


@pytest.fixture(scope="session")
def pages(book):
    """Paths of all pages a reader can open."""
    found = [path.relative_to(book).as_posix() for path in book.rglob("*.html")]
    return sorted(page for page in found if not page.startswith(("_static/", "_sources/")))


@pytest.fixture(scope="session")
def served(book):
    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *arguments):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=book))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


@pytest.fixture(scope="session")
def browser(tmp_path_factory):
    from selenium import webdriver

    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if not (chromium and driver):
        pytest.skip("needs chromium and chromedriver, which are not installed")
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for flag in (
        "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
        "--disable-background-networking", "--disable-component-update", "--disable-sync",
        "--window-size=1300,1000", f"--user-data-dir={tmp_path_factory.mktemp('profile')}",
        "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    ):  # fmt: skip
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    window = webdriver.Chrome(options, webdriver.ChromeService(driver))
    yield window
    window.quit()


def opened(browser, address):
    """Open a page and wait until its fonts are there; returns the addresses it asked for."""
    browser.get_log("performance")
    browser.get_log("browser")
    browser.get(address)
    browser.execute_async_script(
        "const done = arguments[0]; document.fonts.ready.then(() => setTimeout(done, 50))")
    events = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    return [
        event["params"]["request"]["url"]
        for event in events
        if event["method"] == "Network.requestWillBeSent"
    ]
