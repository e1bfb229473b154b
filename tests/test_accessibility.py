"""Every page checked by axe-core, in light and dark."""

import base64
import hashlib
import io
import tarfile
import urllib.request

import pytest

from tests.conftest import TOP, opened

pytestmark = [pytest.mark.browser, pytest.mark.timeout(1800)]

AXE = "4.14.0"
DIGEST = "9WTZxEjsZ7b13TH8JPmbV2z8CHbl80/2hm3XPEG4JgNdQLK81IBRXmSxHfMAOkSqQeRxT/0dwNDz2GOm3zzpcQ=="
# Formulas are left out: their thousands of glyphs are MathJax's, which speaks them in its own way.
RUN = """
const [options, done] = arguments;
axe.run({exclude: [["mjx-math"], ["mjx-assistive-mml"]]}, options).then(found => done(
  found.violations.filter(each => ["serious", "critical"].includes(each.impact))
    .flatMap(each => each.nodes.map(node => `${each.id}: ${node.target} ${node.html}`))
), problem => done([String(problem)]));
"""


@pytest.fixture(scope="module")
def axe():
    """The script of axe-core, fetched once: it is no Python package and not ours to keep."""
    kept = TOP / "_build" / f"axe-core-{AXE}.tgz"
    if not kept.exists():
        address = f"https://registry.npmjs.org/axe-core/-/{kept.name}"
        try:
            content = urllib.request.urlopen(address, timeout=60).read()
        except OSError as problem:
            pytest.skip(f"needs {address}, which cannot be had: {problem}")
        kept.parent.mkdir(exist_ok=True)
        kept.write_bytes(content)
    content = kept.read_bytes()
    assert base64.b64encode(hashlib.sha512(content).digest()).decode() == DIGEST
    with tarfile.open(fileobj=io.BytesIO(content)) as archive:
        return archive.extractfile("package/axe.min.js").read().decode()


@pytest.mark.parametrize(
    ("mode", "options"), [("light", {}), ("dark", {"runOnly": ["color-contrast"]})]
)
def test_axe_finds_nothing_serious(browser, served, pages, axe, mode, options):
    browser.set_script_timeout(110)  # the driver itself gives up after 120
    wish = {"features": [{"name": "prefers-color-scheme", "value": mode}]}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", wish)
    found = {}
    try:
        for page in pages:
            opened(browser, f"{served}/{page}")
            theme = browser.execute_script("return document.documentElement.dataset.theme")
            assert theme == mode, page
            browser.execute_script(axe)
            found[page] = browser.execute_async_script(RUN, options)
    finally:
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    assert {page: faults for page, faults in found.items() if faults} == {}
