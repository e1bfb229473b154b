"""The built book: its links, its weight, its search, how it prints."""

import base64
import io
import os
import re
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.wait import WebDriverWait

from tests.book.conftest import opened
from tests.conftest import TOP


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


# In screens from the top; what is far away is laid out, too.
FIRST_FIGURE = """
document.head.insertAdjacentHTML(
    "beforeend", "<style>* { content-visibility: visible !important }</style>");
const figures = [...document.querySelectorAll(".bd-article figure, .bd-article .rb-figure")];
return Math.min(...figures.map(each => each.getBoundingClientRect().top + scrollY)) / innerHeight"""


def test_the_first_figure_of_a_chapter_comes_within_two_screens(browser, served, pages):
    late = {}
    for page in pages:
        if re.match(r"notebooks/\d\d_", page):
            opened(browser, f"{served}/{page}")
            screens = browser.execute_script(FIRST_FIGURE)
            if screens is None or screens > 2:  # none: there is no figure
                late[page] = screens
    assert late == {}


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


def test_every_page_says_what_it_is_about_and_how_to_run_it(book, pages):
    for page in pages:
        text = (book / page).read_text()
        if page in ("index.html", "404.html", "search.html"):
            assert text.lower().lstrip().startswith("<!doctype html>")
            continue
        described = re.search(r'<meta name="description" content="([^"]{50,})">', text)
        assert described, page
        assert "How to read and run this book" in text, page
        tables = re.findall(r"<table\b[^>]*>(?:\s*<caption)?", text)
        assert [each for each in tables if "aria-label" not in each and "caption" not in each] == []
        assert "<style scoped>" not in text
        assert re.findall(r"<th\b[^>]*>(?:\s|&nbsp;)*</th>", text) == [], page


def test_no_page_names_a_script_or_style_that_is_not_there(book, pages):
    for page in pages:
        text = (book / page).read_text()
        asked = re.findall(r'<(?:script|link)\b[^>]*(?:src|href)="([^":]+?)(?:\?[^"]*)?"', text)
        for name in set(asked) - {"#"}:
            assert (book / page).parent.joinpath(name).exists(), (page, name)
    assert sum(path.stat().st_size for path in (book / "_static").rglob("*")) < 2e6
    assert [path.name for path in book.rglob("*.map")] == []


def test_the_ledger_shows_verdicts_and_filters_them(browser, served):
    browser.get(f"{served}/book/claims.html")
    rows = "return [...document.querySelectorAll('tr.claim')].filter(row => row.checkVisibility())"
    shown = browser.execute_script(f"{rows}.map(row => row.querySelector('.verdict').textContent)")
    fails = shown.count("not reproduced")
    assert 0 < fails < len(shown)
    for button in browser.find_elements("css selector", ".ledger-button"):
        if button.text.startswith("not reproduced"):
            assert button.text == f"not reproduced {fails}"
            button.click()
    left = browser.execute_script(f"{rows}.map(row => row.querySelector('.verdict').textContent)")
    assert left == ["not reproduced"] * fails
    said = browser.find_element("css selector", ".ledger-count").text
    assert said == f"{fails} of {len(shown)} claims"
    # And what is folded has its verdict in the title, and opens when it is linked to.
    titles = browser.execute_script(
        "return [...document.querySelectorAll('details.sd-dropdown summary')]"
        ".map(title => !!title.querySelector('.verdict'))")
    assert titles == [True] * len(shown)
    place = browser.execute_script("return document.querySelector('tr.claim a').hash")
    browser.get(f"{served}/book/claims.html{place}")
    browser.refresh()
    opened_one = "return [...document.querySelectorAll('details.sd-dropdown[open]')].length"
    WebDriverWait(browser, 10).until(lambda window: window.execute_script(opened_one) == 1)


def test_the_ledgers_sections_are_in_the_papers_order(browser, served):
    browser.get(f"{served}/book/claims.html")
    found = [each.text for each in browser.find_elements("css selector", ".ledger-filter option")]
    assert found[:2] == ["all sections", "the abstract"]
    numbers = [each for each in found if each.startswith("section")]
    in_order = sorted(numbers, key=lambda each: [int(i) for i in each.split()[1].split(".")])
    letters = [f"appendix {each}" for each in "ABCDEF" if f"appendix {each}" in found]
    assert found[2:] == [*in_order, *letters]


def test_a_claim_of_two_sections_is_found_in_both_and_an_empty_table_is_hidden(browser, served):
    browser.get(f"{served}/book/claims.html")
    rows = ("return [...document.querySelectorAll('tr.claim')].filter(row => row.checkVisibility())"
            ".map(row => row.cells[1].textContent.trim())")
    everywhere = browser.execute_script(rows)
    for section in ("1", "6.2.3"):
        browser.find_element("css selector", f".ledger-filter option[value='{section}']").click()
        found = browser.execute_script(rows)
        assert found == [each for each in everywhere if section in each.split(", ")]
        assert "1, 6.2.3" in found
    browser.find_element("css selector", ".ledger-filter option[value='7']").click()
    tables = ("return [...document.querySelectorAll('table.verdicts')]"
              ".map(table => table.checkVisibility())")
    assert browser.execute_script(tables) == [False, True]  # no theory in the conclusion


def seen_around(browser, box, margin=6):
    """The pixels of a box and a little around it."""
    clip = {"x": box["x"] - margin, "y": box["y"] - margin, "width": box["width"] + 2 * margin,
            "height": box["height"] + 2 * margin, "scale": 1}  # fmt: skip
    shot = browser.execute_cdp_cmd("Page.captureScreenshot", {"clip": clip})["data"]
    return np.asarray(Image.open(io.BytesIO(base64.b64decode(shot))).convert("RGB"), dtype=int)


@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize("page", ["book/intro", "book/experiments"])
def test_a_card_that_has_the_focus_is_seen_to_have_it(browser, served, page, mode):
    """Seen, because a ring that is cut off is there by its style."""
    opened(browser, f"{served}/{page}.html")
    browser.execute_script("document.documentElement.dataset.theme = arguments[0]", mode)
    link = browser.find_element("css selector", ".sd-card .sd-stretched-link")
    browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", link)
    time.sleep(0.5)
    box = browser.execute_script(
        "const {x, y, width, height} = arguments[0].closest('.sd-card').getBoundingClientRect();"
        "return {x: x + scrollX, y: y + scrollY, width, height}", link)
    before = seen_around(browser, box)
    browser.execute_script(
        "arguments[0].focus({focusVisible: true, preventScroll: true})", link)
    changed = np.abs(seen_around(browser, box) - before).max(axis=2) > 60
    assert changed.sum() > 2 * 2 * (box["width"] + box["height"])  # two pixels all around


GLARING = """return [...document.querySelectorAll(".bd-article .cell_output *")].filter((each) => {
  const [r, g, b, a = 1] = getComputedStyle(each).backgroundColor.match(/[\\d.]+/g).map(Number);
  return a > 0.5 && Math.min(r, g, b) > 150 && each.checkVisibility();
}).map((each) => each.outerHTML.slice(0, 100))"""


@pytest.mark.parametrize("page", ["book/experiments", "book/leaderboard"])
def test_what_cells_print_has_no_white_ground_on_a_dark_page(browser, served, page):
    opened(browser, f"{served}/{page}.html")
    browser.execute_script("document.documentElement.dataset.theme = 'dark'")
    time.sleep(0.5)
    assert browser.execute_script(GLARING) == []


def test_letters_of_figures_are_legible_on_a_dark_page(browser, served):
    opened(browser, f"{served}/notebooks/11_monotone.html")
    browser.execute_script("document.documentElement.dataset.theme = 'dark'")
    light = browser.execute_script(
        "return getComputedStyle(document.querySelector('.bd-article img[src$=\".svg\"]')).filter")
    brighter = float(re.fullmatch(r"brightness\(([\d.]+)\)", light)[1])
    parts = [min(brighter * part / 255, 1) for part in (0x70, 0x75, 0x7D)]  # the grey of letters
    shares = zip((0.2126, 0.7152, 0.0722), parts, strict=True)
    ground = ((0x12 / 255 + 0.055) / 1.055) ** 2.4 + 0.05
    assert (sum(w * ((p + 0.055) / 1.055) ** 2.4 for w, p in shares) + 0.05) / ground > 4.5


def test_words_that_mean_something_else_do_not_lead_to_the_glossary(book):
    sys.path.append(str(TOP / "book" / "_ext"))
    from terms import ELSEWHERE, GLOSSARY, entries

    for slug, names in ELSEWHERE.items():
        (page,) = (book / "notebooks").glob(f"[0-9]*_{slug}.html")
        text = page.read_text()
        led = re.findall(r'href="[^"]*#term-([^"]*)"[^>]*><span class="[^"]*std-term', text)
        assert led, page
        assert not set(names) & set(led)
        assert set(names) <= set(entries(GLOSSARY.read_text()))


OPEN = "return document.querySelectorAll('main details[open]').length"
PLACE = "return [document.querySelector(arguments[0]).getBoundingClientRect().top, innerHeight]"


def test_the_skip_link_leads_to_the_text_and_unfolds_nothing(browser, served):
    opened(browser, f"{served}/book/intro.html")
    link = browser.find_element("css selector", "a[href='#main-content']")
    ActionChains(browser).send_keys(Keys.TAB).perform()
    assert browser.switch_to.active_element.accessible_name == link.accessible_name
    ActionChains(browser).send_keys(Keys.ENTER).perform()
    WebDriverWait(browser, 10).until(lambda b: b.current_url.endswith("#main-content"))
    time.sleep(0.3)
    assert browser.execute_script(OPEN) == 0
    top, _ = browser.execute_script(PLACE, "main h1")
    assert 0 <= top < 300
    for _ in range(6):  # the game comes soon
        ActionChains(browser).send_keys(Keys.TAB).perform()
    inside = "return document.activeElement.closest('main') && scrollY"
    assert browser.execute_script(inside) < 700


@pytest.mark.parametrize("page", ["notebooks/08_ss_sarsa", "book/status"])
def test_links_of_the_contents_show_their_headings(browser, served, page):
    opened(browser, f"{served}/{page}.html")
    places = browser.execute_script(
        "return [...document.querySelectorAll('.bd-article > section > section')].map(s => s.id)")
    assert len(places) > 3
    for place in places:
        browser.execute_script("location.hash = arguments[0]", place)
        time.sleep(0.2)
        top, high = browser.execute_script(PLACE, f"#{place} :is(h2, h3)")
        bottom = browser.execute_script(
            "return scrollY + innerHeight >= document.body.scrollHeight - 2")
        assert -5 <= top < high / 3 or (bottom and 0 <= top < high), place
    assert browser.execute_script(OPEN) == 0


def test_pages_on_a_disk_complain_of_nothing(browser, book):
    for page in ("book/intro", "book/claims", "notebooks/04_ss_q_functions"):
        browser.get_log("browser")
        opened(browser, (book / f"{page}.html").as_uri())
        said = [line for line in browser.get_log("browser") if line["level"] == "SEVERE"]
        assert said == [], page


def test_a_dark_page_prints_on_white(browser, served):
    look = """const colour = (name) => getComputedStyle(document.querySelector(name));
        return [colour("html").backgroundColor, colour("body").backgroundColor,
                colour("h1").color]"""
    opened(browser, f"{served}/book/status.html")
    browser.execute_script("document.documentElement.dataset.theme = 'dark'")
    dark = browser.execute_script(look)
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        WebDriverWait(browser, 10).until(
            lambda b: b.execute_script("return document.documentElement.dataset.theme") == "light")
        assert not set(dark) & set(browser.execute_script(look)) - {"rgba(0, 0, 0, 0)"}
    finally:
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    WebDriverWait(browser, 10).until(lambda b: b.execute_script(look) == dark)


def test_a_lost_reader_finds_the_start(browser, served):
    browser.get(f"{served}/404.html")
    (link,) = browser.find_elements("css selector", "main a")
    assert link.get_attribute("href") == f"{served}/"
    script = re.search(r"<script>(.*?)</script>", browser.page_source, re.DOTALL)[1]
    there = script.replace("location.pathname", "arguments[0]")
    for path, home in {"/book/gone.html": "/", "/here/notebooks/experiments/gone.html": "/here/",
                       "/here/gone.html": "/here/"}.items():
        browser.execute_script(there, path)
        (link,) = browser.find_elements("css selector", "a")
        assert link.get_attribute("href") == served + home


def test_an_experiments_page_begins_with_the_answer(book):
    text = (book / "notebooks/experiments/6-homo-peaked-bernoulli-discounted.html").read_text()
    article = text[text.index('<article class="bd-article"'):]
    answer, figure = article.index('class="answer"'), article.index("<img")
    made = article.index('id="where-this-comes-from"')
    assert answer < figure < made
    assert "Show code" not in article[:figure]
    assert "6-hetero-increasing" not in article  # the default of the notebook behind all pages
    numbers = re.findall(r'class="caption-number">([^<]*)<', article)
    assert numbers == ["Fig. 1 ", "Fig. 2 ", "Fig. 3 "]
    claim = re.search(r'<li><p><a [^>]*href="[^"]*claims.html#claim-well-peaked"[^>]*>.*?</li>',
                      article, re.DOTALL)[0]
    assert "performs well with non-monotone" in claim
    assert "verdict-fails" in claim
    assert "claim-six-tabular-miss" not in article  # judged where rewards increase
    assert "6-homo-peaked-normal-discounted.html" in article
    assert "rb run 6-homo-peaked-bernoulli-discounted --sims 100" in article


@pytest.mark.parametrize("page", ["experiments", "leaderboard"])
def test_a_table_sorts_by_the_column_that_is_pressed(browser, served, page):
    browser.get(f"{served}/book/{page}.html")
    table = browser.find_element("css selector", "table.sortable")
    column = ("return [...arguments[0].querySelectorAll('tbody tr')].map("
              "row => parseFloat(row.cells[1].textContent.replace(',', '')))")
    before = browser.execute_script(column, table)
    heads = table.find_elements("css selector", "thead .sort-button")
    assert len(set(before)) > 1
    for expected in (sorted(before), sorted(before, reverse=True)):
        browser.execute_script("arguments[0].click()", heads[1])
        assert browser.execute_script(column, table) == expected


def test_the_front_page_opens_with_play_and_verdict_and_without_learned_signs(book):
    article = (book / "book/intro.html").read_text("utf-8").partition("<article")[2]
    first = article.partition("<h2>")[0]
    assert first.index('data-figure="play"') < first.index("verdict-bar") < first.index("sd-card")
    assert "<math" not in first
    assert "citation" not in first
    assert re.findall(r"sd-card-title[^>]*>\s*(\w+)", first) == ["Read", "Run", "Teach", "Check"]


def test_the_front_page_shows_numbers_of_chapters(book):
    """What a cell of a chapter found stands in its text and on the front page."""
    texts = []
    for page in ("book/intro", "notebooks/08_ss_sarsa"):
        text = re.sub(r"<[^>]*>", "", (book / f"{page}.html").read_text("utf-8"))
        texts.append(" ".join(text.split()))
    same = [re.search(r"pulls (\S+ of \S+) arms as", text)[1] for text in texts]
    ends = r"(?:player ends optimally|ends optimally all the same,) in (\S+ of \S+) runs"
    blind = [re.search(ends, text)[1] for text in texts]
    assert same[0] == same[1]
    assert blind[0] == blind[1]
