"""Takes the still pictures of the interactive figures, each in the middle of its story.

And measures how high they are when they begin, so that pages keep the room (heights.json).
They are derived files: posters/made-from.json says which scripts and data they show, and a test
notices when these have changed. Needs Chromium:  .venv/bin/python book/interactive/posters.py
"""

import base64
import hashlib
import json
import shutil
import tempfile
from pathlib import Path

import about

PLACE = about.ROOM / "posters"
STAMP = PLACE / "made-from.json"
HEIGHTS = PLACE / "heights.json"
WIDE = 720
WIDTHS = range(260, 861, 10)  # of a figure, from a small phone to a wide screen
NEAR = 6  # so much nobody sees the page move
# The theme's letters.
FONTS = "system-ui, sans-serif"
# What has happened before the picture is taken.
STORY = {
    "play": "[0, 1, 3, 2, 1, 3, 0, 2, 1, 3, 1, 0, 3, 1].forEach((arm) => handle.pull(arm))",
    "step": "handle.go(1284)",
    "draw": "",
    "rotor": "handle.advance(150)",
    "sweep": "",
    "race": "handle.race()",
}
READY = {
    "play": "'PlanUCB' in handle.state().others",
    "race": "handle.state().every((each) => each.t === 100000)",
}
GET = "const handle = document.querySelector('.rb-figure').handle;"


def made_from(name):
    """A short hash of all that the picture of a figure shows."""
    css = (about.ROOM / "interactive.css").read_text("utf-8")
    given = about.compact([about.bandits(), about.looks(), about.data(name)])
    whole = [*about.sources(), css, given, STORY[name], READY.get(name, "")]
    return hashlib.sha256("\0".join(whole).encode()).hexdigest()[:16]


def page(name, theme="light"):
    """A page with nothing but the figure."""
    css = (about.ROOM / "interactive.css").read_text("utf-8")
    ground = "#14181e" if theme == "dark" else "#fff"
    return f"""<!doctype html>
<html lang="en" data-theme="{theme}" data-mode="{theme}"><meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<style>*{{box-sizing:border-box}} body{{margin:0;font-family:{FONTS};background:{ground}}}
{css} .rb-figure{{margin:0}}</style>
<div class="rb-figure" data-figure="{name}"><div class="rb-place"></div>
<script type="application/json" class="rb-data">{about.compact(about.data(name))}</script></div>
<script>{about.scripts()}</script></html>"""


def heights(window, name):
    """How high a figure is when it begins: [[from this width on, height], ...]."""
    found = []
    opened(window, name)
    for width in WIDTHS:
        resize(window, width)
        look = "return document.querySelector('.rb-place').getBoundingClientRect().height"
        high = round(window.execute_script(look))
        if not found or abs(high - found[-1][1]) > NEAR:
            found.append([width, high])
    resize(window, WIDE)
    return found


def resize(window, width):
    size = {"width": width, "height": 1200, "deviceScaleFactor": 2, "mobile": False}
    window.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    window.execute_async_script(  # until what follows the width has followed
        "requestAnimationFrame(() => requestAnimationFrame(arguments[0]))"
    )


def browser(width=WIDE):
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium")
    for flag in (
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--hide-scrollbars",
        "--force-prefers-reduced-motion",
        "--disable-background-networking",
    ):
        options.add_argument(flag)
    window = webdriver.Chrome(options, webdriver.ChromeService(shutil.which("chromedriver")))
    resize(window, width)
    return window


def opened(window, name, theme="light"):
    from selenium.webdriver.support.wait import WebDriverWait

    with tempfile.NamedTemporaryFile("w", suffix=".html") as file:
        file.write(page(name, theme))
        file.flush()
        window.get(f"file://{file.name}")
    WebDriverWait(window, 60).until(lambda w: w.execute_script(f"{GET} return !!handle"))


def take(window, name, path, theme="light", kind="webp"):
    from selenium.webdriver.support.wait import WebDriverWait

    opened(window, name, theme)
    window.execute_script(f"{GET} {STORY[name]}")
    ready = READY.get(name, "true")
    WebDriverWait(window, 120).until(lambda w: w.execute_script(f"{GET} return {ready}"))
    box = window.execute_script(
        "const box = document.querySelector('.rb-card').getBoundingClientRect();"
        "return {x: box.x, y: box.y, width: box.width, height: box.height, scale: 1}"
    )
    shot = window.execute_cdp_cmd(
        "Page.captureScreenshot",
        {
            "format": kind,
            "clip": box,
            "captureBeyondViewport": True,
            **({"quality": 80} if kind == "webp" else {}),
        },
    )
    Path(path).write_bytes(base64.b64decode(shot["data"]))


if __name__ == "__main__":
    PLACE.mkdir(exist_ok=True)
    window = browser()
    for name in about.ALT:
        take(window, name, PLACE / f"{name}.webp")
    measured = {name: heights(window, name) for name in about.ALT}
    window.quit()
    HEIGHTS.write_text(json.dumps(measured) + "\n")
    STAMP.write_text(json.dumps({name: made_from(name) for name in about.ALT}, indent=1) + "\n")
