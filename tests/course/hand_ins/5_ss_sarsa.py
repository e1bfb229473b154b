"""Hand-ins for the assignment on SS-SARSA and ties."""

from tests.course.hand_ins import Style, Wrong

# Question 4 with one place left open for each usual mistake.
GAME = """
def play(means, luck, explored, gamma, t0, pick):
    K, s_max = len(means), len(means[0])
    tables, past, s, last = np.zeros((K, s_max, K, s_max)), [], (s_max,) * K, None

    def choose(t, s):
        x = luck[t - 1][0]
        if {exploring}:
            candidates = least_visited(past, s)
        else:
            worth = np.asarray(values(tables, s))
            candidates = [k for k in range(K) if worth[k] == worth.max()]
        return {pick}

    for t in range(1, len(luck) + 1):
        a = choose(t, s)
        if last is not None:
            tables = mend(tables, *last, s, {a_next}, 1 / ({step} + t0), gamma)
        {again}
        r = float(luck[t - 1][1] < means[a][s[a] - 1])
        after = tuple(1 if k == a else min(s[k] + 1, s_max) for k in range(K))
        past.append({visited})
        last = s, a, r
        s = after
    {end}
    return [arm for _, arm in past], tables
"""
RIGHT = {
    "exploring": "t <= explored",
    "pick": "pick(candidates, s, x)",
    "a_next": "a",
    "step": "t - 1",
    "again": "pass",
    "visited": "(s, a)",
    "end": "pass",
}


def game(**changes):
    return GAME.format(**RIGHT | changes)


ENDING = """
def ending(arms):
    pulled, paid = {}, []
    for day, pond in enumerate(arms):
        paid.append(profile[min(day - pulled.get(pond, -s_max), s_max) - 1])
        pulled[pond] = day
    return np.mean(paid[explored:])
"""


def study(luck="luck_of(g)", games="games", explored="explored", late="pass", helper=""):
    """An answer to question 5 in which one thing is different."""
    return f"""{helper}
study = {{}}
for name, pick in RULES.items():
    found = []
    for g in range({games}):
        arms, _ = play(means, {luck}, {explored}, gamma, t0, pick)
        found.append(report(arms))
        {late}
    study[name] = np.mean(found, axis=0)
"""


WRONG = [
    Wrong(
        "q1",
        "sums instead of averages",
        """
def values(tables, s):
    K = len(s)
    return [sum(tables[a, s[a] - 1, k, s[k] - 1] for k in range(K)) for a in range(K)]
""",
        loses=("q1_test",),
    ),
    Wrong(
        "q1",
        "averaged over the arms that could be pulled, not over those that look on",
        """
def values(tables, s):
    K = len(s)
    return [sum(tables[a, s[a] - 1, k, s[k] - 1] for a in range(K)) / K for k in range(K)]
""",
        loses=("q1_test",),
    ),
    Wrong(
        "q1",
        "the pulled arm itself is left out of the average",
        """
def values(tables, s):
    K = len(s)
    return [np.mean([tables[a, s[a] - 1, k, s[k] - 1] for k in range(K) if k != a])
            for a in range(K)]
""",
        loses=("q1_test",),
    ),
    Wrong(
        "q1",
        "states used as indices, so that state 1 is the second place",
        """
def values(tables, s):
    K, top = len(s), tables.shape[1]
    return [sum(tables[a, s[a] % top, k, s[k] % top] for k in range(K)) / K for a in range(K)]
""",
        loses=("q1_test",),
    ),
    Wrong(
        "q2",
        "one common error, from the averages, for all arms that look on",
        """
def mend(tables, s, a, r, s_next, a_next, alpha, gamma):
    new = tables.copy()
    error = r + gamma * values(tables, s_next)[a_next] - values(tables, s)[a]
    for k in range(len(s)):
        new[a, s[a] - 1, k, s[k] - 1] += alpha * error
    return new
""",
        loses=("q2_test",),
    ),
    Wrong(
        "q2",
        "the entries of the state after the pull are moved",
        """
def mend(tables, s, a, r, s_next, a_next, alpha, gamma):
    new = tables.copy()
    for k in range(len(s)):
        future = tables[a_next, s_next[a_next] - 1, k, s_next[k] - 1]
        old = tables[a, s_next[a] - 1, k, s_next[k] - 1]
        new[a, s_next[a] - 1, k, s_next[k] - 1] = old + alpha * (r + gamma * future - old)
    return new
""",
        loses=("q2_test",),
    ),
    Wrong(
        "q2",
        "only the table of the pulled arm is updated",
        """
def mend(tables, s, a, r, s_next, a_next, alpha, gamma):
    new = tables.copy()
    old = tables[a, s[a] - 1, a, s[a] - 1]
    future = tables[a_next, s_next[a_next] - 1, a, s_next[a] - 1]
    new[a, s[a] - 1, a, s[a] - 1] = old + alpha * (r + gamma * future - old)
    return new
""",
        loses=("q2_test",),
    ),
    Wrong(
        "q2",
        "the best arm of the next state instead of the one that was chosen",
        """
def mend(tables, s, a, r, s_next, a_next, alpha, gamma):
    new = tables.copy()
    for k in range(len(s)):
        best = max(tables[b, s_next[b] - 1, k, s_next[k] - 1] for b in range(len(s)))
        old = tables[a, s[a] - 1, k, s[k] - 1]
        new[a, s[a] - 1, k, s[k] - 1] = old + alpha * (r + gamma * best - old)
    return new
""",
        loses=("q2_test",),
    ),
    Wrong(
        "q2",
        "the error is divided by the number of arms, as if the average were meant",
        """
def mend(tables, s, a, r, s_next, a_next, alpha, gamma):
    new = tables.copy()
    for k in range(len(s)):
        future = tables[a_next, s_next[a_next] - 1, k, s_next[k] - 1]
        old = tables[a, s[a] - 1, k, s[k] - 1]
        new[a, s[a] - 1, k, s[k] - 1] += alpha / len(s) * (r + gamma * future - old)
    return new
""",
        loses=("q2_test",),
    ),
    Wrong(
        "q3",
        "every past pull of the arm counts, whatever the states were",
        """
def least_visited(history, s):
    count = [sum(b == a for u, b in history) for a in range(len(s))]
    return [a for a in range(len(s)) if count[a] == min(count)]
""",
        loses=("q3_test",),
    ),
    Wrong(
        "q3",
        "past pulls count if the arm itself was in the same state",
        """
def least_visited(history, s):
    count = [0] * len(s)
    for u, b in history:
        count[b] += u[b] == s[b]
    return [a for a in range(len(s)) if count[a] == min(count)]
""",
        loses=("q3_test",),
    ),
    Wrong(
        "q3",
        "visits of the separated entries, as the chapter on exploration reads them otherwise",
        """
def least_visited(history, s):
    count = [0] * len(s)
    for u, b in history:
        if u[b] == s[b]:
            count[b] += sum(u[k] == s[k] for k in range(len(s)))
    return [a for a in range(len(s)) if count[a] == min(count)]
""",
        loses=("q3_test",),
    ),
    Wrong(
        "q3",
        "only the first of the arms that are tied",
        """
def least_visited(history, s):
    count = np.zeros(len(s))
    for u, b in history:
        count[b] += all(u[k] == s[k] for k in range(len(s)))
    return [int(np.argmin(count))]
""",
        loses=("q3_test",),
    ),
    Wrong("q4", "ties go to the lowest index, whatever the rule", game(pick="candidates[0]"),
          loses=("q4_test",)),
    Wrong("q4", "ties between values go to the lowest index",
          game(pick="pick(candidates, s, x) if t <= explored else candidates[0]"),
          loses=("q4_test",)),
    Wrong("q4", "the arm is chosen once more after the update", game(again="a = choose(t, s)"),
          loses=("q4_test",)),
    Wrong("q4", "a' is the arm with the largest value",
          game(a_next="int(np.argmax(values(tables, s)))"), loses=("q4_test",)),
    Wrong("q4", "the step of the round in which the update is made", game(step="t"),
          loses=("q4_test",)),
    Wrong("q4", "exploration ends a round too early", game(exploring="t < explored"),
          loses=("q4_test",)),
    Wrong("q4", "visits are counted for the state after the pull", game(visited="(after, a)"),
          loses=("q4_test",)),
    Wrong("q4", "the last round is learnt from, with an arm that is never pulled",
          game(end="tables = mend(tables, *last, s, 0, 1 / (t + t0), gamma)"),
          loses=("q4_test",)),
    Wrong("q4", "the number for ties decides about the fish", game().replace("[1] <", "[0] <"),
          loses=("q4_test",)),
    Wrong("q5", "the same luck in every game", study(luck="luck_of(0)"), loses=("q5_test",)),
    Wrong("q5", "luck that is drawn anew for each rule",
          study(luck="np.random.default_rng(seed).random((rounds, 2))"), loses=("q5_test",)),
    Wrong("q5", "only the first game counts", study(games="1"), loses=("q5_test",)),
    Wrong(
        "q5",
        "the end is taken for all rounds after exploration",
        study(late="found[-1][0] = ending(arms)", helper=ENDING),
        loses=("q5_test",),
    ),
    Wrong("q5", "exploration lasts for the whole game", study(explored="rounds"),
          loses=("q5_test",)),
]

STYLES = [
    Style(
        "loops, lists and dictionaries",
        {
            "q1": """
def values(tables, s):
    K = len(s)
    found = []
    for a in range(K):
        total = 0.0
        for k in range(K):
            total += tables[a][s[a] - 1][k][s[k] - 1]
        found.append(total / K)
    return found
""",
            "q2": """
def mend(tables, s, a, r, s_next, a_next, alpha, gamma):
    new = np.array(tables)
    for k in range(len(s)):
        future = tables[a_next, s_next[a_next] - 1, k, s_next[k] - 1]
        here = (a, s[a] - 1, k, s[k] - 1)
        new[here] = (1 - alpha) * tables[here] + alpha * (r + gamma * future)
    return new.tolist()
""",
            "q3": """
def least_visited(history, s):
    visits = {}
    for u, b in history:
        visits[u, b] = visits.get((u, b), 0) + 1
    fewest = min(visits.get((s, a), 0) for a in range(len(s)))
    found = []
    for a in range(len(s)):
        if visits.get((s, a), 0) == fewest:
            found.append(a)
    return found
""",
            "q4": """
def play(means, luck, explored, gamma, t0, pick):
    K, top = len(means), len(means[0])
    q, n, state, memory, arms = {}, {}, [top] * K, [], []

    def keys(s, a):
        return [(a, s[a], k, s[k]) for k in range(K)]

    t = 0
    for x, y in luck:
        t, s = t + 1, tuple(state)
        if t > explored:
            score = [sum(q.get(key, 0.0) for key in keys(s, a)) / K for a in range(K)]
        else:
            score = [-n.get((s, a), 0) for a in range(K)]
        arm = pick([a for a in range(K) if score[a] == max(score)], s, x)
        if memory:
            was, old, reward = memory[-1]
            for here, there in zip(keys(was, old), keys(s, arm)):
                target = reward + gamma * q.get(there, 0.0)
                q[here] = q.get(here, 0.0) + (target - q.get(here, 0.0)) / (t - 1 + t0)
        n[s, arm] = n.get((s, arm), 0) + 1
        memory.append((s, arm, 1 if y < means[arm][s[arm] - 1] else 0))
        arms.append(arm)
        for k in range(K):
            state[k] = 1 if k == arm else min(state[k] + 1, top)
    tables = np.zeros((K, top, K, top))
    for (a, x, k, y), value in q.items():
        tables[a, x - 1, k, y - 1] = value
    return arms, tables
""",
            "q5": """
study = {}
for name in RULES:
    total = np.zeros(1 + s_max)
    for g in range(games):
        arms, _ = play(means, luck_of(g), explored, gamma, t0, RULES[name])
        total += report(arms)
    study[name] = list(total / games)
""",
        },
    ),
    Style(
        "NumPy throughout, arms as NumPy integers",
        {
            "q1": """
def values(tables, s):
    state = np.array(s) - 1
    K = len(state)
    a, k = np.meshgrid(np.arange(K), np.arange(K), indexing="ij")
    return np.average(tables[a, state[a], k, state[k]], axis=1)
""",
            "q3": """
def least_visited(history, s):
    if not history:
        return list(range(len(s)))
    past, arms = np.array([u for u, _ in history]), np.array([b for _, b in history])
    same = (past == np.array(s)).all(axis=1)
    count = np.bincount(arms, weights=same, minlength=len(s))
    return np.flatnonzero(count == count.min())
""",
            "q4": """
def play(means, luck, explored, gamma, t0, pick):
    means, luck = np.asarray(means), np.asarray(luck)
    K, s_max = means.shape
    tables, path, arms, rewards = np.zeros((K, s_max, K, s_max)), [np.full(K, s_max)], [], []
    for t in range(1, len(luck) + 1):
        s = path[-1]
        if t <= explored:
            past = [(tuple(u), b) for u, b in zip(path, arms)]
            candidates = list(least_visited(past, tuple(s)))
        else:
            worth = np.asarray(values(tables, tuple(s)))
            candidates = list(np.flatnonzero(worth == np.max(worth)))
        arms.append(pick(candidates, s, luck[t - 1, 0]))
        if t > 1:
            tables = np.asarray(mend(tables, path[-2], arms[-2], rewards[-1], s, arms[-1],
                                     1 / (t - 1 + t0), gamma))
        rewards.append(float(luck[t - 1, 1] < means[arms[-1], s[arms[-1]] - 1]))
        later = np.minimum(s + 1, s_max)
        later[arms[-1]] = 1
        path.append(later)
    return np.array(arms), tables
""",
        },
    ),
]
