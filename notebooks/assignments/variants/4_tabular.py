"""Drills and a diary for assignment 4."""

import numpy as np

ARMS, S_MAX = 3, 3
FIXED = {"gamma": 0.8, "rounds": 12_000, "scale": 200, "t0": 200}
PROBLEM = (ARMS, S_MAX, 1, 2, True, True)
DIARY = (12_000, True, True, True)


def numbers(rng):
    found = {}
    while not found or _problem(found) != PROBLEM or _diary(found) != DIARY:
        percent = rng.choice(np.arange(5, 96), size=(ARMS, S_MAX), replace=False)
        found = {"means": (percent / 100).tolist(), **FIXED, "seed": int(rng.integers(1, 100_000))}
    return found


def difficulty(numbers):
    """What there is to find, and that it is found: equal for every student."""
    return _problem(numbers) + _diary(numbers)


def _problem(numbers):
    """Arms and states; lengths of the cycles to which greed leads from where the diary ends, in the
    exact values of the die and in those of best play; whether the first loses visibly, wherever it
    begins; and whether the second has the best average of all, so that the discount does not cloud
    the picture."""
    means = np.array(numbers["means"])
    start, values = _last_state(numbers), _exact(means, numbers["gamma"])
    die, best = (_cycle(each, start) for each in values)
    gain = _best_average(means)
    loses = all(gain - _average(_cycle(values[0], s), means) > 0.05 for s in range(1, len(STATES)))
    return *means.shape, len(die), len(best), loses, abs(gain - _average(best, means)) < 1e-9


def _diary(numbers):
    """Rounds; whether the diary teaches either assistant the programme of the exact values; and
    whether the paper's steps would have made them much alike."""
    start, values = _last_state(numbers), _exact(np.array(numbers["means"]), numbers["gamma"])
    tables = _read(numbers, numbers["scale"], numbers["t0"])
    taught = [_cycle(q, start) == _cycle(v, start) for q, v in zip(tables, values, strict=True)]
    sarsa, q_learning = _read(numbers, 1, 5000)
    alike = np.abs(sarsa - q_learning).max() < 0.1 * np.abs(q_learning).max()
    return numbers["rounds"], *taught, bool(alike)


def _states():
    """All joint states, and the number of the state to which each arm leads."""
    states, after = [(S_MAX,) * ARMS], []
    for state in states:  # grows while it is read
        after.append([])
        for arm in range(ARMS):
            ages = tuple(1 if k == arm else min(s + 1, S_MAX) for k, s in enumerate(state))
            if ages not in states:
                states.append(ages)
            after[-1].append(states.index(ages))
    return np.array(states), np.array(after)


STATES, AFTER = _states()


def _rewards(means):
    return means[np.arange(ARMS), STATES - 1]


def _exact(means, gamma):
    """The values of pulling an arm and leaving the rest to a die, and those of best play."""
    reward, share = _rewards(means), np.zeros((len(STATES), len(STATES)))
    for arm in range(ARMS):
        share[np.arange(len(STATES)), AFTER[:, arm]] += 1 / ARMS
    thrown = np.linalg.solve(np.eye(len(STATES)) - gamma * share, reward.mean(axis=1))
    best = reward
    for _ in range(150):
        best = reward + gamma * best.max(axis=1)[AFTER]
    return reward + gamma * thrown[AFTER], best


def _best_average(means):
    """The best average of all cycles, by Karp's formula."""
    n, reward = len(STATES), _rewards(means)
    best = [np.zeros(n)]
    for _ in range(n):
        best.append((reward + best[-1][AFTER]).max(axis=1))
    slopes = [(best[n] - best[m]) / (n - m) for m in range(n)]
    return float(np.min(slopes, axis=0).max())


def _cycle(values, state):
    """The pulls, as (state, arm), that greed in these values repeats for ever."""
    pulls = []
    while (pull := (state, int(values[state].argmax()))) not in pulls:
        pulls.append(pull)
        state = int(AFTER[pull])
    return set(pulls[pulls.index(pull) :])


def _average(cycle, means):
    return float(np.mean([_rewards(means)[pull] for pull in cycle]))


def _arms(numbers):
    return np.random.default_rng(numbers["seed"]).integers(ARMS, size=numbers["rounds"]).tolist()


def _path(arms):
    """The joint state before each round, from the start."""
    after, path = AFTER.tolist(), [0]
    for arm in arms[:-1]:
        path.append(after[path[-1]][arm])
    return path


def _last_state(numbers):
    return _path(_arms(numbers)[-S_MAX:])[-1]  # what was pulled before leaves no trace


def _read(numbers, scale, t0):
    """The tables of both assistants after the whole diary."""
    arms = _arms(numbers)
    path = _path(arms)
    reward, gamma = _rewards(np.array(numbers["means"])).tolist(), numbers["gamma"]
    tables = []
    for own_arm in (True, False):
        q = np.zeros(STATES.shape).tolist()
        for t in range(1, len(arms)):
            s, a, later = path[t - 1], arms[t - 1], q[path[t]]
            target = reward[s][a] + gamma * (later[arms[t]] if own_arm else max(later))
            q[s][a] += scale / (t + t0) * (target - q[s][a])
        tables.append(np.array(q))
    return tables
