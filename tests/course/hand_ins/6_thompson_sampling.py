"""Hand-ins for the assignment on Gaussian processes and Thompson sampling."""

from tests.course.hand_ins import Style, Wrong


def posterior(
    noise="np.diag(sigma**2 / n)",
    seen="pulls > 0",
    result="cov - cov[:, seen] @ w",
    prior="mean[seen]",
):
    """An answer to question 2 in which one thing is different."""
    return f"""
def posterior(mean, cov, pulls, sums, sigma):
    seen = {seen}
    n = pulls[seen]
    w = np.linalg.solve(cov[np.ix_(seen, seen)] + {noise}, cov[seen])
    return mean + (sums[seen] / n - {prior}) @ w, {result}
"""


def play(
    draw="m[i] + math.sqrt(max(V[i, i], 0.0)) * rng.standard_normal()",
    before="",
    reward='table[a][state[a] - 1] + model["sigma"] * rng.standard_normal()',
    early="",
    late="move()",
    learn="where = state[a] - 1",
):
    """An answer to question 5 in which one thing is different."""
    return f"""
def play(table, rounds, model, rng):
    K, s_max = len(table), model["s_max"]
    belief = [prior(model) for _ in range(K)]
    state = [s_max] * K

    def move():
        for k in range(K):
            state[k] = 1 if k == a else min(state[k] + 1, s_max)

    arms, rewards = [], []
    for t in range(rounds):
        draws = []
        {before or "pass"}
        for k in range(K):
            (m, V), i = belief[k], state[k] - 1
            draws.append({draw})
        a = int(np.argmax(draws))
        {early or "pass"}
        r = {reward}
        {learn}
        m, V = belief[a]
        v = V[where]
        gain = v / (v[where] + model["sigma"] ** 2)
        belief[a] = m + gain * (r - m[where]), V - np.outer(gain, v)
        {late}
        arms.append(a)
        rewards.append(r)
    return arms, rewards
"""


def two_chances(arm_0="v + w", rise="a + b - 2 * c", first="state[0] - 1"):
    """An answer to question 4 in which one thing is different."""
    return f"""
def chance_of_arm_0(means, covs, state):
    i, j = {first}, state[1] - 1
    v, w = covs[0][i][i], covs[1][j][j]
    return normal_cdf((means[0][i] - means[1][j]) / math.sqrt({arm_0}))


def chance_of_rise(mean, cov, s):
    a, b, c = cov[s - 1][s - 1], cov[s][s], cov[s - 1][s]
    return normal_cdf((mean[s] - mean[s - 1]) / math.sqrt({rise}))


means, covs, state = beliefs(diary_arms, diary_rewards, 2, model)
tomorrow = chance_of_arm_0(means, covs, state)
rise = chance_of_rise(means[0], covs[0], model["s_max"] - 1)
"""


WRONG = [
    Wrong(
        "q1",
        "the standard deviation for the variance",
        """
def prior(model):
    s = np.arange(model["s_max"])
    gap = s[:, None] - s
    cov = model["prior_sd"] * np.exp(-(gap**2) / (2 * model["length_scale"] ** 2))
    return np.full(len(s), model["prior_mean"]), cov
""",
        loses=("q1_test",),
    ),
    Wrong(
        "q1",
        "the length scale not squared",
        """
def prior(model):
    s = np.arange(model["s_max"])
    gap = s[:, None] - s
    cov = model["prior_sd"] ** 2 * np.exp(-(gap**2) / (2 * model["length_scale"]))
    return np.full(len(s), model["prior_mean"]), cov
""",
        loses=("q1_test",),
    ),
    Wrong(
        "q1",
        "the two squared with the length scale",
        """
def prior(model):
    s = np.arange(model["s_max"])
    gap = s[:, None] - s
    cov = model["prior_sd"] ** 2 * np.exp(-(gap**2) / (2 * model["length_scale"]) ** 2)
    return np.full(len(s), model["prior_mean"]), cov
""",
        loses=("q1_test",),
    ),
    Wrong(
        "q1",
        "the prior of the chapter on dRGP-TS: mean 0, variance 1",
        """
def prior(model):
    s = np.arange(model["s_max"])
    gap = s[:, None] - s
    return np.zeros(len(s)), np.exp(-(gap**2) / (2 * model["length_scale"] ** 2))
""",
        loses=("q1_test",),
    ),
    Wrong("q2", "the noise forgotten", posterior(noise="0"), loses=("q2_test", "q2_edge")),
    Wrong(
        "q2",
        "sigma taken for a variance",
        posterior(noise="np.diag(sigma / n)"),
        loses=("q2_test", "q2_edge"),
    ),
    Wrong(
        "q2",
        "the number of pulls ignored: the noise of one reward for an average",
        posterior(noise="sigma**2 * np.eye(seen.sum())"),
        loses=("q2_test", "q2_edge"),
    ),
    Wrong(
        "q2",
        "the covariance added instead of subtracted",
        posterior(result="cov + cov[:, seen] @ w"),
        loses=("q2_test", "q2_edge"),
    ),
    Wrong("q2", "the prior mean forgotten", posterior(prior="0"), loses=("q2_test", "q2_edge")),
    Wrong(
        "q2",
        "a state without rewards has the average 0/0",
        posterior(seen="pulls > -1"),
        loses=("q2_edge",),
    ),
    Wrong(
        "q2",
        "the inverse of a covariance that has none",
        """
def posterior(mean, cov, pulls, sums, sigma):
    precision = np.linalg.inv(cov)
    after = np.linalg.inv(precision + np.diag(pulls) / sigma**2)
    return after @ (precision @ mean + sums / sigma**2), after
""",
        loses=("q2_edge",),
    ),
    Wrong(
        "q3",
        "the states move on before the reward is noted",
        """
def beliefs(arms, rewards, K, model):
    s_max = model["s_max"]
    pulls, sums, state = np.zeros((K, s_max)), np.zeros((K, s_max)), np.full(K, s_max)
    for a, r in zip(arms, rewards):
        state = np.minimum(state + 1, s_max)
        state[a] = 1
        pulls[a, state[a] - 1] += 1
        sums[a, state[a] - 1] += r
    out = [posterior(*prior(model), pulls[k], sums[k], model["sigma"]) for k in range(K)]
    return [m for m, _ in out], [V for _, V in out], state
""",
        loses=("q3_test",),
    ),
    Wrong(
        "q3",
        "the pulled arm is in state 2 on the next day",
        """
def beliefs(arms, rewards, K, model):
    s_max = model["s_max"]
    pulls, sums, state = np.zeros((K, s_max)), np.zeros((K, s_max)), np.full(K, s_max)
    for a, r in zip(arms, rewards):
        pulls[a, state[a] - 1] += 1
        sums[a, state[a] - 1] += r
        state[a] = 1
        state = np.minimum(state + 1, s_max)
    out = [posterior(*prior(model), pulls[k], sums[k], model["sigma"]) for k in range(K)]
    return [m for m, _ in out], [V for _, V in out], state
""",
        loses=("q3_test",),
    ),
    Wrong(
        "q3",
        "averages in place of sums",
        """
def beliefs(arms, rewards, K, model):
    s_max = model["s_max"]
    pulls, sums, state = np.zeros((K, s_max)), np.zeros((K, s_max)), np.full(K, s_max)
    for a, r in zip(arms, rewards):
        pulls[a, state[a] - 1] += 1
        sums[a, state[a] - 1] += r
        state = np.minimum(state + 1, s_max)
        state[a] = 1
    averages = sums / np.maximum(pulls, 1)
    out = [posterior(*prior(model), pulls[k], averages[k], model["sigma"]) for k in range(K)]
    return [m for m, _ in out], [V for _, V in out], state
""",
        loses=("q3_test",),
    ),
    Wrong(
        "q3",
        "all arms learn from every reward",
        """
def beliefs(arms, rewards, K, model):
    s_max = model["s_max"]
    pulls, sums, state = np.zeros(s_max), np.zeros(s_max), np.full(K, s_max)
    for a, r in zip(arms, rewards):
        pulls[state[a] - 1] += 1
        sums[state[a] - 1] += r
        state = np.minimum(state + 1, s_max)
        state[a] = 1
    out = [posterior(*prior(model), pulls, sums, model["sigma"]) for k in range(K)]
    return [m for m, _ in out], [V for _, V in out], state
""",
        loses=("q3_test",),
    ),
    Wrong(
        "q4",
        "standard deviations added up",
        two_chances(arm_0="(math.sqrt(v) + math.sqrt(w)) ** 2"),
        loses=("q4_test", "q4_values"),
    ),
    Wrong(
        "q4",
        "the variance for the standard deviation",
        two_chances(arm_0="(v + w) ** 2", rise="(a + b - 2 * c) ** 2"),
        loses=("q4_test", "q4_values"),
    ),
    Wrong(
        "q4",
        "two states of one arm drawn independently",
        two_chances(rise="a + b"),
        loses=("q4_test", "q4_values"),
    ),
    Wrong(
        "q4",
        "the covariance with the wrong sign",
        two_chances(rise="a + b + 2 * c"),
        loses=("q4_test", "q4_values"),
    ),
    Wrong(
        "q4",
        "the noise of a day added to what is unknown of its mean",
        two_chances(arm_0='v + w + 2 * model["sigma"] ** 2'),
        loses=("q4_test", "q4_values"),
    ),
    Wrong(
        "q4",
        "arm 0 taken as fully rested",
        two_chances(first="len(means[0]) - 1"),
        loses=("q4_test", "q4_values"),
    ),
    Wrong(
        "q4",
        "the right functions, asked about the wrong arm and state",
        two_chances()
        .replace("tomorrow = ", "tomorrow = 1 - ")
        .replace('model["s_max"] - 1)', "1)"),
        loses=("q4_values",),
    ),
    Wrong("q5", "greedy: no draws", play(draw="m[i]"), loses=("q5_test",)),
    Wrong(
        "q5",
        "the variance for the standard deviation in the draws",
        play(draw="m[i] + V[i, i] * rng.standard_normal()"),
        loses=("q5_test",),
    ),
    Wrong(
        "q5",
        "one draw a round, shared by all arms",
        play(
            draw="m[i] + math.sqrt(max(V[i, i], 0.0)) * z",
            before="z = rng.standard_normal()",
        ),
        loses=("q5_test",),
    ),
    Wrong(
        "q5",
        "the noise of a reward in the draws",
        play(draw='m[i] + math.sqrt(V[i, i] + model["sigma"] ** 2) * rng.standard_normal()'),
        loses=("q5_test",),
    ),
    Wrong(
        "q5",
        "the best state of an arm instead of its present one",
        play(draw="max(m + np.sqrt(np.maximum(np.diag(V), 0)) * rng.standard_normal(len(m)))"),
        loses=("q5_test",),
    ),
    Wrong(
        "q5",
        "the states move on before the reward",
        play(early="move()", late="pass"),
        loses=("q5_test",),
    ),
    Wrong(
        "q5",
        "the posterior learns for the state after the pull",
        play(learn="where = 0"),
        loses=("q5_test",),
    ),
    Wrong(
        "q5",
        "sigma taken for a variance in the rewards",
        play(reward='table[a][state[a] - 1] + math.sqrt(model["sigma"]) * rng.standard_normal()'),
        loses=("q5_test",),
    ),
    Wrong(
        "q5",
        "nothing is learnt",
        play(learn="where = state[a] - 1; r, kept = r, belief[a]", late="move(); belief[a] = kept"),
        loses=("q5_test",),
    ),
]

STYLES = [
    Style(
        "plain loops and lists, one reward at a time",
        {
            "q1": """
def prior(model):
    n, tau, ell = model["s_max"], model["prior_sd"], model["length_scale"]
    cov = []
    for i in range(n):
        cov.append([tau * tau * math.exp(-((i - j) ** 2) / (2 * ell * ell)) for j in range(n)])
    return [model["prior_mean"]] * n, cov
""",
            "q2": """
def posterior(mean, cov, pulls, sums, sigma):
    mean = [float(each) for each in mean]
    cov = [[float(each) for each in row] for row in cov]
    size = len(mean)
    for s in range(size):
        for _ in range(int(pulls[s])):
            # only the sum matters, so each reward may be taken as their average
            surprise = sums[s] / pulls[s] - mean[s]
            column = [cov[i][s] for i in range(size)]
            total = column[s] + sigma * sigma
            mean = [mean[i] + column[i] * surprise / total for i in range(size)]
            cov = [[cov[i][j] - column[i] * column[j] / total for j in range(size)]
                   for i in range(size)]
    return mean, cov
""",
            "q3": """
def beliefs(arms, rewards, K, model):
    s_max, states = model["s_max"], [model["s_max"] for _ in range(K)]
    known = [prior(model) for _ in range(K)]
    for day in range(len(arms)):
        chosen = arms[day]
        here = [0] * s_max
        paid = [0.0] * s_max
        here[states[chosen] - 1] = 1
        paid[states[chosen] - 1] = rewards[day]
        known[chosen] = posterior(*known[chosen], here, paid, model["sigma"])
        for k in range(K):
            states[k] = 1 if k == chosen else min(states[k] + 1, s_max)
    return [m for m, _ in known], [V for _, V in known], states
""",
            "q4": """
def chance_of_arm_0(means, covs, state):
    draws = np.random.default_rng(4)
    i, j = int(state[0]) - 1, int(state[1]) - 1
    first = means[0][i] + covs[0][i][i] ** 0.5 * draws.standard_normal(1_000_000)
    second = means[1][j] + covs[1][j][j] ** 0.5 * draws.standard_normal(1_000_000)
    return (first > second).mean()


def chance_of_rise(mean, cov, s):
    root = np.linalg.cholesky([row[s - 1 : s + 1] for row in cov[s - 1 : s + 1]])
    low, high = root @ np.random.default_rng(5).standard_normal((2, 1_000_000))
    return (mean[s] + high > mean[s - 1] + low).mean()



diary = beliefs(diary_arms, diary_rewards, 2, model)
tomorrow = chance_of_arm_0(*diary)
rise = chance_of_rise(diary[0][0], diary[1][0], model["s_max"] - 1)
""",
            "q5": """
def play(table, rounds, model, rng):
    K, s_max = len(table), model["s_max"]
    known, states = {}, {}
    for k in range(K):
        known[k], states[k] = prior(model), s_max
    arms, rewards = (), ()
    while len(arms) < rounds:
        best, best_value = None, -math.inf
        for k in range(K):
            mean, cov, s = *known[k], states[k] - 1
            value = mean[s] + max(cov[s][s], 0) ** 0.5 * rng.normal()
            if value > best_value:
                best, best_value = k, value
        here = [int(s + 1 == states[best]) for s in range(s_max)]
        paid = rng.normal(table[best][states[best] - 1], model["sigma"])
        known[best] = posterior(*known[best], here, [paid * one for one in here], model["sigma"])
        for k in range(K):
            states[k] = 1 if k == best else min(states[k] + 1, s_max)
        arms, rewards = (*arms, best), (*rewards, paid)
    return arms, rewards
""",
        },
    ),
    Style(
        "the chapter's formulas and whole vectors drawn jointly",
        {
            "q2": """
def posterior(mean, cov, pulls, sums, sigma):
    pulls = np.asarray(pulls)
    shrink = cov @ np.linalg.inv(sigma**2 * np.eye(len(cov)) + pulls[:, None] * cov)
    return mean + shrink @ (sums - pulls * mean), sigma**2 * shrink
""",
            "q4": """
def chance_of_rise(mean, cov, s):
    a = cov[s - 1 : s + 1, s - 1 : s + 1]
    return normal_cdf((mean[s] - mean[s - 1]) / np.sqrt(a[0, 0] - a[0, 1] - a[1, 0] + a[1, 1]))


def chance_of_arm_0(means, covs, state):
    at = np.arange(2), np.asarray(state) - 1
    return normal_cdf(-np.diff(means[at])[0] / np.sqrt(covs[at[0], at[1], at[1]].sum()))


m, V, after = beliefs(diary_arms, diary_rewards, 2, model)
tomorrow, rise = chance_of_arm_0(m, V, after), chance_of_rise(m[0], V[0], model["s_max"] - 1)
""",
            "q5": play(draw='rng.multivariate_normal(m, V, check_valid="ignore")[i]').replace(
                "return arms, rewards", "return np.array(arms), np.array(rewards)"
            ),
        },
    ),
]
