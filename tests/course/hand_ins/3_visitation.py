"""Hand-ins for the assignment on visitation probabilities."""

from tests.course.hand_ins import Style, Wrong

WRONG = [
    Wrong(
        "q1",
        "off by one: a fresh arm is in state 0, so that state i means i rests",
        """
def state_law(p, s_max, t):
    law = np.zeros(s_max)
    for i in range(1, s_max):
        if i < t:
            law[i - 1] = p * (1 - p) ** i
    law[-1] = 1 - law.sum()
    return law
""",
        loses=("q1_test", "q1_edge"),
    ),
    Wrong(
        "q1",
        "the law after the pull of round t instead of before it",
        """
def state_law(p, s_max, t):
    law = np.zeros(s_max)
    law[-1] = 1
    for _ in range(t):
        rested = (1 - p) * law
        law = np.append(p, rested[:-1]) if s_max > 1 else np.ones(1)
        if s_max > 1:
            law[-1] += rested[-1]
    return law
""",
        loses=("q1_test", "q1_edge"),
    ),
    Wrong(
        "q1",
        "the long-run law in every round but the first",
        """
def state_law(p, s_max, t):
    law = np.zeros(s_max)
    if t > 1:
        for i in range(1, s_max):
            law[i - 1] = p * (1 - p) ** (i - 1)
    law[-1] = 1 - law.sum()
    return law
""",
        loses=("q1_test",),
    ),
    Wrong(
        "q1",
        "nothing kept at the cap: what is at s_max leaves it by resting",
        """
def state_law(p, s_max, t):
    law = np.zeros(s_max)
    law[-1] = 1
    for _ in range(t - 1):
        law = np.append(p, (1 - p) * law[:-1])
    return law
""",
        loses=("q1_test", "q1_edge"),
    ),
    Wrong(
        "q1",
        "a single state is forgotten: a chain that needs two",
        """
def state_law(p, s_max, t):
    law = np.zeros(s_max)
    law[-1] = 1
    for _ in range(t - 1):
        law = np.array([p, *((1 - p) * law[:-2]), (1 - p) * (law[-2] + law[-1])])
    return law
""",
        loses=("q1_edge",),
    ),
    Wrong(
        "q2",
        "the pull is forgotten: where an arm is, not where it is pulled",
        """
def visit_table(probs, s_max):
    return np.array([state_law(p, s_max, s_max) for p in probs])
""",
        loses=("q2_test",),
    ),
    Wrong(
        "q2",
        "a fair die",
        """
def visit_table(probs, s_max):
    K = len(probs)
    return np.array([state_law(1 / K, s_max, s_max) / K for p in probs])
""",
        loses=("q2_test",),
    ),
    Wrong(
        "q2",
        "the paper's misprint: each row made to sum to 1",
        """
def visit_table(probs, s_max):
    table = np.zeros((len(probs), s_max))
    for k, p in enumerate(probs):
        for i in range(1, s_max):
            table[k, i - 1] = p**2 * (1 - p) ** (i - 1)
        table[k, -1] = 1 - table[k].sum()
    return table
""",
        loses=("q2_test",),
    ),
    Wrong(
        "q2",
        "one round too early to be stationary",
        """
def visit_table(probs, s_max):
    return np.array([p * np.asarray(state_law(p, s_max, max(s_max - 1, 1))) for p in probs])
""",
        loses=("q2_test",),
    ),
    Wrong(
        "q3",
        "the state is read after the pull",
        """
def visit_counts(arms, K, s_max, burn_in):
    counts = np.zeros((K, s_max), int)
    state = np.full(K, s_max)
    for t, a in enumerate(arms):
        state = np.minimum(state + 1, s_max)
        state[a] = 1
        if t >= burn_in:
            counts[a, state[a] - 1] += 1
    return counts
""",
        loses=("q3_test",),
    ),
    Wrong(
        "q3",
        "the run begins anew after the burn-in",
        """
def visit_counts(arms, K, s_max, burn_in):
    counts = np.zeros((K, s_max), int)
    state = np.full(K, s_max)
    for a in arms[burn_in:]:
        counts[a, state[a] - 1] += 1
        state = np.minimum(state + 1, s_max)
        state[a] = 1
    return counts
""",
        loses=("q3_test",),
    ),
    Wrong(
        "q3",
        "the pulled arm rests in the round of its pull, too: it comes back in state 2",
        """
def visit_counts(arms, K, s_max, burn_in):
    counts = np.zeros((K, s_max), int)
    state = np.full(K, s_max)
    for t, a in enumerate(arms):
        if t >= burn_in:
            counts[a, state[a] - 1] += 1
        state[a] = 1
        state = np.minimum(state + 1, s_max)
    return counts
""",
        loses=("q3_test",),
    ),
    Wrong(
        "q3",
        "the first counted round is left out, too",
        """
def visit_counts(arms, K, s_max, burn_in):
    counts = np.zeros((K, s_max), int)
    state = np.full(K, s_max)
    for t, a in enumerate(arms):
        if t > burn_in or burn_in == 0:
            counts[a, state[a] - 1] += 1
        state = np.minimum(state + 1, s_max)
        state[a] = 1
    return counts
""",
        loses=("q3_test",),
    ),
    Wrong(
        "q4",
        "one long run instead of round t of many",
        """
def simulate_round(probs, s_max, t, runs, rng):
    arms = rng.choice(len(probs), size=t - 1 + runs, p=probs)
    counts = np.asarray(visit_counts(arms, len(probs), s_max, t - 1))
    shares = counts / counts.sum()
    return shares, np.sqrt(shares * (1 - shares) / runs)
""",
        loses=("q4_test",),
    ),
    Wrong(
        "q4",
        "one round too many",
        """
def simulate_round(probs, s_max, t, runs, rng):
    K = len(probs)
    counts = np.zeros((K, s_max))
    for _ in range(runs):
        state = np.full(K, s_max)
        for a in rng.choice(K, size=t, p=probs):
            state = np.minimum(state + 1, s_max)
            state[a] = 1
        a = rng.choice(K, p=probs)
        counts[a, state[a] - 1] += 1
    shares = counts / runs
    return shares, np.sqrt(shares * (1 - shares) / runs)
""",
        loses=("q4_test",),
    ),
    Wrong(
        "q4",
        "arms drawn alike, whatever the die",
        """
def simulate_round(probs, s_max, t, runs, rng):
    K, run = len(probs), np.arange(runs)
    states = np.full((runs, K), s_max)
    for _ in range(t):
        arms = rng.integers(K, size=runs)
        found = states[run, arms]
        states = np.minimum(states + 1, s_max)
        states[run, arms] = 1
    shares = np.zeros((K, s_max))
    np.add.at(shares, (arms, found - 1), 1 / runs)
    return shares, np.sqrt(shares * (1 - shares) / runs)
""",
        loses=("q4_test",),
    ),
    Wrong(
        "q4",
        "the formula instead of a simulation",
        """
def simulate_round(probs, s_max, t, runs, rng):
    shares = np.array([p * np.asarray(state_law(p, s_max, t)) for p in probs])
    return shares, np.sqrt(shares * (1 - shares) / runs)
""",
        loses=("q4_test",),
    ),
    Wrong(
        "q4",
        "the variance for the standard error",
        """
def simulate_round(probs, s_max, t, runs, rng):
    K, run = len(probs), np.arange(runs)
    states = np.full((runs, K), s_max)
    for _ in range(t):
        arms = rng.choice(K, size=runs, p=probs)
        found = states[run, arms]
        states = np.minimum(states + 1, s_max)
        states[run, arms] = 1
    shares = np.zeros((K, s_max))
    np.add.at(shares, (arms, found - 1), 1 / runs)
    return shares, shares * (1 - shares) / runs
""",
        loses=("q4_errors",),
    ),
    Wrong(
        "q4",
        "the spread of one run for that of the share",
        """
def simulate_round(probs, s_max, t, runs, rng):
    K, run = len(probs), np.arange(runs)
    states = np.full((runs, K), s_max)
    for _ in range(t):
        arms = rng.choice(K, size=runs, p=probs)
        found = states[run, arms]
        states = np.minimum(states + 1, s_max)
        states[run, arms] = 1
    shares = np.zeros((K, s_max))
    np.add.at(shares, (arms, found - 1), 1 / runs)
    return shares, np.sqrt(shares * (1 - shares))
""",
        loses=("q4_errors",),
    ),
    Wrong(
        "q5",
        "the state counted from 0",
        """
table = np.asarray(visit_table(probs, s_max))
arm, column = np.unravel_index(table.argmin(), table.shape)
rarest = (int(arm), int(column))
rounds_needed = int(np.ceil(visits_wanted / table.min()))
""",
        loses=("q5_test",),
    ),
    Wrong(
        "q5",
        "the pull forgotten: rounds until the state comes up",
        """
table = np.array([state_law(p, s_max, s_max) for p in probs])
arm, column = np.unravel_index(table.argmin(), table.shape)
rarest = (int(arm), int(column) + 1)
rounds_needed = int(np.ceil(visits_wanted / table.min()))
""",
        loses=("q5_test",),
    ),
    Wrong(
        "q5",
        "rounded down",
        """
table = np.asarray(visit_table(probs, s_max))
arm, column = np.unravel_index(table.argmin(), table.shape)
rarest = (int(arm), int(column) + 1)
rounds_needed = int(visits_wanted / table.min())
""",
        loses=("q5_test",),
    ),
    Wrong(
        "q6",
        "the p for which the arm is in the state most often",
        """
def best_probability(s, s_max):
    return 1 / s
""",
        loses=("q6_test",),
    ),
    Wrong(
        "q6",
        "the last state treated like the others",
        """
def best_probability(s, s_max):
    return 2 / (s + 1)
""",
        loses=("q6_test",),
    ),
    Wrong(
        "q6",
        "a search on too coarse a grid",
        """
def best_probability(s, s_max):
    grid = np.linspace(0.01, 1, 100)
    rows = visit_table(grid, s_max)
    return grid[np.argmax(np.asarray(rows)[:, s - 1])]
""",
        loses=("q6_test",),
    ),
]

STYLES = [
    Style(
        "the chain stepped round by round, lists instead of arrays",
        {
            "q1": """
def state_law(p, s_max, t):
    law = [0.0] * (s_max - 1) + [1.0]
    for _ in range(1, t):
        after = [0.0] * s_max
        for state, share in enumerate(law, start=1):
            after[0] += share * p
            after[min(state + 1, s_max) - 1] += share * (1 - p)
        law = after
    return law
""",
            "q2": """
def visit_table(probs, s_max):
    return [[p * share for share in state_law(p, s_max, 100 + s_max)] for p in probs]
""",
            "q3": """
def visit_counts(arms, K, s_max, burn_in):
    ages = [s_max] * K
    counts = [[0] * s_max for _ in range(K)]
    for number, pulled in enumerate(arms, start=1):
        if number > burn_in:
            counts[pulled][ages[pulled] - 1] += 1
        ages = [1 if k == pulled else min(age + 1, s_max) for k, age in enumerate(ages)]
    return counts
""",
            "q4": """
import math

def simulate_round(probs, s_max, t, runs, rng):
    counts = [[0] * s_max for _ in probs]
    edges = np.cumsum(probs)
    edges[-1] = 1.0
    for _ in range(runs):
        ages = [s_max] * len(probs)
        for _ in range(t):
            pulled = int(np.searchsorted(edges, rng.random(), side="right"))
            found = ages[pulled]
            ages = [1 if k == pulled else min(age + 1, s_max) for k, age in enumerate(ages)]
        counts[pulled][found - 1] += 1
    shares = [[c / runs for c in row] for row in counts]
    errors = [[math.sqrt(x * (1 - x) / (runs - 1)) for x in row] for row in shares]
    return shares, errors
""",
            "q5": """
worst = 2.0
for k in range(len(probs)):
    for s in range(1, s_max + 1):
        here = visit_table(probs, s_max)[k][s - 1]
        if here < worst:
            worst, rarest = here, [k, s]
rounds_needed = 1
while rounds_needed * worst < visits_wanted:
    rounds_needed += 1
""",
            "q6": """
def best_probability(s, s_max):
    best, best_p = -1.0, 0.0
    for i in range(1001):
        p = i / 1000
        visits = p * p * (1 - p) ** (s - 1) if s < s_max else p * (1 - p) ** (s - 1)
        if visits > best:
            best, best_p = visits, p
    return best_p
""",
        },
    ),
    Style(
        "powers of a transition matrix, all rounds at once",
        {
            "q1": """
def state_law(p, s_max, t):
    step = np.diag(np.full(s_max - 1, 1 - p), 1)
    step[-1, -1] += 1 - p
    step[:, 0] += p
    return np.linalg.matrix_power(step, t - 1)[-1]
""",
            "q2": """
def visit_table(probs, s_max):
    p = np.asarray(probs, float).reshape(-1, 1)
    s = np.arange(s_max)
    table = p**2 * (1 - p) ** s
    table[:, -1] = p[:, 0] - table[:, :-1].sum(axis=1)
    return table
""",
            "q3": """
def visit_counts(arms, K, s_max, burn_in):
    arms = np.asarray(arms, int)
    counts = np.zeros((K, s_max))
    for k in range(K):
        rounds = np.flatnonzero(arms == k)
        if len(rounds):
            ages = np.minimum(np.diff(rounds, prepend=rounds[0] - s_max), s_max)
            counts[k] = np.bincount(ages[rounds >= burn_in] - 1, minlength=s_max)
    return counts
""",
            "q4": """
def simulate_round(probs, s_max, t, runs, rng):
    # with the last round first, the state is how far one has to look for the same arm
    arms = rng.choice(len(probs), size=(t, runs), p=probs)[::-1]
    state = np.full(runs, s_max)
    for ago in range(min(t, s_max) - 1, 0, -1):
        state[arms[ago] == arms[0]] = ago
    flat = np.bincount(arms[0] * s_max + state - 1, minlength=len(probs) * s_max)
    shares = flat.reshape(len(probs), s_max) / runs
    return [shares, (shares * (1 - shares) / runs) ** 0.5]
""",
            "q5": """
table = np.asarray(visit_table(probs, s_max))
rarest = tuple(np.argwhere(table == table.min())[0] + [0, 1])
rounds_needed = np.ceil(visits_wanted / table.min())
""",
            "q6": """
def best_probability(s, s_max):
    grid = np.linspace(0, 1, 4001)
    table = visit_table(grid, s_max)
    return float(grid[np.asarray(table)[:, s - 1].argmax()])
""",
        },
    ),
]
