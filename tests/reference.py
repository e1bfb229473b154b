"""The agents in plain NumPy, written from the paper's pseudo-code to be read, not to be fast.

They are the independent witness for the compiled agents: fed with the same random generator,
both must pull the same arms and learn the same tables. That fixes details the paper leaves open
(the order of the random draws, how ties are broken, the order of floating-point operations); each
is noted where it is.

The witness of an agent is the class here that has its name and its parameters. Its `act` and
`learn` are those of a player (`rb.play`), and its `beside(memory)` yields what it has learnt, each
table beside the same one in the memory of the compiled agent.

A joint state is a tuple with the state of every arm: rounds since its last pull, 1 .. s_max
(Section 3). Tables are indexed by state - 1.
"""

import itertools

import numpy as np


def pick(candidates, ties, rng):
    """One of the equally good arms; a random number is drawn only where there is a choice."""
    if ties == "first" or len(candidates) == 1:
        return int(candidates[0])
    return int(candidates[int(rng.random() * len(candidates))])


def by_state(explorer, table, rows_of):
    """Two tables over joint states, row by row: `table` by state, `rows_of` by compiled rows.

    States that only one of the two has met are rows of zeros in the other.
    """
    met = explorer.states
    keys = met.keys[1 : met.rows_used[0] + 1].tolist()
    row_of_key = {key: row for row, key in enumerate(keys, start=1)}
    plain = np.zeros_like(rows_of)
    for state, values in table.items():
        row = row_of_key.get(sum(s * int(w) for s, w in zip(state, met.weights, strict=True)))
        if row is None:
            assert not values.any(), f"The compiled agent has never met {state}."
        else:
            plain[row] = values
    return plain, rows_of


def separated(table, K, s_max):
    """A compiled table (a, s_a) x (k, s_k) in the order k, s_k, s_a, a."""
    return table.reshape(K, s_max, K, s_max).transpose(2, 3, 1, 0)


class JointVisits:
    """v(s, a) of Section 4.2: how often arm a was pulled in the joint state s."""

    def __init__(self, K, s_max):
        self.K, self.table = K, {}

    def counts(self, state):
        return self.table.setdefault(state, np.zeros(self.K, dtype=int))

    def add(self, state, arm):
        self.counts(state)[arm] += 1

    def beside(self, explorer):
        return by_state(explorer, self.table, -explorer.joint_counts)  # those count downwards


class SeparatedVisits:
    """v(s, a) in the spirit of the SS-Q-functions: counts per (k, s_k, s_a, a), summed over k."""

    def __init__(self, K, s_max):
        self.arms = np.arange(K)
        self.table = np.zeros((K, s_max, s_max, K), dtype=int)

    def counts(self, state):
        at = np.array(state) - 1
        return self.table[self.arms[:, None], at[:, None], at, self.arms].sum(axis=0)

    def add(self, state, arm):
        at = np.array(state) - 1
        self.table[self.arms, at, at[arm], arm] += 1

    def beside(self, explorer):
        return self.table, separated(-explorer.separated_counts, *self.table.shape[:2])


class ExploreFirst:
    """What the three value-learning agents share: Uniform-Explore-First and the step size."""

    def __init__(self, K, s_max, T, gamma, t0=5000, explore=0.1, ties="random", visits="joint"):
        self.K, self.gamma, self.t0, self.ties = K, gamma, t0, ties
        self.E = round(explore * T)
        self.visits = {"joint": JointVisits, "separated": SeparatedVisits}[visits](K, s_max)

    def choose(self, t, state, rng):
        """Least visited arm in the first E rounds, afterwards the arm of largest value."""
        if t > self.E:
            values = self.values(state)
            return pick(np.flatnonzero(values == values.max()), self.ties, rng)
        counts = self.visits.counts(state)
        arm = pick(np.flatnonzero(counts == counts.min()), self.ties, rng)
        self.visits.add(state, arm)
        return arm

    def moved(self, t, q, reward, q_next):
        """q after one step towards its target; alpha_t = 1 / (t + t0), Sections 5 and 6.1."""
        return q + 1.0 / (t + self.t0) * ((reward + self.gamma * q_next) - q)

    def beside(self, memory):
        yield "visits", *self.visits.beside(memory.explorer)
        yield "values", *self.values_beside(memory)


class OnPolicy(ExploreFirst):
    """SARSA's target needs the next arm a', so the update of round t waits for round t + 1.

    a' is chosen from the values as they stood before that update: in Algorithm 1 the update is
    the last line of round t, and it already speaks of a'.
    """

    pending = None

    def act(self, t, state, rng):
        arm = self.choose(t, state, rng)
        if self.pending is not None:
            self.update(*self.pending, next_arm=arm)
        return arm

    def learn(self, t, state, arm, reward, next_state):
        self.pending = (t, state, arm, reward, next_state)


class SSSarsa(OnPolicy):
    """Algorithm 1. Q[k, s_k, s_a, a] is the SS-Q-function of arm k while arm a is pulled."""

    def __init__(self, K, s_max, T, gamma, **options):
        super().__init__(K, s_max, T, gamma, **options)
        self.arms = np.arange(K)
        self.Q = np.zeros((K, s_max, s_max, K))

    def values(self, state):
        """K times the combined Q(s, a) of every arm a; the factor does not change the argmax.

        cumsum adds in the order k = 0, 1, ..., which sum() does not promise; the order decides
        whether two arms are exactly equal.
        """
        at = np.array(state) - 1
        return self.Q[self.arms[:, None], at[:, None], at, self.arms].cumsum(axis=0)[-1]

    def update(self, t, state, arm, reward, next_state, next_arm):
        at, next_at = np.array(state) - 1, np.array(next_state) - 1
        cells = (self.arms, at, at[arm], arm)
        next_cells = (self.arms, next_at, next_at[next_arm], next_arm)
        self.Q[cells] = self.moved(t, self.Q[cells], reward, self.Q[next_cells])

    def values_beside(self, memory):
        return self.Q, separated(memory.q, *self.Q.shape[:2])


class JointValues:
    """Q(s, a) over joint states; only states met so far take memory."""

    def __init__(self, K, s_max, T, gamma, **options):
        super().__init__(K, s_max, T, gamma, **options)
        self.Q = {}

    def values(self, state):
        return self.Q.setdefault(state, np.zeros(self.K))

    def values_beside(self, memory):
        return by_state(memory.explorer, self.Q, memory.q)


class Sarsa(JointValues, OnPolicy):
    """Tabular SARSA (Section 4.1) with the policy and step size of SS-SARSA (Section 6.1)."""

    def update(self, t, state, arm, reward, next_state, next_arm):
        q = self.values(state)
        q[arm] = self.moved(t, q[arm], reward, self.values(next_state)[next_arm])


class QLearning(JointValues, ExploreFirst):
    """Tabular Q-learning (Section 4.1): the target takes the best next arm, so no waiting."""

    def act(self, t, state, rng):
        return self.choose(t, state, rng)

    def learn(self, t, state, arm, reward, next_state):
        q = self.values(state)
        q[arm] = self.moved(t, q[arm], reward, self.values(next_state).max())


def rbf(s_max, length_scale):
    """The prior covariance of Algorithm 2 between the states 1 .. s_max."""
    s = np.arange(s_max)
    return np.exp(-((s[:, None] - s) ** 2) / (2.0 * length_scale**2))


def naive_posterior(states, rewards, s_max, sigma, length_scale):
    """Posterior mean and covariance over all states, from the N x N formula of Appendix A."""
    prior = rbf(s_max, length_scale)
    seen = np.asarray(states, dtype=int) - 1
    noisy = prior[np.ix_(seen, seen)] + sigma**2 * np.eye(len(seen))
    k = prior[seen]
    mean = k.T @ np.linalg.solve(noisy, np.asarray(rewards, dtype=float))
    return mean, prior - k.T @ np.linalg.solve(noisy, k)


class RGPTS:
    """dRGP-TS, Algorithm 2: Thompson sampling d rounds ahead, one Gaussian process per arm.

    samples="shared" draws once what an arm would yield at a step, for each state it may be in
    then, and all sequences use that number; "fresh" draws anew for every sequence.
    refresh="arm" samples from the exact posterior; "state" reads Algorithm 2 to the letter,
    where a pull refreshes the mean and variance of the pulled (arm, state) only.
    """

    def __init__(self, K, s_max, T, lookahead=1, sigma=1.0, length_scale=2.5, refresh="arm",
                 samples="shared"):
        self.K, self.s_max, self.sigma = K, s_max, sigma
        self.refresh, self.samples = refresh, samples
        self.prior = rbf(s_max, length_scale)
        self.counts = np.zeros((K, s_max))
        self.sums = np.zeros((K, s_max))
        self.mean = np.zeros((K, s_max))
        self.sd = np.ones((K, s_max))
        self.sequences = np.array(list(itertools.product(range(K), repeat=lookahead)))
        self.lags = np.array([self.lags_within(sequence) for sequence in self.sequences])
        self.plan = []

    def lags_within(self, sequence):
        """For each step: how long ago the block itself pulled the arm, 0 for not at all.

        A pull s_max or more steps ago counts as none: the arm is back at s_max either way.
        """
        last, lags = {}, []
        for i, arm in enumerate(sequence):
            lag = i - last.get(arm, i)
            lags.append(lag if lag < self.s_max else 0)
            last[arm] = i
        return lags

    def act(self, t, state, rng):
        if not self.plan:
            best = np.argmax(self.totals(state, rng))  # first in lexicographic order if equal
            self.plan = self.sequences[best].tolist()
        return self.plan.pop(0)

    def totals(self, state, rng):
        """Sampled reward of every sequence, summed step by step."""
        count, d = self.sequences.shape
        if self.samples == "fresh":
            fresh = rng.standard_normal((count, d))
        total = np.zeros(count)
        for i in range(d):
            arm, lag = self.sequences[:, i], self.lags[:, i]
            if self.samples == "fresh":
                z = fresh[:, i]
            else:
                z = rng.standard_normal((self.K, min(i, self.s_max - 1) + 1))[arm, lag]
            s = np.where(lag == 0, np.minimum(np.array(state)[arm] + i, self.s_max), lag)
            total += self.mean[arm, s - 1] + self.sd[arm, s - 1] * z
        return total

    def learn(self, t, state, arm, reward, next_state):
        s = state[arm] - 1
        self.counts[arm, s] += 1
        self.sums[arm, s] += reward
        mean, cov = self.posterior(arm)
        refreshed = slice(None) if self.refresh == "arm" else s
        self.mean[arm, refreshed] = mean[refreshed]
        self.sd[arm, refreshed] = np.sqrt(np.maximum(np.diag(cov), 0.0))[refreshed]

    def posterior(self, arm):
        """Mean and covariance of the paper's mu and covariance updates, from counts and sums.

        Woodbury's identity turns them into (K^-1 + C)^-1 b and (K^-1 + C)^-1 with C the counts
        and b the reward sums over sigma^2. Multiplying through by K avoids inverting the
        kernel matrix, which is close to singular: solve (I + K C) x = K [b, I].
        """
        C = self.counts[arm] / self.sigma**2
        b = self.sums[arm] / self.sigma**2
        right = np.column_stack([self.prior @ b, self.prior])
        solved = np.linalg.solve(np.eye(self.s_max) + self.prior * C, right)
        return solved[:, 0], solved[:, 1:]

    def beside(self, memory):
        means, covs = zip(*map(self.posterior, range(self.K)), strict=True)
        yield "means", np.array(means), memory.mean
        yield "covariances", np.array(covs), memory.cov
        yield "variances", np.array([np.diag(cov) for cov in covs]), memory.var
        yield "means for sampling", self.mean, memory.seen_mean
        yield "variances for sampling", self.sd**2, np.maximum(memory.seen_var, 0.0)


class RandomPull:
    """Every arm with the same probability."""

    def __init__(self, K, s_max, T):
        self.K = K

    def act(self, t, state, rng):
        return int(rng.random() * self.K)

    def learn(self, t, state, arm, reward, next_state):
        pass

    def beside(self, memory):
        return ()  # it learns nothing
