"""The interactive figures on the built pages: played, drawn, stepped through, and left alone.

Read from the disk, as a reader without a server does.
"""

import csv
import re
import sys

import numpy as np
import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.wait import WebDriverWait

import rb_core as rb
from tests.conftest import TOP

sys.path.append(str(TOP / "book" / "interactive"))
import about
import posters

HANDLE = (
    "const figure = document.querySelector(`[data-figure=${arguments[0]}]`);"
    "const handle = figure.handle;"
)
STATE = HANDLE + "return handle && handle.state()"


@pytest.fixture
def phone(browser):
    """A phone with a touch screen, for as long as a test takes."""
    size = {"width": 390, "height": 800, "deviceScaleFactor": 2, "mobile": True}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    browser.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})
    yield browser
    browser.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def shown(browser, book, page, figure):
    """A page from the disk, with the figure alive and in sight."""
    browser.get((book / page).as_uri())
    browser.execute_script(HANDLE + "figure.scrollIntoView()", figure)
    WebDriverWait(browser, 20).until(lambda b: b.execute_script(HANDLE + "return !!handle", figure))
    return lambda: browser.execute_script(STATE, figure)


def touch(browser, selector, index):
    box = browser.execute_script(
        "const found = document.querySelectorAll(arguments[0])[arguments[1]];"
        "found.scrollIntoView({block: 'center'}); const box = found.getBoundingClientRect();"
        "return {x: box.x + box.width / 2, y: box.y + box.height / 2}",
        selector,
        index,
    )
    for kind, points in (("touchStart", [box]), ("touchEnd", [])):
        browser.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


def test_a_whole_game_by_keyboard(browser, book):
    state = shown(browser, book, "book/intro.html", "play")
    best = state()["others"]["optimum"]
    for _ in range(200):  # by the keyboard alone, from wherever the page begins
        ActionChains(browser).send_keys(Keys.TAB).perform()
        if "rb-arm" in (browser.switch_to.active_element.get_attribute("class") or ""):
            break
    assert browser.switch_to.active_element.accessible_name.startswith(
        "Pull arm 1: pays 0.95"
    )
    ActionChains(browser).send_keys(Keys.SPACE).perform()  # a button like any other
    assert state()["arms"] == [0]
    ActionChains(browser).send_keys(Keys.ARROW_RIGHT, Keys.ENTER).perform()
    assert state()["arms"] == [0, 1]
    said = browser.execute_script("return document.querySelector('.rb-play .rb-live').textContent")
    assert said == "Arm 2 paid 0.30. Round 2 of 30, total 1.25."
    browser.find_element("css selector", ".rb-round .rb-button").click()
    browser.execute_script("document.querySelector('.rb-arm').focus()")
    ActionChains(browser).send_keys("".join(str(arm + 1) for arm in best)).perform()
    assert state()["arms"] == best
    means = browser.execute_script("return RB.OWN.means")
    optimum = rb.optimum(rb.RecoveringBandit(means), rounds=30)
    assert state()["total"] == pytest.approx(optimum.value)
    end = browser.find_element("css selector", ".rb-end").text
    assert "100% of the best possible" in end
    cycle = "\n".join(str(arm + 1) for arm, _ in optimum.cycle)
    assert f"best cycle\n{cycle}\n{optimum.average:.3f} a round" in end
    ActionChains(browser).send_keys("1").perform()  # the game is over
    assert state()["round"] == 30


def test_who_finds_the_best_cycle_is_told_so(browser, book):
    shown(browser, book, "book/intro.html", "play")
    best = rb.optimum(rb.RecoveringBandit(browser.execute_script("return RB.OWN.means")))
    found = [arm for arm, _ in best.cycle]
    begun = found[2:] + found[:2]  # a cycle has no first arm
    rounds = (begun * 30)[:30]
    pull = "arguments[1].forEach((arm) => handle.pull(arm))"
    browser.execute_script(HANDLE + pull, "play", rounds)
    end = browser.find_element("css selector", ".rb-end").text
    assert "You found the best cycle; the rest was lost at the start and the end." in end
    chips = [each.text for each in browser.find_elements("css selector", ".rb-end .rb-chips")]
    assert len(chips) == 2
    assert chips[0] == chips[1] == "\n".join(str(arm + 1) for arm in begun)


def test_a_whole_game_by_touch(phone, book):
    state = shown(phone, book, "book/intro.html", "play")
    for round_ in range(30):
        touch(phone, ".rb-arm", (0, 1, 3)[round_ % 3])
    assert state()["arms"] == [0, 1, 3] * 10
    end = phone.find_element("css selector", ".rb-end").text
    assert "your cycle\n1\n2\n4\n" in end
    assert "You found" not in end
    share = re.search(r"(\d+)% of the best possible", end)[1]
    line = phone.find_element("css selector", ".rb-round strong").text  # which is in sight
    assert line == f"Thirty rounds: {share}% of the best possible"
    width = phone.execute_script("return [document.documentElement.scrollWidth, innerWidth]")
    assert width[0] <= width[1]


def test_ten_arms_stay_under_the_finger(phone, book):
    shown(phone, book, "book/touch.html", "play")
    size = {"width": 360, "height": 800, "deviceScaleFactor": 2, "mobile": True}
    phone.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    menu = phone.find_element("css selector", ".rb-play .rb-select select")
    menu.find_element("css selector", "option[value='10-homo-increasing']").click()
    look = """const arms = [...document.querySelectorAll(".rb-play .rb-arm")];
        const top = document.querySelector(".rb-play").getBoundingClientRect().top;
        return arms.map((arm) => {
          const {x, y, width, height} = arm.getBoundingClientRect(), rest = arm.lastElementChild;
          return [x, y - top, width, height, rest.scrollWidth <= rest.clientWidth];
        })"""
    before = phone.execute_script(look)
    for arm in (6, 7, 8, 9, 6, 7, 0, 5, 1):
        touch(phone, ".rb-play .rb-arm", arm)
        assert phone.execute_script(look) == before
    assert all(each[-1] for each in before)
    said = phone.find_elements("css selector", ".rb-play .rb-arm")[8].accessible_name
    assert "7 rounds ago" in said


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_arm_has_a_colour_on_which_its_number_is_legible(browser, book, theme):
    shown(browser, book, "book/touch.html", "play")
    browser.execute_script("document.documentElement.dataset.theme = arguments[0]", theme)
    menu = browser.find_element("css selector", ".rb-play .rb-select select")
    menu.find_element("css selector", "option[value='10-homo-increasing']").click()
    pull = "for (let arm = 0; arm < 10; arm++) handle.pull(arm)"
    browser.execute_script(HANDLE + pull, "play")
    for selector in (".rb-play .rb-pulled .rb-chip", ".rb-play .rb-key"):
        pairs = browser.execute_script("""
            return [...document.querySelectorAll(arguments[0])].map((each) => {
              const {color, backgroundColor} = getComputedStyle(each);
              return [color, backgroundColor];
            })""", selector)  # fmt: skip
        assert len(pairs) == len({ground for _, ground in pairs}) == 10
        assert min(browser.execute_script(CONTRAST, *pair) for pair in pairs) >= 4.5


def test_who_draws_their_own_is_told_what_is_left_out(browser, book):
    shown(browser, book, "book/touch.html", "play")
    menu = browser.find_element("css selector", ".rb-play .rb-select select")
    for name, cut in (("four", False), ("10-homo-increasing", True)):
        menu.find_element("css selector", f"option[value='{name}']").click()
        menu.find_element("css selector", "option[value='drawn']").click()
        hint = browser.find_element("css selector", ".rb-play .rb-room .rb-hint").text
        assert ("the others are left out" in hint) == cut


def test_the_learners_have_practised_as_long_as_the_page_says(browser, book):
    state = shown(browser, book, "book/intro.html", "play")
    WebDriverWait(browser, 60).until(
        lambda b: {"SS-SARSA", "PlanUCB"} <= state()["others"].keys()
    )
    note = browser.find_element("css selector", ".rb-note").text
    assert "SS-SARSA and PlanUCB have practised for 100,000 rounds of this bandit" in note
    assert len(state()["others"]["SS-SARSA"]) == 30
    rows = browser.find_elements("css selector", ".rb-play .rb-score tbody tr")
    players = [row.get_attribute("data-player") for row in rows]
    assert players == ["you", "greedy", "SS-SARSA", "PlanUCB", "optimum"]
    # Who plans for a table learnt in 100,000 rounds knows the best cycle of four arms.
    bandit = rb.RecoveringBandit(browser.execute_script("return RB.OWN.means"))
    earned, best = sum_of(bandit, state()["others"]["PlanUCB"]), rb.optimum(bandit, rounds=30)
    assert best.value - 1 < earned <= best.value


def test_any_of_the_papers_settings_can_be_played(browser, book):
    state = shown(browser, book, "book/touch.html", "play")
    menu = browser.find_element("css selector", ".rb-play .rb-select select")
    names = [
        option.get_attribute("value") for option in menu.find_elements("css selector", "option")
    ]
    assert len(names) == 2 + 9  # ours and the reader's, and the paper's
    for name in names[1:-1]:
        menu.find_element("css selector", f"option[value='{name}']").click()
        setting, _, shape = name.rpartition("-") if name != "small" else (name, "", "increasing")
        bandit = rb.setting(setting, shape)
        assert len(browser.find_elements("css selector", ".rb-play .rb-arm")) == bandit.arms
        best = rb.optimum(bandit, rounds=30).value
        earned = sum_of(bandit, state()["others"]["optimum"])
        assert earned == pytest.approx(best), name


def sum_of(bandit, arms):
    total, state = 0.0, bandit.start
    for arm in arms:
        total += bandit.means[arm, state[arm] - 1]
        state = bandit.next_state(state, arm)
    return total


def test_a_drawn_curve_moves_the_exact_cycle(browser, book):
    state = shown(browser, book, "book/touch.html", "draw")
    means = browser.execute_script("return RB.OWN.means")
    points = browser.find_elements("css selector", "[data-figure=draw] .rb-chart .rb-point")
    browser.execute_script("arguments[0].focus()", points[2 * 5])  # arm 3 in state 1
    ActionChains(browser).send_keys(Keys.ARROW_UP * 8).perform()
    means[2][0] = 0.75
    best = rb.optimum(rb.RecoveringBandit(means))
    assert points[2 * 5].get_attribute("aria-valuenow") == "0.75"
    assert state()["average"] == pytest.approx(best.average)
    assert [(each["arm"], each["s"]) for each in state()["cycle"]] == best.cycle
    # And with the mouse: across the whole chart of arm 1, along its bottom.
    chart = browser.find_elements("css selector", "[data-figure=draw] .rb-chart")[0]
    wide, high = chart.size["width"], chart.size["height"]
    drag = ActionChains(browser).move_to_element_with_offset(
        chart, int(-0.35 * wide), int(0.3 * high)
    )
    drag.click_and_hold()
    for step in range(16):
        drag.move_to_element_with_offset(chart, int((-0.35 + 0.05 * step) * wide), int(0.3 * high))
    drag.release().perform()
    drawn = [float(each.get_attribute("aria-valuenow")) for each in points[:5]]
    assert len(set(drawn)) == 1
    assert drawn[0] < 0.2
    means[0] = drawn
    assert state()["average"] == pytest.approx(rb.optimum(rb.RecoveringBandit(means)).average)


def test_after_drawing_one_can_begin_again(browser, book):
    state = shown(browser, book, "book/touch.html", "draw")
    before = state()
    ours = browser.find_element("css selector", "[data-figure=draw] input[value=four]")
    point = browser.find_element("css selector", "[data-figure=draw] .rb-point")
    browser.execute_script("arguments[0].focus()", point)
    ActionChains(browser).send_keys(Keys.END).perform()
    assert state() != before
    assert not ours.is_selected()
    ActionChains(browser).click(ours).perform()
    assert state() == before
    assert ours.is_selected()


RING = """
const ring = figure.querySelector(".rb-ring"), marks = [...ring.querySelectorAll(".rb-bead")];
const at = marks.map((each) => ["cx", "cy", "r"].map((name) => Number(each.getAttribute(name))));
const gaps = at.map(([x, y, r], i) => {
  const [u, v, q] = at[(i + 1) % at.length];
  return Math.hypot(x - u, y - v) - r - q;
});
return {gap: Math.min(...gaps), least: Math.min(...at.map((each) => each[2])),
        texts: ring.querySelectorAll(".rb-beadtext").length,
        chips: [...figure.querySelectorAll(".rb-chip")].map((each) => Number(each.textContent))}"""


def test_pulls_of_long_cycles_do_not_overlap(browser, book):
    state = shown(browser, book, "book/touch.html", "draw")
    rng = np.random.default_rng(2)
    lengths = set()
    for _ in range(150):
        means = (rng.integers(0, 21, (6, 6)) / 20).tolist()
        if browser.execute_script("return RB.optimum(arguments[0]).cycle.length", means) in lengths:
            continue
        browser.execute_script(HANDLE + "handle.set(arguments[1])", "draw", means)
        arms = [each["arm"] + 1 for each in state()["cycle"]]
        lengths.add(len(arms))
        found = browser.execute_script(HANDLE + RING, "draw")
        assert found["gap"] > 0 or len(arms) == 1, means
        assert found["texts"] == (len(arms) if found["least"] >= 7 else 0)
        assert found["chips"] == arms  # to be read in any case
    assert max(lengths) > 40  # with marks too small for numbers


def swiped(browser, box, from_, to):
    """One finger from a place to another, both in shares of a box."""
    places = [
        {"x": box["x"] + (a + (b - a) * i / 10) * box["width"],
         "y": box["y"] + (c + (d - c) * i / 10) * box["height"]}
        for (a, c), (b, d) in [(from_, to)] for i in range(11)
    ]  # fmt: skip
    for i, place in enumerate(places):
        event = {"type": "touchMove" if i else "touchStart", "touchPoints": [place]}
        browser.execute_cdp_cmd("Input.dispatchTouchEvent", event)
    browser.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_a_finger_scrolls_past_the_curves_and_draws_sideways(phone, book):
    shown(phone, book, "book/touch.html", "draw")
    charts = phone.find_elements("css selector", "[data-figure=draw] .rb-chart")

    def look():
        """Where the third chart lies, once the page has come to rest."""
        return phone.execute_async_script("""
            const [chart, done] = arguments;
            let before = null, still = 0;
            (function look() {
              // Only what is not forced can show that it rests: a flung page glides on for a while.
              still = chart.getBoundingClientRect().y === before ? still + 1 : 0;
              if (!still) chart.scrollIntoView({block: "center", behavior: "instant"});
              const {x, y, width, height} = chart.getBoundingClientRect();
              if (still > 20) return done({x, y, width, height});
              before = y;
              requestAnimationFrame(look);
            })()""", charts[2])  # fmt: skip

    def drawn():
        points = phone.find_elements("css selector", "[data-figure=draw] .rb-point")
        return [float(each.get_attribute("aria-valuenow")) for each in points]

    before, box = drawn(), look()
    assert before[10:15] == [0.35] * 5
    top = phone.execute_script("return scrollY")
    swiped(phone, box, (0.4, 0.9), (0.42, -1.5))
    WebDriverWait(phone, 10).until(lambda b: b.execute_script("return scrollY") > top + 50)
    assert drawn() == before
    swiped(phone, look(), (0.15, 0.1), (0.99, 0.12))
    after = drawn()
    assert min(after[10:15]) > 0.85
    assert after[:10] + after[15:] == before[:10] + before[15:]
    # A point goes where it is drawn, also straight down.
    box, top = look(), phone.execute_script("return scrollY")
    point = phone.execute_script(
        "const {x, y, width, height} = arguments[0].querySelectorAll('.rb-point')[1]"
        ".getBoundingClientRect(); return [x + width / 2, y + height / 2]", charts[2])  # fmt: skip
    at = (point[0] - box["x"]) / box["width"], (point[1] - box["y"]) / box["height"]
    swiped(phone, box, at, (at[0], 0.7))
    assert drawn()[11] < 0.3
    assert drawn()[:11] + drawn()[12:] == after[:11] + after[12:]
    assert phone.execute_script("return scrollY") == top


def test_stepping_back_is_stepping_less(browser, book):
    state = shown(browser, book, "book/touch.html", "step")

    def press(name):
        browser.find_element("css selector", f"[data-figure=step] [aria-label='{name}']").click()
        return state()

    assert state()["t"] == 1
    there = press("+100 rounds")
    assert there["t"] == 101
    onwards = press("Step one round forward")
    assert onwards["t"] == 102
    assert onwards["q"] != there["q"]
    assert press("Back one round") == there
    assert sum(there["counts"]) == 101 * 4  # one cell in each of the four tables a round
    browser.execute_script(HANDLE + "handle.set('visits', 'separated')", "step")
    assert state()["t"] == 101
    assert state()["counts"] != there["counts"]


def test_steps_lead_to_the_end_of_exploration_and_to_the_end(browser, book):
    state = shown(browser, book, "book/touch.html", "step")
    title = browser.find_element("css selector", "[data-figure=step] strong")
    for name, end in (("Run to 10,000", 10_000), ("To the end of exploration", 1_000)):
        browser.find_element("xpath", f"//button[text()='{name}']").click()
        WebDriverWait(browser, 60).until(lambda b, end=end: state()["t"] == end)
        assert title.text == f"Round {end:,}"


def test_rotor_and_random_walk_as_rb_core_has_them(browser, book):
    state = shown(browser, book, "book/touch.html", "rotor")
    browser.execute_script(HANDLE + "handle.advance(150)", "rotor")
    rotor, chance = state()
    assert rotor["t"] == chance["t"] == 150
    pairs = 3 * (rb.reachable_states(3, 3) - 1)  # without the start
    assert rotor["visited"] == pairs > chance["visited"]


def test_the_graph_is_seen_before_the_first_step_and_loops_are_round(phone, book):
    shown(phone, book, "book/touch.html", "rotor")
    edges = phone.execute_script(HANDLE + """
        return [...figure.querySelector(".rb-graph").querySelectorAll(".rb-edge")].map((each) => {
          const look = getComputedStyle(each), from = each.getPointAtLength(0);
          const long = each.getTotalLength(), to = each.getPointAtLength(long);
          const one = each.getPointAtLength(long / 4), other = each.getPointAtLength(3 * long / 4);
          const scale = look.vectorEffect === "non-scaling-stroke" ? 1 : each.getScreenCTM().a;
          return {loop: Math.hypot(from.x - to.x, from.y - to.y) < 1, long,
                  across: Math.hypot(one.x - other.x, one.y - other.y),
                  stroke: look.stroke, wide: parseFloat(look.strokeWidth) * scale};
        })""", "rotor")  # fmt: skip
    card = phone.find_element("css selector", "[data-figure=rotor] .rb-card")
    ground = card.value_of_css_property("background-color")
    assert min(each["wide"] for each in edges) >= 1
    assert phone.execute_script(CONTRAST, edges[0]["stroke"], ground) >= 3  # all are alike at first
    loops = [each for each in edges if each["loop"]]
    assert len(loops) == 3
    assert all(each["across"] > each["long"] / 6 for each in loops)


def test_sliders_show_the_committed_runs(browser, book):
    state = shown(browser, book, "book/touch.html", "sweep")
    with open(TOP / "notebooks" / "sweeps" / "sensitivity.csv", newline="") as file:
        rows = [
            row
            for row in csv.DictReader(file)
            if (row["agent"], row["shape"]) == ("SS-SARSA (sep.)", "peaked")
        ]
    sliders = browser.find_elements("css selector", "[data-figure=sweep] input[type=range]")
    for keys, t0, explore in (
        ("", "5000.0", "0.1"),
        (Keys.HOME, "50.0", "0.01"),
        (Keys.END, "500000.0", "0.4"),
    ):
        for slider in sliders:
            slider.send_keys(keys)
        optimal = [
            int(row["optimal"]) for row in rows if (row["t0"], row["explore"]) == (t0, explore)
        ]
        assert state()["rate"][0] == pytest.approx(sum(optimal) / len(optimal))


def test_a_race_ends_and_its_regrets_are_those_of_runs(browser, book):
    state = shown(browser, book, "book/touch.html", "race")
    browser.execute_script(HANDLE + "handle.race()", "race")
    WebDriverWait(browser, 120).until(lambda b: all(each["t"] == 100_000 for each in state()))
    found = {each["name"]: each["regret"] for each in state()}
    assert set(found) == set(browser.execute_script("return Object.keys(RB.agents)")) - {
        "RandomPull"
    }
    # One run each, so wide bounds: those of 1,000 runs of the same experiment.
    results = rb.results("6-hetero-increasing-bernoulli-undiscounted")[0]
    bandit = rb.setting("6-hetero")
    planned = rb.simulate(bandit, rb.PlanUCB(), rounds=100_000, sims=30)
    runs_of = {name: each.regret for name, each in results.items()}
    runs_of["PlanUCB"] = rb.regret(planned, rb.optimum(bandit, rounds=100_000))[:, -1]
    for name, regret in found.items():
        runs = runs_of[name]
        assert min(runs) - 100 <= regret <= max(runs) + 100, name


def test_a_race_leaves_time_for_everything_else(browser, book):
    """However slow the machine: here every round takes a millisecond of a clock of our own."""
    shown(browser, book, "book/touch.html", "race")
    frame = browser.execute_script(HANDLE + """
        const {run} = RB, now = performance.now;
        let clock = 0;
        performance.now = () => clock;
        RB.run = (...given) => {
          const made = run(...given), {step} = made;
          made.step = () => {
            clock++;
            return step.call(made);
          };
          return made;
        };
        handle.set(RB.OWN.means);
        handle.race();
        [RB.run, performance.now] = [run, now];
        handle.set(RB.OWN.means);
        return clock""", "race")  # fmt: skip
    assert 14 <= frame <= 50


def test_a_race_leaves_the_boxes_alone(browser, book):
    state = shown(browser, book, "book/touch.html", "race")
    box = browser.find_element("css selector", "[data-figure=race] input[type=checkbox]")
    browser.execute_script("arguments[0].focus()", box)
    ActionChains(browser).send_keys(Keys.SPACE).perform()
    assert browser.switch_to.active_element == box
    names = [each["name"] for each in state()]
    assert "SS-SARSA" not in names
    browser.execute_script(HANDLE + "handle.race()", "race")
    WebDriverWait(browser, 60).until(lambda b: any(each["t"] > 0 for each in state()))
    ActionChains(browser).click_and_hold(box).pause(0.12).release().perform()
    assert [each["name"] for each in state()] == ["SS-SARSA", *names]
    boxes = browser.find_elements("css selector", "[data-figure=race] input[type=checkbox]")
    for each in boxes:
        each.click()
    last = [each for each in boxes if each.is_selected()]
    assert len(last) == len(state()) == 1  # somebody must race


# How far letters stand out from what they are on, by the rule of WCAG; axe does not see these.
CONTRAST = """
const [letters, ground] = arguments, canvas = document.createElement("canvas").getContext("2d");
function light(colour) {
  canvas.fillStyle = colour;
  canvas.fillRect(0, 0, 1, 1);
  const linear = [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3).map(
    (c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2] + 0.05;
}
const [one, other] = [light(letters), light(ground)];
return Math.max(one, other) / Math.min(one, other)"""


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_numbers_on_colours_are_legible(browser, book, theme):
    shown(browser, book, "book/touch.html", "sweep")
    browser.execute_script("document.documentElement.dataset.theme = arguments[0]", theme)
    pairs = browser.execute_script("""
        const look = getComputedStyle, top = document.getElementById("pst-back-to-top");
        top.style.transition = "none";
        return [[look(top).color, look(top).backgroundColor],
            ...[...document.querySelectorAll("[data-figure=sweep] .rb-map g")].map((cell) =>
                [look(cell.querySelector("text")).fill, look(cell.querySelector("rect")).fill])]""")
    assert len(pairs) == 1 + 25
    assert min(browser.execute_script(CONTRAST, *pair) for pair in pairs) >= 4.5


@pytest.mark.parametrize("width", [390, 1440])
def test_pages_keep_the_room_for_figures_that_come(browser, book, width):
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        for name in about.ALT:
            shown(browser, book, "book/touch.html", name)
            kept, taken = browser.execute_script(
                HANDLE + "const place = figure.querySelector('.rb-place');"
                "return [parseFloat(getComputedStyle(place).getPropertyValue('--rb-high')),"
                "place.getBoundingClientRect().height]", name)  # fmt: skip
            assert abs(kept - taken) <= 30, name  # letters differ a little from machine to machine
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


@pytest.mark.parametrize("width", [390, 1440])
def test_captions_keep_their_distance_and_have_numbers(browser, book, width):
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        shown(browser, book, "notebooks/03_the_optimum.html", "draw")
        number, gap, left = browser.execute_script(
            HANDLE + "const caption = figure.querySelector('figcaption');"
            "const box = figure.querySelector('.rb-card').getBoundingClientRect();"
            "return [caption.querySelector('.caption-number').textContent,"
            "caption.getBoundingClientRect().top - box.bottom,"
            "box.left - figure.parentElement.getBoundingClientRect().left]", "draw")  # fmt: skip
        assert number.strip() == "Fig. 3.1"
        assert gap >= 8
        assert abs(left) < 1  # a card begins where the text does
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_without_scripts_and_on_paper_there_are_still_pictures(browser, book):
    visible = """return [...document.querySelectorAll('.rb-poster')].map(
        image => image.checkVisibility() && image.alt.length > 50)"""
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        browser.get((book / "book/touch.html").as_uri())
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
        assert browser.execute_script(visible) == [True] * len(about.ALT)
    finally:
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
    browser.get((book / "book/touch.html").as_uri())
    assert browser.execute_script(visible) == [False] * len(about.ALT)
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        assert browser.execute_script(visible) == [True] * len(about.ALT)
    finally:
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


def test_where_motion_is_not_wanted_the_end_is_shown_at_once(browser, book):
    features = [{"name": "prefers-reduced-motion", "value": "reduce"}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    try:
        state = shown(browser, book, "book/touch.html", "rotor")
        drawn = """window.seen = new Set();
            const words = document.querySelector('[data-figure=rotor] .rb-name');
            new MutationObserver(() => seen.add(words.textContent)).observe(
                words, {childList: true, characterData: true, subtree: true});"""
        browser.execute_script(drawn)
        for button in browser.find_elements("css selector", "[data-figure=rotor] .rb-button"):
            if button.text == "Run to 400":
                button.click()
        WebDriverWait(browser, 30).until(lambda b: state()[0]["t"] == 400)
        assert browser.execute_script("return seen.size") <= 1
    finally:
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def test_the_still_pictures_show_the_figures_as_they_are():
    import json

    made = json.loads(posters.STAMP.read_text())
    assert made == {name: posters.made_from(name) for name in about.ALT}, (
        "run .venv/bin/python book/interactive/posters.py"
    )
