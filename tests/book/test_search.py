"""Searching the book: terms first, and the same from a disk."""

import pytest
from selenium.webdriver.support.wait import WebDriverWait


def searched(browser, address, words):
    browser.get_log("browser")
    browser.get(f"{address}/search.html?q={words}")
    done = "return document.querySelector('#search-results p.search-summary')?.innerText || ''"
    WebDriverWait(browser, 30).until(lambda b: "finished" in b.execute_script(done))
    severe = [line for line in browser.get_log("browser") if line["level"] == "SEVERE"]
    assert severe == []
    return browser.find_elements("css selector", "#search-results ul.search li")


def test_a_terms_definition_comes_first(browser, served):
    searched(browser, served, "regret")
    first = browser.find_element("css selector", ".term-found")
    assert first.text.startswith("regret glossary\n")
    assert len(first.text) > 60
    link = first.find_element("css selector", "a").get_attribute("href")
    assert link == f"{served}/book/glossary.html#term-regret"
    assert first.value_of_css_property("border-left-style") == "solid"  # it is set off
    assert (
        first.location["y"] < browser.find_element("css selector", "#search-results").location["y"]
    )


@pytest.mark.parametrize(("words", "name"), [
    ("rate+of+optimal+policy", "optimal policy, rate of"),
    ("optimal+policies", "optimal policy, rate of"),
    ("the+Uniform+explore+first", "uniform-explore-first"),
    ("ties", "tie"),
])
def test_a_term_is_found_however_it_is_written(browser, served, words, name):
    searched(browser, served, words)
    first = browser.find_element("css selector", ".term-found a")
    assert first.text == name


# The least contrast of words that were searched for with their ground.
CONTRAST = """
const light = (colour) => {
  const [r, g, b] = colour.match(/[\\d.]+/g).slice(0, 3).map((each) => {
    const part = each / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
};
return Math.min(...[...document.querySelectorAll("main .highlighted")].map((each) => {
  const { color, backgroundColor } = getComputedStyle(each);
  const [one, other] = [light(color), light(backgroundColor)];
  return Math.max(one, other) / Math.min(one, other);
}))"""


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_words_that_were_searched_for_are_legible(browser, served, mode):
    wish = {"features": [{"name": "prefers-color-scheme", "value": mode}]}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", wish)
    try:
        searched(browser, served, "regret")
        assert 4.5 <= browser.execute_script(CONTRAST) < 25
        browser.get(f"{served}/book/claims.html?highlight=regret")  # as a result is opened
        theme = "return document.documentElement.dataset.theme"
        WebDriverWait(browser, 10).until(lambda b: b.execute_script(theme) == mode)
        assert 4.5 <= browser.execute_script(CONTRAST) < 25
    finally:
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def test_from_a_disk_results_have_excerpts_too(browser, served, book):
    wanted = [each.text for each in searched(browser, served, "rotor")]
    found = [each.text for each in searched(browser, book.as_uri(), "rotor")]
    assert len(found) == len(wanted) > 1
    with_words = [text for text in found if "rotor" in text.lower().split("\n", 1)[-1]]
    assert len(with_words) >= len(found) - 1
