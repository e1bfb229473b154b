"""The workbench: with all switches off the paper's agents, and every switch against plain NumPy."""

import dataclasses
import itertools

import numpy as np
import pytest

import rb_core as rb
from rb_core.workbench import SlippedRGPTS, Workbench
from rb_core.workbench.slips import SLIPS
from rb_core.workbench.switches import EXPLORATIONS, FUTURES, STEPS
from tests import reference
from tests.reference import pick
from tests.witness import assert_same_table

BANDITS = {
    "bernoulli": rb.setting("6-homo", "peaked"),
    "normal": rb.RecoveringBandit([[0.1, 0.9], [0.4, 0.3], [0.2, 0.7]], "normal", variance=0.3),
}


class PlainWorkbench(reference.SSSarsa):
    """The witness of SS-SARSA, with switches as the docstring of Workbench describes them."""

    def __init__(self, K, s_max, T, gamma, exploration, steps, future, learning, **options):
        super().__init__(K, s_max, T, gamma, **options)
        self.exploration, self.steps, self.future = exploration, steps, future
        self.last_update = T if learning == "always" else self.E
        self.share = options["explore"]
        self.updates = np.zeros(self.Q.shape)

    def choose(self, t, state, rng):
        if self.exploration == "least visited":
            return super().choose(t, state, rng)
        chance = {"random": float(t <= self.E), "fading": 1 - t / (2 * self.E + 1),
                  "steady": self.share}[self.exploration]
        if rng.random() < chance:
            return int(rng.random() * self.K)
        values = self.values(state)
        return pick(np.flatnonzero(values == values.max()), self.ties, rng)

    def update(self, t, state, arm, reward, next_state, next_arm):
        if t > self.last_update:
            return
        at, next_at = np.array(state) - 1, np.array(next_state) - 1
        cells = (self.arms, at, at[arm], arm)
        self.updates[cells] += 1
        n = self.updates[cells]
        step = {"round": 1 / (t + self.t0), "entry": 1 / (n + self.t0),
                "even": t / n / (t + self.t0), "constant": 1 / self.t0}[self.steps]
        values = self.values(next_state)
        best = next_arm if values[next_arm] == values.max() else int(values.argmax())
        by_table = self.Q[self.arms[:, None], next_at[:, None], next_at, self.arms]  # k x a
        ahead = {"pulled": by_table[:, next_arm], "average": by_table[:, best],
                 "table": by_table.max(axis=1), "none": 0.0}[self.future]
        self.Q[cells] += step * (reward + self.gamma * ahead - self.Q[cells])


class PlainSlip(reference.RGPTS):
    """The witness of 2RGP-TS, with slips as the docstring of SlippedRGPTS describes them."""

    def __init__(self, K, s_max, T, slip, **options):
        super().__init__(K, s_max, T, lookahead=2, **options)
        self.slip = slip

    def act(self, t, state, rng):
        if not self.plan:
            self.planned = state
        arm = super().act(t, state, rng)
        self.plan = [] if self.slip == "replans" else self.plan
        return arm

    def totals(self, state, rng):
        first, second = self.sequences.T
        now = np.array(state)
        z = rng.standard_normal(self.K)
        later = now if self.slip == "stale plan" else np.minimum(now + 1, self.s_max)
        z_later = rng.standard_normal((self.K, 2))  # without a pull in between, and after one
        reset = (first == second) & (self.slip != "no reset")
        s = np.where(reset, 1, later[second])
        return (self.mean[first, now[first] - 1] + self.sd[first, now[first] - 1] * z[first]
                + self.mean[second, s - 1]
                + self.sd[second, s - 1] * z_later[second, reset.astype(int)])

    def learn(self, t, state, arm, reward, next_state):
        learnt = {"stale update": self.planned, "late update": next_state}.get(self.slip, state)
        super().learn(t, learnt, arm, reward, next_state)


def switched():
    common = {"gamma": 0.9, "t0": 5, "explore": 0.4}
    for steps, future in itertools.product(STEPS, FUTURES):
        yield Workbench(**common, steps=steps, future=future)
    for exploration, ties in itertools.product(EXPLORATIONS, ("random", "first")):
        yield Workbench(**common, exploration=exploration, ties=ties, visits="separated")
    yield Workbench(**common, learning="exploring", steps="even")


def short(agent):
    changed = [field.name for field in dataclasses.fields(agent)[1:]
               if getattr(agent, field.name) != field.default]
    return ", ".join(str(getattr(agent, name)) for name in changed)


@pytest.mark.parametrize("law", BANDITS)
@pytest.mark.parametrize("agent", [*switched()], ids=short)
def test_a_switch_does_what_its_plain_witness_does(agent, law):
    bandit = BANDITS[law]
    plain = PlainWorkbench(bandit.arms, bandit.s_max, 400, **dataclasses.asdict(agent))
    played = rb.play(bandit, plain, 400, rb.stream(bandit, agent, 3))
    ours = rb.trace(bandit, agent, 400, 3, compiled=False)
    np.testing.assert_array_equal(ours.arms, played.arms)
    values, compiled_values = plain.values_beside(ours.memory)
    assert_same_table("values", compiled_values, values)
    assert values.any()


@pytest.mark.parametrize("options", [
    {}, {"visits": "separated"}, {"ties": "first"}, {"t0": 50, "explore": 0.5},
], ids=str)
def test_with_its_switches_off_the_workbench_is_ss_sarsa(options):
    bandit, agent = BANDITS["bernoulli"], rb.SSSarsa(0.9, **options)
    ours = Workbench(0.9, **options).init(bandit.arms, bandit.s_max, 3_000).grow(1, 3_000)
    played = rb.play(bandit, ours, 3_000, rb.stream(bandit, agent, 1))
    original = rb.trace(bandit, agent, 3_000, 1, compiled=False)
    np.testing.assert_array_equal(played.arms, original.arms)
    np.testing.assert_array_equal(ours.q, original.memory.q)
    np.testing.assert_array_equal(ours.explorer.joint_counts, original.memory.explorer.joint_counts)


@pytest.mark.parametrize("law", BANDITS)
@pytest.mark.parametrize("slip", SLIPS)
def test_a_slip_does_what_its_plain_witness_does(slip, law):
    bandit, agent = BANDITS[law], SlippedRGPTS(slip, sigma=0.5, length_scale=1.5)
    plain = PlainSlip(bandit.arms, bandit.s_max, 400, **dataclasses.asdict(agent))
    played = rb.play(bandit, plain, 400, rb.stream(bandit, agent, 3))
    ours = rb.trace(bandit, agent, 400, 3, compiled=False)
    np.testing.assert_array_equal(ours.arms, played.arms)
    means, covs = zip(*map(plain.posterior, range(bandit.arms)), strict=True)
    assert_same_table("means", ours.memory.seen_mean, np.array(means))
    np.testing.assert_allclose(ours.memory.cov, np.array(covs), atol=1e-9)


@pytest.mark.parametrize("law", BANDITS)
def test_without_a_slip_it_is_2rgp_ts(law):
    bandit, agent = BANDITS[law], rb.RGPTS(2)
    ours = SlippedRGPTS().init(bandit.arms, bandit.s_max, 1_000)
    played = rb.play(bandit, ours, 1_000, rb.stream(bandit, agent, 1))
    original = rb.trace(bandit, agent, 1_000, 1, compiled=False)
    np.testing.assert_array_equal(played.arms, original.arms)
    np.testing.assert_array_equal(ours.seen_mean, original.memory.mean)
    np.testing.assert_array_equal(ours.cov, original.memory.cov)


@pytest.mark.slow
@pytest.mark.parametrize("agent", [
    Workbench(0.9), Workbench(0.9, exploration="fading", steps="even", future="average"),
    *map(SlippedRGPTS, SLIPS),
], ids=str)
def test_compiled_it_does_the_same(agent):
    rb.check_agent(agent)


def test_no_list_of_agents_has_it():
    kinds = {type(listed.make(0.9)) for listed in rb.AGENTS.values()}
    assert not kinds & {Workbench, SlippedRGPTS}


@pytest.mark.parametrize("wrong", [{"steps": "evn"}, {"future": "max"}, {"exploration": "greedy"},
                                   {"learning": "never"}, {"explore": 2}], ids=str)
def test_a_switch_has_no_other_position(wrong):
    with pytest.raises(rb.InputError):
        Workbench(0.9, **wrong)
