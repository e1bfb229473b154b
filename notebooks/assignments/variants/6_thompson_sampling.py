"""A kitchen of the student's own: what it believes, what it wrote down, and what is true."""

from math import erf, sqrt

import numpy as np

import rb_core as rb

DAYS = 12
WANTED = (3, 4, DAYS, True, True, True, True, True)


def numbers(rng):
    """Draws until the diary is as hard as everybody else's."""
    while True:
        drawn = _drawn(rng)
        if difficulty(drawn) == WANTED:
            return drawn


def _drawn(rng):
    table = np.cumsum(np.column_stack([rng.integers(2, 8, 3), rng.integers(1, 5, (3, 3))]), axis=1)
    table = table / 20
    model = {
        "s_max": 4,
        "prior_mean": int(rng.integers(8, 13)) / 20,
        "prior_sd": int(rng.integers(6, 11)) / 20,
        "length_scale": int(rng.integers(12, 21)) / 10,
        "sigma": int(rng.integers(4, 8)) / 20,
    }
    arms = rng.integers(2, size=DAYS)
    state, rewards = np.full(2, 4), []
    for arm in arms:
        mean = table[arm, state[arm] - 1]
        rewards.append(round(float(mean + model["sigma"] * rng.standard_normal()), 2))
        state = np.minimum(state + 1, 4)
        state[arm] = 1
    best = rb.optimum(rb.RecoveringBandit(table, "normal"), 10)
    return {
        "model": model,
        "diary_arms": arms.tolist(),
        "diary_rewards": rewards,
        "table": table.round(2).tolist(),
        "best_average": round(float(best.average), 6),
    }


def difficulty(numbers):
    """Sizes; what the diary shows; answers that no usual mistake hits by accident."""
    arms, table = np.array(numbers["diary_arms"]), np.array(numbers["table"])
    memory, state, pulls = _learnt(numbers)
    scale = numbers["model"]["prior_sd"]
    now = state - 1
    means, variances = memory.mean[[0, 1], now] * scale, memory.var[[0, 1], now] * scale**2
    gap, spread = means[0] - means[1], sqrt(variances.sum())
    tomorrow = _chance(gap / spread)
    noise = 2 * numbers["model"]["sigma"] ** 2
    mistakes = [
        gap / variances.sum(),
        gap / np.sqrt(variances).sum(),
        gap / sqrt(spread**2 + noise),
        np.inf if gap > 0 else -np.inf,
    ]
    rise, own = memory.mean[0, -1] - memory.mean[0, -2], memory.cov[0]
    together = own[-2, -2] + own[-1, -1]
    recovers = _chance(rise / sqrt(together - 2 * own[-2, -1]))
    alone = _chance(rise / sqrt(together))
    added = _chance(rise / sqrt(together + 2 * own[-2, -1]))
    return (
        *table.shape,
        len(arms),
        bool(5 <= arms.sum() <= 7),
        bool((pulls == 0).any() and (pulls > 1).any()),  # a gap to bridge, and an average to take
        bool(all(abs(_chance(wrong) - tomorrow) > 0.02 for wrong in mistakes)),
        bool(min(abs(recovers - alone), abs(recovers - added)) > 0.02),
        bool(abs(_greedy_average(table) - numbers["best_average"]) < 1e-5),
    )


def _learnt(numbers):
    """What our own agent makes of the diary, in units of the prior; the state; pulls per state."""
    model = numbers["model"]
    agent = rb.RGPTS(1, model["sigma"] / model["prior_sd"], model["length_scale"])
    memory = agent.init(2, model["s_max"], len(numbers["diary_arms"]))
    state, pulls = np.full(2, model["s_max"]), np.zeros((2, model["s_max"]), int)
    for arm, reward in zip(numbers["diary_arms"], numbers["diary_rewards"], strict=True):
        pulls[arm, state[arm] - 1] += 1
        memory.learn(0, state, arm, (reward - model["prior_mean"]) / model["prior_sd"], None)
        state = np.minimum(state + 1, model["s_max"])
        state[arm] = 1
    return memory, state, pulls


def _greedy_average(table):
    """What a player earns in the long run who knows the table and looks one round ahead."""
    bandit = rb.RecoveringBandit(table, "normal")
    state, earned = bandit.start, []
    for _ in range(300):
        worth = table[np.arange(len(table)), state - 1]
        earned.append(worth.max())
        state = bandit.next_state(state, int(worth.argmax()))
    return float(np.mean(earned[60:]))  # 240 rounds: whole cycles of any length up to 6


def _chance(z):
    return 0.5 * (1 + erf(z / sqrt(2)))
