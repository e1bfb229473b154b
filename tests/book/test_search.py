"""Searching the book: terms first, and the same from a disk."""

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
    assert (
        first.location["y"] < browser.find_element("css selector", "#search-results").location["y"]
    )


def test_from_a_disk_results_have_excerpts_too(browser, served, book):
    wanted = [each.text for each in searched(browser, served, "rotor")]
    found = [each.text for each in searched(browser, book.as_uri(), "rotor")]
    assert len(found) == len(wanted) > 1
    with_words = [text for text in found if "rotor" in text.lower().split("\n", 1)[-1]]
    assert len(with_words) >= len(found) - 1
