"""Hand-ins for the assignment on tabular SARSA and Q-learning."""

from tests.course.hand_ins import Style, Wrong

# Question 4 with one place left open for each usual mistake.
GAME = """
def play(means, rounds, epsilon, gamma, scale, t0, rule, rng):
    K, s_max = len(means), len(means[0])
    table, arms, rewards, s, last = {{}}, [], [], (s_max,) * K, None

    def choose(s):
        u, v = rng.random(2)
        row = table.setdefault(s, [0.0] * K)
        could = [k for k in range(K) if {explores} or row[k] == max(row)]
        return {pick}

    def learn(t, seen, after, arm):
        error = errors(table, (*seen, after, arm), gamma)[rule != "sarsa"]
        table[seen[0]][seen[1]] += scale / (t + t0) * error

    for t in range(1, rounds + 1):
        a = choose(s)
        if last and rule == "sarsa":
            learn({step}, last, s, {a_next})
        r = {reward}
        after = tuple(1 if k == a else min(s[k] + 1, s_max) for k in range(K))
        if rule == "q_learning":
            learn(t, (s, a, r), after, 0)
        {end}
        last = s, a, r
        arms.append(a)
        rewards.append(r)
        s = after
    return arms, rewards, table
"""
RIGHT = {
    "explores": "u < epsilon",
    "pick": "could[int(v * len(could))]",
    "step": "t - 1",
    "a_next": "a",
    "reward": "float(rng.random() < means[a][s[a] - 1])",
    "end": "pass",
}
# The same by somebody who does not wait: a' is chosen for the update, and then once more.
EAGER = """
def play(means, rounds, epsilon, gamma, scale, t0, rule, rng):
    K, s_max = len(means), len(means[0])
    table, arms, rewards, s = {{}}, [], [], (s_max,) * K
    {numbers}

    def choose(s, u, v):
        row = table.setdefault(s, [0.0] * K)
        could = [k for k in range(K) if u < epsilon or row[k] == max(row)]
        return could[int(v * len(could))]

    for t in range(1, rounds + 1):
        a = choose(s, *{here})
        r = float(rng.random() < means[a][s[a] - 1])
        after = tuple(1 if k == a else min(s[k] + 1, s_max) for k in range(K))
        if rule == "q_learning" or t < rounds:
            page = (s, a, r, after, choose(after, *{there}))
            table[s][a] += scale / (t + t0) * errors(table, page, gamma)[rule != "sarsa"]
        arms.append(a)
        rewards.append(r)
        s = after
    return arms, rewards, table
"""


def game(**changes):
    return GAME.format(**RIGHT | changes)


WRONG = [
    Wrong(
        "q1",
        "the state after the pull stands where the state before it belongs",
        """
def memories(arms, rewards, K, s_max):
    s, states = (s_max,) * K, []
    for arm in arms:
        s = tuple(1 if k == arm else min(s[k] + 1, s_max) for k in range(K))
        states.append(s)
    return list(zip(states, arms, rewards, states[1:], arms[1:]))
""",
        loses=("q1_test",),
    ),
    Wrong(
        "q1",
        "a' is the arm of the same round",
        """
def memories(arms, rewards, K, s_max):
    s, pages = (s_max,) * K, []
    for arm, reward in zip(arms[:-1], rewards[:-1]):
        after = tuple(1 if k == arm else min(s[k] + 1, s_max) for k in range(K))
        pages.append((s, arm, reward, after, arm))
        s = after
    return pages
""",
        loses=("q1_test",),
    ),
    Wrong(
        "q1",
        "states grow beyond s_max",
        """
def memories(arms, rewards, K, s_max):
    s, pages = (s_max,) * K, []
    for t in range(len(arms) - 1):
        after = tuple(1 if k == arms[t] else s[k] + 1 for k in range(K))
        pages.append((s, arms[t], rewards[t], after, arms[t + 1]))
        s = after
    return pages
""",
        loses=("q1_test",),
    ),
    Wrong(
        "q1",
        "the last round gives a memory too, with no arm in it",
        """
def memories(arms, rewards, K, s_max):
    s, pages = (s_max,) * K, []
    for t in range(len(arms)):
        after = tuple(1 if k == arms[t] else min(s[k] + 1, s_max) for k in range(K))
        pages.append((s, arms[t], rewards[t], after, arms[t + 1] if t + 1 < len(arms) else None))
        s = after
    return pages
""",
        loses=("q1_test",),
    ),
    Wrong(
        "q2",
        "the maximum in both targets",
        """
def errors(table, memory, gamma):
    s, a, r, s_next, a_next = memory
    q = table.get(s, [0.0] * len(s))[a]
    error = r + gamma * max(table.get(s_next, [0.0] * len(s))) - q
    return error, error
""",
        loses=("q2_test",),
    ),
    Wrong(
        "q2",
        "the chosen arm in both targets",
        """
def errors(table, memory, gamma):
    s, a, r, s_next, a_next = memory
    q = table.get(s, [0.0] * len(s))[a]
    error = r + gamma * table.get(s_next, [0.0] * len(s))[a_next] - q
    return error, error
""",
        loses=("q2_test",),
    ),
    Wrong(
        "q2",
        "the discount also on the estimate, as if it were applied twice",
        """
def errors(table, memory, gamma):
    s, a, r, s_next, a_next = memory
    q, later = (table.get(state, [0.0] * len(s)) for state in (s, s_next))
    return r + gamma * (later[a_next] - q[a]), r + gamma * (max(later) - q[a])
""",
        loses=("q2_test",),
    ),
    Wrong(
        "q2",
        "the best estimate is sought from 0 on, so that it is never negative",
        """
def errors(table, memory, gamma):
    s, a, r, s_next, a_next = memory
    q, later = (table.get(state, [0.0] * len(s)) for state in (s, s_next))
    best = 0.0
    for value in later:
        if value > best:
            best = value
    return r + gamma * later[a_next] - q[a], r + gamma * best - q[a]
""",
        loses=("q2_test",),
    ),
    Wrong(
        "q3",
        "the steps begin with t = 0",
        """
def replay(pages, gamma, scale, t0, rule):
    table = {}
    for t, page in enumerate(pages):
        s, a = page[0], page[1]
        table.setdefault(s, [0.0] * len(s))
        sarsa, q_learning = errors(table, page, gamma)
        table[s][a] += scale / (t + t0) * (sarsa if rule == "sarsa" else q_learning)
    return table
""",
        loses=("q3_test",),
    ),
    Wrong(
        "q3",
        "the steps are counted for each entry, not over the whole diary",
        """
def replay(pages, gamma, scale, t0, rule):
    table, visits = {}, {}
    for page in pages:
        s, a = page[0], page[1]
        table.setdefault(s, [0.0] * len(s))
        visits[s, a] = visits.get((s, a), 0) + 1
        sarsa, q_learning = errors(table, page, gamma)
        table[s][a] += scale / (visits[s, a] + t0) * (sarsa if rule == "sarsa" else q_learning)
    return table
""",
        loses=("q3_test",),
    ),
    Wrong(
        "q3",
        "all errors are taken from the table as it was before the diary",
        """
def replay(pages, gamma, scale, t0, rule):
    table = {}
    found = [errors(table, page, gamma)[0 if rule == "sarsa" else 1] for page in pages]
    for t, (page, error) in enumerate(zip(pages, found), start=1):
        s, a = page[0], page[1]
        table.setdefault(s, [0.0] * len(s))[a] += scale / (t + t0) * error
    return table
""",
        loses=("q3_test",),
    ),
    Wrong(
        "q3",
        "the names of the two rules are mixed up",
        """
def replay(pages, gamma, scale, t0, rule):
    table = {}
    for t, page in enumerate(pages, start=1):
        s, a = page[0], page[1]
        table.setdefault(s, [0.0] * len(s))
        error = errors(table, page, gamma)[rule == "sarsa"]
        table[s][a] += scale / (t + t0) * error
    return table
""",
        loses=("q3_test",),
    ),
    Wrong(
        "q4",
        "a' is drawn for the target, and the arm that is pulled is drawn again",
        EAGER.format(numbers="", here="rng.random(2)", there="rng.random(2)"),
        loses=("q4_test",),
    ),
    Wrong(
        "q4",
        "a' is chosen with the same numbers, but before the update and then once more after it",
        EAGER.format(numbers="numbers = rng.random((rounds + 1, 2))",
                     here="numbers[t - 1]", there="numbers[t]"),
        loses=("q4_test",),
    ),
    Wrong("q4", "ties go to the lowest index", game(pick="could[0] if len(could) < K else "
          "int(np.argmax(row)) if u >= epsilon else could[int(v * K)]"), loses=("q4_test",)),
    Wrong("q4", "SARSA's update that has waited takes the step of the round in which it is made",
          game(step="t"), loses=("q4_test",)),
    Wrong("q4", "with probability epsilon greedy, otherwise any arm",
          game(explores="u >= epsilon"), loses=("q4_test",)),
    Wrong("q4", "SARSA learns from the last round, too, with an arm that is never pulled",
          game(end="if t == rounds and rule == 'sarsa': learn(t, (s, a, r), after, choose(after))"),
          loses=("q4_test",)),
    Wrong("q4", "SARSA's target takes the best arm instead of the one that will be pulled",
          game(a_next="int(np.argmax(table[s]))"), loses=("q4_test",)),
    Wrong("q4", "what is expected instead of what happens",
          game(reward="means[a][s[a] - 1]"), loses=("q4_test",)),
    Wrong("q4", "pays by the state after the pull",
          game(reward="float(rng.random() < means[a][0])"), loses=("q4_test",)),
    Wrong(
        "q5",
        "the way into the cycle counts as well",
        """
def greedy_average(table, means, start):
    s, met, paid = tuple(start), set(), []
    while s not in met:
        met.add(s)
        row = list(table.get(s, [0.0] * len(s)))
        a = row.index(max(row))
        paid.append(means[a][s[a] - 1])
        s = tuple(1 if k == a else min(x + 1, len(means[0])) for k, x in enumerate(s))
    return sum(paid) / len(paid)
""",
        loses=("q5_test",),
    ),
    Wrong(
        "q5",
        "paid by the state after the pull",
        """
def greedy_average(table, means, start):
    s, met, paid = tuple(start), [], []
    while s not in met:
        met.append(s)
        row = list(table.get(s, [0.0] * len(s)))
        a = row.index(max(row))
        s = tuple(1 if k == a else min(x + 1, len(means[0])) for k, x in enumerate(s))
        paid.append(means[a][s[a] - 1])
    return np.mean(paid[met.index(s):])
""",
        loses=("q5_test",),
    ),
    Wrong(
        "q6",
        "the paper's t0, but the scale is left as it is",
        """
pages = memories(*diary(means, rounds, seed), len(means), len(means[0]))
both = {t: [replay(pages, gamma, scale, t, rule) for rule in ("sarsa", "q_learning")]
        for t in (t0, 5000)}
pays = {rule: greedy_average(table, means, pages[-1][3])
        for rule, table in zip(("sarsa", "q_learning"), both[t0])}
apart = {name: max(abs(x - y) for s in both[t][0] for x, y in zip(both[t][0][s], both[t][1][s]))
         for name, t in (("yours", t0), ("paper", 5000))}
""",
        loses=("q6_test",),
    ),
    Wrong(
        "q6",
        "differences keep their sign",
        """
pages = memories(*diary(means, rounds, seed), len(means), len(means[0]))
own, paper = ([replay(pages, gamma, *steps, rule) for rule in ("sarsa", "q_learning")]
              for steps in ((scale, t0), (1, 5000)))
pays = {"sarsa": greedy_average(own[0], means, pages[-1][3]),
        "q_learning": greedy_average(own[1], means, pages[-1][3])}
apart = {"yours": max(x - y for s in own[0] for x, y in zip(own[0][s], own[1][s])),
         "paper": max(x - y for s in own[0] for x, y in zip(paper[0][s], paper[1][s]))}
""",
        loses=("q6_test",),
    ),
    Wrong(
        "q6",
        "each programme is judged by its own estimates, not by what it brings",
        """
pages = memories(*diary(means, rounds, seed), len(means), len(means[0]))
own, paper = ([replay(pages, gamma, *steps, rule) for rule in ("sarsa", "q_learning")]
              for steps in ((scale, t0), (1, 5000)))
pays = {"sarsa": (1 - gamma) * max(own[0][pages[-1][3]]),
        "q_learning": (1 - gamma) * max(own[1][pages[-1][3]])}
apart = {"yours": max(abs(x - y) for s in own[0] for x, y in zip(own[0][s], own[1][s])),
         "paper": max(abs(x - y) for s in own[0] for x, y in zip(paper[0][s], paper[1][s]))}
""",
        loses=("q6_test",),
    ),
]

STYLES = [
    Style(
        "NumPy arrays for states and rows",
        {
            "q1": """
def memories(arms, rewards, K, s_max):
    states = [np.full(K, s_max)]
    for arm in arms:
        later = np.minimum(states[-1] + 1, s_max)
        later[arm] = 1
        states.append(later)
    found = []
    for t in range(len(arms) - 1):
        found.append((tuple(states[t]), np.int64(arms[t]), np.float64(rewards[t]),
                      tuple(states[t + 1]), np.int64(arms[t + 1])))
    return found
""",
            "q2": """
def errors(table, memory, gamma):
    s, a, r, s_next, a_next = memory
    here = np.asarray(table[s]) if s in table else np.zeros(len(s))
    there = np.asarray(table[s_next]) if s_next in table else np.zeros(len(s))
    targets = r + gamma * np.array([there[a_next], there.max()])
    return targets - here[a]
""",
            "q3": """
def replay(pages, gamma, scale, t0, rule):
    table = {}
    for page in pages:
        for state in (page[0], page[3]):
            table[state] = np.zeros(len(state))
    for t in range(1, len(pages) + 1):
        s, a, r, s_next, a_next = pages[t - 1]
        future = table[s_next][a_next] if rule == "sarsa" else np.max(table[s_next])
        alpha = scale / (t + t0)
        table[s][a] = (1 - alpha) * table[s][a] + alpha * (r + gamma * future)
    return table
""",
            "q4": """
def play(means, rounds, epsilon, gamma, scale, t0, rule, rng):
    means = np.asarray(means)
    K, s_max = means.shape
    numbers = rng.random((3, rounds))  # all at once, in another order than most would draw
    table, states, arms, rewards = {}, [np.full(K, s_max)], [], []

    def values(state):
        return table.setdefault(tuple(state.tolist()), np.zeros(K))

    def learn(t, future):
        row, a = values(states[t - 1]), arms[t - 1]
        row[a] += scale / (t + t0) * (rewards[t - 1] + gamma * future - row[a])

    for t in range(1, rounds + 1):
        now, (u, v, w) = states[-1], numbers[:, t - 1]
        row = values(now)
        could = np.arange(K) if u < epsilon else np.flatnonzero(row == np.max(row))
        arms.append(could[int(v * len(could))])
        if rule == "sarsa" and t > 1:
            learn(t - 1, row[arms[-1]])
        rewards.append(1.0 * (w < means[arms[-1], now[arms[-1]] - 1]))
        states.append(np.where(np.arange(K) == arms[-1], 1, np.minimum(now + 1, s_max)))
        if rule == "q_learning":
            learn(t, values(states[-1]).max())
    return np.array(arms), np.array(rewards), table
""",
            "q5": """
def greedy_average(table, means, start):
    means, s, states, paid = np.asarray(means), np.array(start), [], []
    while tuple(s) not in states:
        states.append(tuple(s))
        a = np.argmax(table[states[-1]]) if states[-1] in table else 0
        paid.append(means[a, s[a] - 1])
        s = np.minimum(s + 1, means.shape[1])
        s[a] = 1
    return np.average(paid[states.index(tuple(s)):])
""",
            "q6": """
pages = memories(*diary(means, rounds, seed), 3, 3)
pays, apart = {}, {}
for name, (size, late) in {"yours": (scale, t0), "paper": (1, 5000)}.items():
    sarsa = replay(pages, gamma, size, late, "sarsa")
    q_learning = replay(pages, gamma, size, late, "q_learning")
    apart[name] = 0
    for s in sarsa:
        apart[name] = max(apart[name], np.max(np.abs(np.array(sarsa[s]) - q_learning[s])))
    if name == "yours":
        last_state = pages[-1][3]
        pays["sarsa"] = greedy_average(sarsa, means, last_state)
        pays["q_learning"] = greedy_average(q_learning, means, last_state)
""",
        },
    ),
    Style(
        "a defaultdict, helpers of one's own, lists instead of tuples",
        {
            "q2": """
def errors(table, memory, gamma):
    (s, a, r, s_next, a_next) = memory
    def q(state, arm):
        return table[state][arm] if state in table else 0
    sarsa = r + gamma * q(s_next, a_next) - q(s, a)
    best = max(q(s_next, arm) for arm in range(len(s)))
    return [sarsa, r + gamma * best - q(s, a)]
""",
            "q3": """
from collections import defaultdict

def step(t, scale, t0):
    return scale / (t + t0)

def replay(pages, gamma, scale, t0, rule):
    K = len(pages[0][0]) if pages else 0
    table = defaultdict(lambda: [0] * K)
    t = 0
    for s, a, r, s_next, a_next in pages:
        t = t + 1
        if rule == "q_learning":
            a_next = max(range(K), key=lambda k: table[s_next][k])
        target = r + gamma * table[s_next][a_next]
        table[s][a] = table[s][a] + step(t, scale, t0) * (target - table[s][a])
    return table
""",
            "q4": """
def play(means, rounds, epsilon, gamma, scale, t0, rule, rng):
    K = len(means)
    top = len(means[0])
    table = {}
    def q(s):
        if s not in table:
            table[s] = [0.0 for _ in range(K)]
        return table[s]
    def choose(s):
        if rng.integers(10**6) < epsilon * 10**6:
            return rng.integers(K)
        best = max(q(s))
        tied = []
        for k in range(K):
            if q(s)[k] == best:
                tied.append(k)
        rng.shuffle(tied)
        return tied[-1]
    s = (top,) * K
    arms = [choose(s)]
    rewards = []
    for t in range(1, rounds + 1):
        a = arms[-1]
        r = 1 if rng.random() < means[a][s[a] - 1] else 0
        rewards.append(r)
        nxt = []
        for k in range(K):
            nxt.append(1 if k == a else min(s[k] + 1, top))
        nxt = tuple(nxt)
        if rule == "q_learning":
            q(s)[a] += scale / (t + t0) * (r + gamma * max(q(nxt)) - q(s)[a])
        if t == rounds:
            break
        arms.append(choose(nxt))  # kept, and pulled in the next round
        if rule == "sarsa":
            q(s)[a] += scale / (t + t0) * (r + gamma * q(nxt)[arms[-1]] - q(s)[a])
        s = nxt
    return arms, rewards, table
""",
        },
    ),
]
