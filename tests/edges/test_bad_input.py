"""Whatever is wrong is said at once, in one sentence that tells what would be right."""

import re
import warnings
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pytest

import rb_core as rb
from rb_core.checks import failures_of, numeral, whole

TABLE = [[0.1, 0.2], [0.3, 0.4]]
BANDIT = rb.RecoveringBandit(TABLE)
AGENT = rb.SSSarsa(0.9)
RUNS = rb.simulate(BANDIT, AGENT, 10, sims=2)
BEST = rb.optimum(BANDIT, 10)
NAN, INF, HUGE = float("nan"), float("inf"), 10**400

NOT_A_NUMBER_OF_ROUNDS = [0, -1, 2.5, NAN, INF, HUGE, 10**12, "10", None, True, [10], np.ones(2)]
NOT_A_GAMMA = [0, -0.5, 1.0001, NAN, INF, "0.9", None, True, 1j, [0.9], np.ones((30, 30))]

BAD_CALLS = {
    "means": [
        (rb.RecoveringBandit, means)
        for means in (
            [],
            [[]],
            [[], []],
            [0.1, 0.2],
            0.5,
            [[0.1, 0.2], [0.3]],
            [[[0.1]]],
            [[NAN]],
            [[INF]],
            [[None]],
            [["a"]],
            "table",
            None,
            {0: [0.1]},
            [[0.5, 1.1]],
            [[-0.1, 0.5]],
            [[0.1 + 0j]],
            np.array([[0.1 + 0j]]),
            np.zeros((0, 3)),
            np.zeros((3, 0)),
            [[HUGE]],
        )
    ],
    "next state": [
        (rb.setting("small").next_state, [3, 3, 3], arm)
        for arm in (-1, 3, 0.5, NAN, "0", None, True, [0], np.ones(2))
    ],
    "reward": [
        (rb.RecoveringBandit, TABLE, reward)
        for reward in ("poisson", "Normal", "", None, 3, ["normal"], rb.RecoveringBandit)
    ],
    "variance": [
        (rb.RecoveringBandit, TABLE, "normal", variance)
        for variance in (-1, NAN, INF, HUGE, "0.5", None, True)
    ],
    "setting": [
        (rb.setting, "7-homo"),
        (rb.setting, ""),
        (rb.setting, None),
        (rb.setting, 6),
        (rb.setting, ["6-homo"]),
        (rb.setting, "6-homo", "decreasing"),
        (rb.setting, "small", "peaked"),
        (rb.setting, "6-homo", "peaked", "gamma"),
        (rb.experiment, "6-homo"),
        (rb.experiment, "two\nlines"),
        (rb.experiment, None),
    ],
    "value learners": [
        (kind, *parameters)
        for kind in (rb.SSSarsa, rb.Sarsa, rb.QLearning)
        for parameters in [
            *((gamma,) for gamma in NOT_A_GAMMA),
            *((0.9, t0) for t0 in (-1, NAN, INF, HUGE, "5000", None, True)),
            *((0.9, 1, explore) for explore in (-0.01, 1.01, NAN, "0.1", None, True)),
            (0.9, 1, 0.1, "last"),
            (0.9, 1, 0.1, None),
            (0.9, 1, 0.1, "random", "single"),
            (0.9, 1, 0.1, "random", 3),
        ]
    ],
    "dRGP-TS": [
        *((rb.RGPTS, d) for d in (0, -1, 1.5, NAN, INF, HUGE, 1000, "2", None, True)),
        *((rb.RGPTS, 1, sigma) for sigma in (0, -1, NAN, INF, "1", None)),
        *((rb.RGPTS, 1, 1, scale) for scale in (0, -1, NAN, INF, "1", None)),
        (rb.RGPTS, 1, 1, 1, "all"),
        (rb.RGPTS, 1, 1, 1, "arm", "new"),
        (rb.trace, BANDIT, rb.RGPTS(20), 10),  # 2 ** 20 sequences
        (rb.trace, rb.setting("10-homo"), rb.RGPTS(60), 10),
    ],
    "rounds": [
        call
        for rounds in NOT_A_NUMBER_OF_ROUNDS
        for call in [
            (rb.simulate, BANDIT, AGENT, rounds),
            (rb.trace, BANDIT, AGENT, rounds),
            *([(rb.optimum, BANDIT, rounds)] if rounds is not None else []),
        ]
    ],
    "sims": [
        (rb.simulate, BANDIT, AGENT, 10, sims)
        for sims in (0, -1, 1.5, NAN, 10**15, HUGE, "1", None)
    ],
    "seed": [
        call
        for seed in (-1, 0.5, NAN, INF, "0", None, [1, 2])
        for call in [(rb.simulate, BANDIT, AGENT, 10, 1, seed), (rb.trace, BANDIT, AGENT, 10, seed)]
    ],
    "simulation": [(rb.trace, BANDIT, AGENT, 10, 0, i) for i in (-1, 0.5, None)],
    "gamma of the evaluation": [
        call
        for gamma in NOT_A_GAMMA
        for call in [
            (rb.simulate, BANDIT, AGENT, 10, 1, 0, gamma),
            (rb.optimum, BANDIT, 10, gamma),
            (rb.q_star, BANDIT, gamma),
        ]
    ],
    "no end without discount": [(rb.optimum, BANDIT, None), (rb.q_star, BANDIT, 1.0)],
    "bandit": [
        call
        for bandit in (None, TABLE, "6-homo", rb.RecoveringBandit, AGENT)
        for call in [
            (rb.simulate, bandit, AGENT, 10),
            (rb.trace, bandit, AGENT, 10),
            (rb.optimum, bandit, 10),
            (rb.q_star, bandit, 0.9),
        ]
    ],
    "agent": [
        call
        for agent in (rb.SSSarsa, None, "SSSarsa", BANDIT, 3, np.ones((50, 50)), object())
        for call in [
            (rb.simulate, BANDIT, agent, 10),
            (rb.trace, BANDIT, agent, 10),
            (rb.check_agent, agent),
        ]
    ],
    "executor": [(rb.simulate, BANDIT, AGENT, 10, 1, 0, 1.0, workers) for workers in (4, "dask")],
    "metrics": [
        (rb.regret, BEST, RUNS),
        (rb.regret, None, BEST),
        (rb.regret, RUNS, 3),
        (rb.is_optimal, RUNS.cumulative, BEST),
        (rb.optimal_rate, RUNS, None),
        (rb.optimal_rate, RUNS, BEST, 1.0),
        (rb.wilson, 4, 3),
        (rb.wilson, -1, 3),
        (rb.wilson, 0, 0),
        (rb.wilson, 0.5, 3),
        (rb.wilson, 1, 3, 1),
        (rb.wilson, 1, 3, -0.1),
        (rb.wilson, 1, 3, "95%"),
        (rb.bootstrap, []),
        (rb.bootstrap, 3.0),
        (rb.bootstrap, ["a"]),
        (rb.bootstrap, [[1], [1, 2]]),
        (rb.bootstrap, [1.0], np.mean, 1.0),
        (rb.bootstrap, [1.0], np.mean, 0.9, 0),
        (rb.bootstrap, [1.0], np.mean, 0.9, 10, -1),
        (rb.compare_paired, [1.0], [1.0, 2.0]),
        (rb.compare_paired, [], []),
        (rb.compare_paired, [[1.0]], [[1.0]]),
        (rb.compare_paired, "ab", [1, 2]),
        (rb.states_along, rb.setting("small"), [0, 3]),
        (rb.states_along, rb.setting("small"), [-1]),
        (rb.states_along, rb.setting("small"), [0.5]),
        (rb.states_along, rb.setting("small"), [[0]]),
        (rb.compare_unpaired, [1.0], [1.0, 2.0]),
        (rb.compare_unpaired, [[1.0, 2.0]], [1.0, 2.0]),
        (rb.compare_unpaired, "ab", [1, 2]),
        (rb.compare_unpaired, [1.0, 2.0], [1.0, 2.0], 1.5),
    ],
    "reachable states": [
        (rb.reachable_states, 0, 3),
        (rb.reachable_states, 3, 0),
        (rb.reachable_states, 2.5, 3),
        (rb.reachable_states, "3", 3),
        (rb.reachable_states, 3, 3, [1, 1]),
        (rb.reachable_states, 3, 3, [4, -1]),
        (rb.reachable_states, 3, 3, ["a"]),
    ],
}


def assert_one_sentence(message):
    assert re.fullmatch(r"[^\n]+[.?]", message)
    assert not re.search(r"[.?!] [A-Z]", message)  # no second sentence
    assert len(message) < 500


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        pytest.param(function, arguments, id=f"{topic} {i}")
        for topic, calls in BAD_CALLS.items()
        for i, (function, *arguments) in enumerate(calls)
    ],
)
def test_bad_input_is_refused_in_one_sentence(function, arguments):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(rb.InputError) as caught:
            function(*arguments)
    assert_one_sentence(str(caught.value))


@pytest.mark.parametrize(
    ("text", "value"),
    [("1000", 1000), ("1_000", 1000), ("-7", -7), ("1e3", 1000.0), (".5", 0.5), ("inf", INF),
     ("1152921504606846977", 2**60 + 1), (str(2**53 + 1), 2**53 + 1)],
)  # fmt: skip
def test_a_numeral_is_read_as_people_write_it_and_whole_ones_stay_exact(text, value):
    assert numeral("it", text) == value
    assert type(numeral("it", text)) is type(value)


@pytest.mark.parametrize("text", ["", "ten", "1,000", "0x10", "1e", None, ["1"], {}])
def test_what_is_no_numeral_is_refused_in_one_sentence(text):
    with pytest.raises(rb.InputError, match="size must be a number, not ") as caught:
        numeral("size", text)
    assert_one_sentence(str(caught.value))


@pytest.mark.parametrize("value", [2**60 + 1, 10**30, np.int64(2**60 + 1)])
def test_a_large_whole_number_stays_exact(value):
    assert whole("seed", value, 0) == int(value)


def test_whatever_an_agent_raises_becomes_one_sentence():
    for error in (ZeroDivisionError("division\nby zero"), SystemExit(0), KeyError("a" * 9999)):
        said = f"Mine fails with {type(error).__name__}: "
        with pytest.raises(rb.InputError, match=said) as caught, failures_of("Mine"):
            raise error
        assert_one_sentence(str(caught.value))
        assert caught.value.__cause__ is error


@pytest.mark.parametrize("error", [rb.InputError("means must be finite."), KeyboardInterrupt()])
def test_refusals_and_ctrl_c_are_not_taken_for_failures_of_an_agent(error):
    with pytest.raises(type(error)) as caught, failures_of("Mine"):
        raise error
    assert caught.value is error


def test_an_input_error_is_a_value_error():
    assert issubclass(rb.InputError, ValueError)


# Agents of one's own that cannot run. Each differs in one thing from one that can.


class Memory(NamedTuple):
    arms: int

    def act(self, t, state, rng):
        return t % self.arms

    def learn(self, t, state, arm, reward, next_state):
        pass


class NoLearn(NamedTuple):
    arms: int

    def act(self, t, state, rng):
        return 0


class OtherOrder(NamedTuple):
    arms: int

    def act(self, state, t, rng):
        return 0

    def learn(self, t, state, arm, reward, next_state):
        pass


class TooFew(NamedTuple):
    arms: int

    def act(self, t, state, rng):
        return 0

    def learn(self, state, arm, reward):
        pass


class NotAnArm(NamedTuple):
    arms: int

    def act(self, t, state, rng):
        return self.arms

    def learn(self, t, state, arm, reward, next_state):
        pass


class BelowZero(NamedTuple):
    arms: int

    def act(self, t, state, rng):
        return -1 if t == 7 else 0

    def learn(self, t, state, arm, reward, next_state):
        pass


class Fraction(NamedTuple):
    arms: int

    def act(self, t, state, rng):
        return 0.5

    def learn(self, t, state, arm, reward, next_state):
        pass


class Nothing(NamedTuple):
    arms: int

    def act(self, t, state, rng):
        pass

    def learn(self, t, state, arm, reward, next_state):
        pass


class NotCompilable(NamedTuple):
    arms: int

    def act(self, t, state, rng):
        return eval("0")

    def learn(self, t, state, arm, reward, next_state):
        pass


@dataclass(frozen=True)
class Own:
    memory: str  # the name of the memory's class

    def init(self, arms, s_max, rounds):
        return globals()[self.memory](arms)


@dataclass(frozen=True)
class InitTakesNothing:
    def init(self):
        return Memory(2)


@dataclass(frozen=True)
class InitReturnsAList:
    def init(self, arms, s_max, rounds):
        return [arms]


@dataclass(frozen=True)
class WithAList:
    weights: list

    def init(self, arms, s_max, rounds):
        return Memory(arms)


class NoDataclass:
    def init(self, arms, s_max, rounds):
        return Memory(arms)


def test_the_agent_that_the_others_spoil_does_run():
    assert rb.trace(BANDIT, Own("Memory"), 4).arms.tolist() == [1, 0, 1, 0]


@pytest.mark.parametrize(
    ("agent", "message"),
    [
        (Own("NoLearn"), "no method learn"),
        (Own("OtherOrder"), r"act must take \(self, t, state, rng\)"),
        (Own("TooFew"), r"learn must take \(self, t, state, arm, reward, next_state\)"),
        (Own("NotAnArm"), "no arm in round 1; arms are 0 to 1"),
        (Own("BelowZero"), "no arm in round 7; arms are 0 to 1"),
        (Own("Fraction"), "Own"),
        (Own("Nothing"), "Own"),
        (Own("NotCompilable"), "Own"),
        (InitTakesNothing(), r"init must take \(arms, s_max, rounds\)"),
        (InitReturnsAList(), "must return a NamedTuple"),
        (WithAList([0.5]), "cannot be named"),
        (NoDataclass(), "cannot be named"),
        (Own, "such as rb.SSSarsa"),
    ],
    # without the address in memory, which differs between the processes that run the tests
    ids=lambda value: "" if isinstance(value, str) else str(value).partition(" object at")[0],
)
def test_an_agent_that_cannot_run_is_refused_in_one_sentence(agent, message):
    for call in (
        lambda: rb.simulate(BANDIT, agent, 20, sims=3),
        lambda: rb.trace(BANDIT, agent, 20),
        lambda: rb.check_agent(agent, arms=2, s_max=2),
    ):
        with pytest.raises(rb.InputError, match=message) as caught:
            call()
        assert_one_sentence(str(caught.value))
