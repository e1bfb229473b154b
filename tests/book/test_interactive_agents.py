"""The algorithms in the page are rb_core's: fed the same draws they pull the same arms and hold the
same tables, in a real browser."""

import sys

import numpy as np
import pytest

import rb_core as rb
from tests.conftest import TOP

sys.path.append(str(TOP / "book" / "interactive"))
import about

pytestmark = pytest.mark.browser
ROUNDS = 3000
BANDITS = {
    "small": rb.setting("small"),
    "6-hetero normal": rb.setting("6-hetero", "peaked", "normal"),
    "6-homo": rb.setting("6-homo", "peaked"),
    "10-homo": rb.setting("10-homo", "increasing"),
}
# Parameters by rb_core's names; the page calls them the same, but for the case of letters.
VARIANTS = {
    "SS-SARSA": [{}, {"ties": "first"}, {"t0": 50, "explore": 0.35, "gamma": 0.9}],
    "SS-SARSA (sep.)": [{}, {"ties": "first", "explore": 0.5}],
    "SARSA": [{}, {"visits": "separated"}, {"ties": "first", "t0": 50, "gamma": 0.9}],
    "Q-learning": [{}, {"visits": "separated"}, {"ties": "first", "t0": 50, "gamma": 0.9}],
    "1RGP-TS": [{}, {"sigma": 0.5}],
    "2RGP-TS": [{}, {"sigma": 0.5}],
    "RandomPull": [{}],
    "PlanUCB": [{}],
}
PLAY = """
const [means, law, variance, name, options, rounds, kinds, values] = arguments;
const bandit = RB.bandit(means, law, variance), rng = RB.recorded(kinds, values);
const agent = RB.agents[name].make(bandit.arms, bandit.sMax, rounds, options);
const run = RB.run(bandit, agent, rng), arms = [], rewards = [];
for (let t = 0; t < rounds; t++) {
  const {arm, reward} = run.step();
  arms.push(arm);
  rewards.push(reward);
}
const tables = Object.fromEntries(Object.entries(agent.tables()).map(([k, v]) => [k, [...v]]));
return {arms, rewards, tables, left: rng.left(), total: run.total};
"""


class Recording:
    """A generator that notes what it drew."""

    def __init__(self, rng):
        self.rng, self.kinds, self.values = rng, "", []

    def random(self):
        return self.note("u", self.rng.random())

    def standard_normal(self):
        return self.note("n", self.rng.standard_normal())

    def note(self, kind, value):
        self.kinds += kind
        self.values.append(float(value))
        return value


@pytest.fixture(scope="module")
def page(browser):
    browser.get("about:blank")
    browser.execute_script(about.scripts())
    return browser


def agent_of(name, options):
    listed = rb.AGENTS[name].make(options.get("gamma", 0.99999))
    return type(listed)(**{**vars(listed), **options})


def tables_of(memory):
    """What an agent of rb_core holds, under the page's names; counts of states that were met."""
    found = {}
    if hasattr(memory, "explorer"):
        met = int(memory.explorer.states.rows_used[0])  # rows are numbered from 1
        joint = hasattr(memory, "row") or hasattr(memory, "last")  # values by joint state
        found["q"] = memory.q[1 : met + 1] if joint else memory.q
        found["joint_counts"] = memory.explorer.joint_counts[1 : met + 1]
        found["separated_counts"] = memory.explorer.separated_counts
    kept = ("counts", "means", "moments", "centre", "weight", "upper", "due")  # by PlanUCB
    for name in ("mean", "var", "cov", *kept):
        if hasattr(memory, name):
            found[name] = getattr(memory, name)
    if hasattr(memory, "place"):
        found["path"] = memory.path[: memory.place[2]]
    return {name: table for name, table in found.items() if table.size}


def test_every_agent_on_offer_is_compared(page):
    offered = set(page.execute_script("return Object.keys(RB.agents)"))
    assert offered == set(VARIANTS) == {*about.RACING, "RandomPull"}
    assert offered <= set(rb.AGENTS)


@pytest.mark.parametrize(
    ("name", "options"), [(name, each) for name, all_ in VARIANTS.items() for each in all_]
)
def test_fed_the_same_draws_an_agent_does_what_rb_core_does(page, name, options):
    for bandit in BANDITS.values():
        agent = agent_of(name, options)
        memory = agent.init(bandit.arms, bandit.s_max, ROUNDS)
        memory = memory.grow(1, ROUNDS) if hasattr(memory, "grow") else memory
        rng = Recording(rb.stream(bandit, agent))
        played = rb.play(bandit, memory, ROUNDS, rng)
        found = page.execute_script(
            PLAY,
            bandit.means.tolist(),
            bandit.reward,
            bandit.variance,
            name,
            options,
            ROUNDS,
            rng.kinds,
            rng.values,
        )
        # By the first difference: pytest would take minutes to show how two long lists differ.
        differ = np.flatnonzero(np.array(found["arms"]) != played.arms)
        assert not differ.size, f"{bandit}: another arm in round {differ[0] + 1}"
        assert found["rewards"] == played.rewards.tolist()
        assert found["left"] == 0
        assert found["total"] == pytest.approx(played.expected.sum(), abs=1e-9)
        wanted = tables_of(memory)
        assert set(wanted) == set(found["tables"])
        for kind, table in wanted.items():
            mine, theirs = np.array(found["tables"][kind]), table.ravel()
            # A state met in the last round has a row of zeros here, and none there.
            assert not mine[theirs.size :].any()
            assert not theirs[mine.size :].any()
            shared = min(mine.size, theirs.size)
            assert shared > 0
            assert np.abs(mine[:shared] - theirs[:shared]).max() <= 1e-12, kind


def test_the_runs_compared_are_the_compiled_ones():
    """What runs line by line for the comparison is what rb_core computes results with."""
    bandit, agent = BANDITS["6-homo"], rb.SSSarsa(0.99999)
    memory = agent.init(bandit.arms, bandit.s_max, ROUNDS).grow(1, ROUNDS)
    played = rb.play(bandit, memory, ROUNDS, Recording(rb.stream(bandit, agent)))
    compiled = rb.trace(bandit, agent, ROUNDS)
    assert played.arms.tolist() == compiled.arms.tolist()
    assert np.array_equal(memory.q, compiled.memory.q)


def states_in_turn(arms, s_max):
    """The states in which the arms of a cycle are pulled once it goes round and round."""
    gaps = range(1, len(arms) + 1)
    return [
        min(next(gap for gap in gaps if arms[i - gap] == arm), s_max) for i, arm in enumerate(arms)
    ]


def test_the_planner_finds_rb_cores_cycle_and_average(page):
    rng = np.random.default_rng(5)
    sizes = ((2, 2), (2, 6), (3, 4), (4, 5), (4, 5), (6, 3), (5, 5), (6, 6))
    drawn = [rng.random(size) for size in sizes]
    even = [rng.integers(0, 21, size) / 20 for size in sizes]  # as drawn by hand: with equal values
    for means in [*drawn, *even, *(each.means for each in BANDITS.values())]:
        best = rb.optimum(rb.RecoveringBandit(means), rounds=30)
        found = page.execute_script(
            "const best = RB.optimum(arguments[0]), thirty = RB.bestRounds(arguments[0], 30);"
            "return {...best, thirty}",
            means.tolist(),
        )
        assert found["average"] == pytest.approx(best.average, abs=1e-12)
        cycle = [(each["arm"], each["s"]) for each in found["cycle"]]
        # Of several best cycles, rounding decides: then each side has one.
        assert cycle == best.cycle or any(means is each for each in even)
        earned = np.mean([means[arm][s - 1] for arm, s in cycle])
        assert earned == pytest.approx(best.average, abs=1e-12)
        assert states_in_turn([arm for arm, _ in cycle], means.shape[1]) == [s for _, s in cycle]
        assert found["states"] == best.states
        assert found["thirty"]["value"] == pytest.approx(best.value, abs=1e-12)
        state, total = np.full(len(means), len(means[0])), 0.0
        for arm in found["thirty"]["arms"]:  # the arms that are shown earn that value
            total += means[arm][state[arm] - 1]
            state = np.minimum(state + 1, len(means[0]))
            state[arm] = 1
        assert total == pytest.approx(best.value, abs=1e-12)


def test_the_pages_own_draws_have_the_right_moments(page):
    uniform, normal = page.execute_script("""const rng = RB.random(1);
        const draw = (f) => Array.from({length: 40000}, f);
        return [draw(rng.uniform), draw(rng.normal)]""")
    for sample, mean, variance in ((uniform, 0.5, 1 / 12), (normal, 0.0, 1.0)):
        sample = np.array(sample)
        assert abs(sample.mean() - mean) < 5 * np.sqrt(variance / len(sample))
        assert abs(sample.var() / variance - 1) < 0.05
        assert abs(np.corrcoef(sample[:-1], sample[1:])[0, 1]) < 0.03
    assert 0 <= min(uniform) < max(uniform) < 1


def test_the_bundle_is_light_and_classic():
    text = about.scripts()
    assert len(text.encode()) + len((about.ROOM / "interactive.css").read_bytes()) < 150_000
    for forbidden in ("import ", "export ", "fetch(", "XMLHttpRequest", "http://", "https://"):
        assert forbidden not in text.replace("http://www.w3.org/2000/svg", "")
    for name in about.ALT:
        assert len(about.compact(about.data(name))) <= 100_000, name
