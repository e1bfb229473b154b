"""What a reader sees without scrolling sideways: tables, formulas, the front page."""

import re
import sys

import pytest

from tests.book.conftest import opened
from tests.conftest import TOP

sys.path.append(str(TOP / "book" / "_ext"))
from accessible import align_words, break_cells, name_cells

WIDE = (
    "book/experiments.html",
    "book/leaderboard.html",
    "book/status.html",
    "notebooks/04_ss_q_functions.html",
    "notebooks/06_exploration.html",
    "notebooks/07_tabular.html",
    "notebooks/08_ss_sarsa.html",
    "notebooks/10_small.html",
    "notebooks/11_monotone.html",
    "notebooks/12_peaked.html",
    "notebooks/13_undiscounted.html",
    "notebooks/14_why.html",
    "notebooks/15_suspects.html",
    "notebooks/16_plan_ucb.html",
    "notebooks/19_bring_your_own.html",
    "notebooks/experiments/10-hetero-increasing-bernoulli-undiscounted.html",
    "notebooks/experiments/10-hetero-peaked-normal-undiscounted.html",
)
TABLES = ".text_html, table.table, .pst-scrollable-table-container"
PRINTED = ".cell_output .stream pre, .formula"
# By how much what matches is wider than its box; what is far away is laid out, too.
TOO_WIDE = """
document.head.insertAdjacentHTML(
    "beforeend", "<style>* { content-visibility: visible !important }</style>");
return [...document.querySelectorAll(arguments[0])]
    .filter(each => each.checkVisibility() && each.scrollWidth > each.clientWidth + 1)
    .map(each => [each.scrollWidth - each.clientWidth, each.textContent.trim().slice(0, 40)])"""


@pytest.fixture
def screen(browser):
    def sized(width, height):
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 700})

    yield sized
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_no_table_printed_line_or_formula_is_cut_on_a_desk(browser, served, screen):
    screen(1440, 900)
    cut = {}
    for page in WIDE:
        opened(browser, f"{served}/{page}")
        if found := browser.execute_script(TOO_WIDE, f"{TABLES}, {PRINTED}"):
            cut[page] = found
    assert cut == {}


def test_tables_hardly_scroll_on_a_tablet(browser, served, screen):
    screen(820, 1180)
    for page in WIDE:
        opened(browser, f"{served}/{page}")
        assert [each for each in browser.execute_script(TOO_WIDE, TABLES) if each[0] > 40] == []


def test_on_a_phone_a_wide_table_of_words_is_a_card_a_row(browser, served, screen):
    screen(390, 844)
    for page in ("book/changes.html", "book/leaderboard.html"):
        opened(browser, f"{served}/{page}")
        assert browser.execute_script(TOO_WIDE, "table.table") == []
        reach, said = browser.execute_script("""
            const cells = [...document.querySelectorAll("table.cards td:last-child")];
            return [Math.max(...cells.map(each => each.getBoundingClientRect().right)),
                    getComputedStyle(cells[0], "::before").content]""")
        assert reach <= 390
        assert "attr" in said or len(said) > 4, said


def test_the_number_of_a_formula_without_room_stands_below_it(browser, served, screen):
    screen(390, 844)
    opened(browser, f"{served}/notebooks/08_ss_sarsa.html")
    room = browser.execute_script(
        TOO_WIDE.replace("each.textContent.trim().slice(0, 40)",
                         "each.parentElement.clientWidth - each.offsetWidth"),
        ".formula:has(~ .eqno)")
    assert room
    assert {left for _, left in room} == {0}


def test_roots_end_where_they_end(browser, served, screen):
    """The browser keeps room for the widest root sign that the font has (book/math_font.py)."""
    screen(1440, 900)
    opened(browser, f"{served}/notebooks/16_plan_ucb.html")
    signs = browser.execute_script("""
        document.head.insertAdjacentHTML(
            "beforeend", "<style>* { content-visibility: visible !important }</style>");
        return [...document.querySelectorAll("msqrt")].filter(each => each.checkVisibility())
            .map(each => {
                const boxes = [...each.children].map(child => child.getBoundingClientRect());
                const inside = Math.max(...boxes.map(box => box.right)) -
                    Math.min(...boxes.map(box => box.left));
                return (each.getBoundingClientRect().width - inside) /
                    parseFloat(getComputedStyle(each).fontSize);
            })""")
    assert len(signs) > 10
    assert max(signs) < 0.95


def test_no_line_begins_with_what_ends_a_formula(browser, served, book, pages):
    alone = re.compile(r'<span class="math">(?:(?!</span>).)*</span>[,.;:!?)\]]', re.DOTALL)
    assert [page for page in pages if alone.search((book / page).read_text("utf-8"))] == []
    opened(browser, f"{served}/notebooks/16_plan_ucb.html")
    assert browser.execute_script(
        "return getComputedStyle(document.querySelector('span.math')).whiteSpace") == "nowrap"


def test_code_is_not_squeezed_by_a_remark_beside_it(browser, served, screen):
    screen(1440, 900)
    opened(browser, f"{served}/notebooks/06_exploration.html")
    widths = browser.execute_script(
        "document.head.insertAdjacentHTML('beforeend', "
        "'<style>* { content-visibility: visible !important }</style>');"
        "return [...document.querySelectorAll('section > .cell pre')]"
        ".filter(each => each.checkVisibility()).map(each => each.clientWidth)")
    assert max(widths) - min(widths) < 10


def test_the_front_page_shows_all_ways_on_before_the_fold(browser, served, screen):
    screen(1440, 900)
    opened(browser, f"{served}/book/intro.html")
    low = browser.execute_script("return [...document.querySelectorAll('.ways .sd-card, "
                                 ".verdict-bars')].map(e => e.getBoundingClientRect().bottom)")
    assert len(low) == 5
    assert max(low) < 900


def test_the_board_does_not_jump_during_play(browser, served, screen):
    screen(1440, 900)
    opened(browser, f"{served}/book/intro.html")
    high = "return document.querySelector('.rb-board').getBoundingClientRect().height"
    before = browser.execute_script(high)
    for arm in (0, 1, 2, 3):
        browser.execute_script("document.querySelectorAll('.rb-arm')[arguments[0]].click()", arm)
        assert browser.execute_script(high) == before


def table(*rows, head=("", "one", "two")):
    heads = "".join(f"<th>{each}</th>" for each in head)
    body = "".join(f"<tr><th>{name}</th>{''.join(f'<td>{each}</td>' for each in cells)}</tr>"
                   for name, *cells in rows)
    return (f'<table class="dataframe"><thead><tr>{heads}</tr></thead>'
            f"<tbody>{body}</tbody></table>")


def test_an_interval_stands_below_its_value_and_no_text_changes():
    before = table(("a", "+1,486.6 [+1,486.5, -1]", "44.0% [34.7%, 53.8%]"),
                   ("b", "30,418 (80.2%)", "A3 B3 (99.7%)"), ("c", "[1, 2]", "a [x, y]"))
    after = break_cells(before)
    assert re.findall("<small>(.*?)</small>", after) == [
        "[+1,486.5, -1]", "[34.7%, 53.8%]", "(80.2%)"]
    assert re.sub("<[^>]*>", "", after) == re.sub("<[^>]*>", "", before)
    assert "many" not in after
    assert 'class="long"' not in after


def test_long_cells_may_break_and_many_columns_are_said():
    words = "no cycle (81.8%), A4 (2.3%)"
    wide = break_cells(align_words(table(("a name that is too long", 1, 2, 3, 4, words),
                                         head=("", *"bcdef"))))
    assert f'<td class="long words">{words}</td>' in wide
    assert '<th class="long">a name that is too long</th>' in wide
    assert '<table class="many dataframe">' in wide


def test_cells_of_wide_tables_of_words_name_their_column():
    plain = table(("w", "x", "y", "z"), head=("a", "b", "c", "d")).replace("dataframe", "table")
    plain = plain.replace("<tr><th>w</th>", "<tr><td>w</td>")
    named = name_cells(plain)
    assert re.findall('data-head="(.)"', named) == ["a", "b", "c", "d"]
    assert 'class="cards table"' in named
    assert "cards" not in name_cells(plain.replace('class="', 'class="short '))
