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

import bisect
import functools
import itertools
import math

import numpy as np

import rb_core as rb
from rb_core import elementary
from tests.joint_graph import joint_states, step


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


class RGPUCB(RGPTS):
    """dRGP-UCB: the sequence whose sum of rewards has the highest upper confidence bound.

    The sum is linear in the means of all states: its mean and variance come from the vector that
    says how often the sequence pulls each (arm, state). Among sequences that are equal but for
    1e-9 the first in lexicographic order is taken.
    """

    def __init__(self, K, s_max, T, lookahead=1, sigma=0.5, length_scale=2.5):
        super().__init__(K, s_max, T, lookahead, sigma, length_scale)
        self.cov = np.tile(self.prior, (K, 1, 1))

    def act(self, t, state, rng):
        if t <= self.K:
            return t - 1
        if not self.plan:
            best = -np.inf
            for sequence, total in zip(self.sequences, self.totals(t, state), strict=True):
                if total > best + 1e-9:
                    best, self.plan = total, sequence.tolist()
        return self.plan.pop(0)

    def totals(self, t, state):
        """The upper confidence bound of every sequence."""
        count, d = self.sequences.shape
        pulls = np.zeros((count, self.K, self.s_max))
        for i in range(d):
            arm, lag = self.sequences[:, i], self.lags[:, i]
            s = np.where(lag == 0, np.minimum(np.array(state)[arm] + i, self.s_max), lag)
            pulls[np.arange(count), arm, s - 1] += 1
        mean = np.einsum("nas,as->n", pulls, self.mean)
        variance = np.einsum("nas,asr,nar->n", pulls, self.cov, pulls)
        rounds = t - 1  # their rounds count from 0
        width = math.sqrt(2 * math.log((rounds + d - 1) ** 2 * self.K**d * self.s_max))
        return mean + width * np.sqrt(np.maximum(variance, 0.0))

    def learn(self, t, state, arm, reward, next_state):
        super().learn(t, state, arm, reward, next_state)
        self.cov[arm] = self.posterior(arm)[1]

    def beside(self, memory):
        return super().beside(memory.gp)


class PeriodicUCB:
    """Periods for the arms, the best for an optimistic table, until a count has grown by a tenth.

    Where values are equal but for 1e-9: no period before the shortest one, and that before longer
    ones; small bases before large ones; and arms in order of their number.
    """

    def __init__(self, K, s_max, T, sigma=0.5):
        self.K, self.s_max, self.sigma = K, s_max, sigma
        self.rewards = [[[] for _ in range(s_max)] for _ in range(K)]
        self.all_rewards, self.log = [], 0.0
        self.counts_before = np.full((K, s_max), -1)
        self.periods, self.timetable, self.pulled_of_it = [0] * K, [None], 0

    def upper(self, arm, s):
        """Mean and width of a cell; one never pulled counts as pulled once."""
        seen = self.rewards[arm][s - 1] or [np.mean(self.all_rewards or [0.0])]
        return np.mean(seen) + self.sigma * math.sqrt(2 * self.log / len(seen))

    def act(self, t, state, rng):
        if self.pulled_of_it == len(self.timetable):
            self.pulled_of_it = 0
        if self.pulled_of_it == 0 and self.phase_is_over():
            self.log = math.log(t + 1)
            self.begin(np.array([[self.upper(a, s) for s in range(1, self.s_max + 1)]
                                 for a in range(self.K)]))
        arm = self.timetable[self.pulled_of_it]
        self.pulled_of_it += 1
        if arm is None:
            free = [a for a in range(self.K) if not self.periods[a]] or range(self.K)
            arm = first_best([(self.table[a][state[a] - 1], a) for a in free])
        return arm

    def phase_is_over(self):
        """Whether a cell has been pulled a tenth more often than before, and at least once more."""
        before = self.counts_before
        return (self.counts() >= before + 1 + before // 10).any()

    def counts(self):
        return np.array([[len(seen) for seen in arm] for arm in self.rewards])

    def begin(self, table):
        self.table, self.counts_before = table, self.counts()
        plans = [self.plan(base) for base in range(1, self.s_max + 1, 2)]
        _, self.periods, length = first_best([(plan[0], plan) for plan in plans])
        self.timetable = [None] * length
        for arm in sorted(range(self.K), key=lambda arm: self.periods[arm]):
            if self.periods[arm]:
                start = self.timetable.index(None)
                for i in range(start, length, self.periods[arm]):
                    assert self.timetable[i] is None
                    self.timetable[i] = arm

    def plan(self, base):
        """What the best periods of this base earn a round, these, and the length of a timetable."""
        lengths = [base]
        while lengths[-1] < self.s_max:
            lengths.append(2 * lengths[-1])
        length, above = lengths[-1], self.table - self.table.min()

        @functools.cache
        def best(arms, rounds):
            """The most that the first `arms` arms earn in so many rounds, and their periods."""
            if arms == 0:
                return 0.0, ()
            worth, periods = best(arms - 1, rounds)
            ways = [(worth, (*periods, 0))]
            for d in lengths:
                if length // d <= rounds:
                    worth, periods = best(arms - 1, rounds - length // d)
                    worth += length // d * above[arms - 1, min(d, self.s_max) - 1]
                    ways.append((worth, (*periods, d)))
            return first_best([(way[0], way) for way in ways])

        worth, periods = best(self.K, length)
        return worth / length, list(periods), length

    def learn(self, t, state, arm, reward, next_state):
        s = state[arm]
        self.rewards[arm][s - 1].append(reward)
        self.all_rewards.append(reward)
        self.table[arm, s - 1] = self.upper(arm, s)

    def beside(self, memory):
        yield "counts", self.counts(), memory.counts
        means = [[np.mean(seen or [0.0]) for seen in arm] for arm in self.rewards]
        yield "means", np.array(means), memory.means
        yield "optimistic means", self.table, memory.upper
        yield "periods", np.array(self.periods) + 1, memory.table.period + 1


def first_best(ways):
    """Of (value, thing): the thing of the largest value, the first of those equal but for 1e-9."""
    best, chosen = -math.inf, None
    for value, thing in ways:
        if value > best + 1e-9:
            best, chosen = value, thing
    return chosen


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


def in_order(numbers):
    """Their sum, added one after the other: whether two sums are equal can depend on the order."""
    return float(np.cumsum(np.append(0.0, numbers))[-1])


class PlanUCB:
    """Optimism on the table of means, and a plan on the known graph.

    Where equal plans are decided: arms in order of their number, cells of an arm in order of state,
    and whatever was found first stays. Logarithms are rb_core's own, which are the same everywhere;
    those of libraries differ in the last bit.
    """

    width, tried, tiny, rounding = 16, 8, 1e-9, 1e-12
    at_once, later, patience = 1_000, 20_000, 10

    def __init__(self, K, s_max, T):
        self.K, self.s_max, self.T = K, s_max, T
        self.n, self.mean = np.zeros((K, s_max), dtype=int), np.zeros((K, s_max))
        self.all_mean = self.all_squares = self.cell_squares = 0.0
        self.U = np.zeros((K, s_max))
        self.plan, self.loop, self.at = list(range(K)), 0, 0  # at first, every arm in turn
        self.due = np.ones((K, s_max), dtype=int)
        self.wanted, self.earliest, self.latest = False, s_max + 1, T
        many = rb.reachable_states(K, s_max)
        self.exact_after = 0 if many <= self.at_once else self.patience * many
        if many > self.later or (T and self.exact_after >= T):
            self.exact_after = math.inf
        if self.exact_after < math.inf:
            states = joint_states(K, s_max)
            number = {state: i for i, state in enumerate(states)}
            self.after = np.array([[number[step(s, a, s_max)] for a in range(K)] for s in states])
            self.states, self.number = np.array(states), number
            self.policy = np.zeros(len(states), dtype=int)

    def act(self, t, state, rng):
        if (self.wanted or t >= self.latest) and t >= self.earliest:
            self.plan_anew(t, tuple(int(s) for s in state))
        arm = self.plan[self.at]
        self.at = self.at + 1 if self.at + 1 < len(self.plan) else self.loop
        return arm

    def learn(self, t, state, arm, reward, next_state):
        cell = arm, state[arm] - 1
        self.n[cell] += 1
        before = self.mean[cell]
        self.mean[cell] += (reward - before) / self.n[cell]
        self.cell_squares += (reward - before) * (reward - self.mean[cell])
        before = self.all_mean
        self.all_mean += (reward - before) / t
        self.all_squares += (reward - before) * (reward - self.all_mean)
        self.wanted |= bool(self.n[cell] >= self.due[cell])

    # The table.

    def columns(self, kappa):
        """q and c of every state: the weight and the centre of what arms have in common there."""
        w = self.n * kappa / (self.n + kappa)
        q = np.array([in_order(np.append(1.0, column[column > 0])) for column in w.T])
        c = [in_order(np.append(self.all_mean, (w * self.mean)[self.n[:, s] > 0, s]))
             for s in range(self.s_max)]
        return q, np.array(c) / q

    def log_likelihood(self, kappa, s2):
        q, c = self.columns(kappa)
        total = 0.0
        for s in np.flatnonzero(self.n.any(axis=0)):
            seen = self.n[:, s] > 0
            v = 1.0 / kappa + 1.0 / self.n[seen, s]
            terms = [np.square(c[s] - self.all_mean) / s2,  # ** 2 may round otherwise
                     *(np.square(self.mean[seen, s] - c[s]) / (s2 * v))]
            total -= 0.5 * (in_order(terms) + elementary.logarithm(math.prod([q[s], *v])))
        return total

    def table(self, played, T):
        v0 = self.all_squares / played
        s2 = (self.cell_squares + v0) / (played - int((self.n > 0).sum()) + 1)
        if v0 <= 0:  # all rewards were the same
            v0 = s2 = 1.0
        cells = self.K * self.s_max
        grid = [kappa for kappa in 2.0 ** np.arange(7) if kappa <= max(1.0, T / cells)]
        L = [self.log_likelihood(kappa, s2) for kappa in grid]
        likely = ratio = 0.0
        top = -math.inf
        for kappa, each in zip(grid, L, strict=True):  # scaled by the largest so far
            scale, top = elementary.exponential(min(top - each, 0.0)), max(top, each)
            likely = likely * scale + elementary.exponential(each - top)
            ratio = ratio * scale + elementary.exponential(each - top) / kappa
        kappa = likely / ratio
        q, c = self.columns(kappa)
        k = kappa * q / (kappa + q)
        n = self.n + k
        V = np.where(self.n > 0, s2, max(v0, s2))
        log = np.array([[elementary.logarithm(x) for x in row] for row in 1.0 + (T - played)
                        / (cells * n)])
        self.U = (self.n * self.mean + k * c) / n + np.sqrt(2.0 * V * log / n)

    # The price of a pull.

    def bound_at(self, price):
        gain = (self.U - price) / np.arange(1, self.s_max + 1)
        best, state = gain.max(axis=1), gain.argmax(axis=1) + 1
        bound, slope = price, 1.0
        for a in range(self.K):
            if best[a] > 0:
                bound, slope = bound + best[a], slope - 1.0 / state[a]
        return bound, slope

    def price(self):
        high = float(self.U.max())
        low = 2 * float(self.U.min()) - high
        (f_high, up), (f_low, down) = self.bound_at(high), self.bound_at(low)
        while down < 0 < up:
            meet = (f_low - down * low - f_high + up * high) / (up - down)
            if not low < meet < high:
                break
            bound, slope = self.bound_at(meet)
            if slope < 0:
                low, f_low, down = meet, bound, slope
            else:
                high, f_high, up = meet, bound, slope
        return (low, f_low) if f_low < f_high else (high, f_high)

    # The plan.

    def plan_anew(self, t, state):
        T = self.T or 2 * max(t - 1, self.K * self.s_max)  # 0: an open end
        self.table(t - 1, T)
        self.due = self.n + 1 + self.n // 10
        self.wanted, self.earliest = False, t + self.s_max
        self.latest = t + (T - t) // 2 + 1
        price, bound = self.price()
        tiny = self.tiny * (self.U.max() - self.U.min()) + self.rounding * (
            abs(bound) + abs(price))
        own = self.average(self.plan[self.loop :])
        if own >= bound - tiny:
            return
        if t > self.exact_after:
            average, plan, loop = self.best_policy(state, tiny)
        else:
            path = self.beam(self.advantages(price), state)
            average, loop, end = max(
                ((self.average(path[i:j]), i, j) for i in range(len(path))
                 for j in range(i + 1, len(path) + 1)),
                key=lambda found: found[0])
            plan = path[:end]
        if average > own + tiny:
            self.plan, self.loop, self.at = plan, loop, 0

    def average(self, cycle):
        """What a cycle earns a round if it is repeated; first pulls of an arm are added last."""
        again, first, last = [], {}, {}
        for i, arm in enumerate(cycle):
            if arm in last:
                again.append(self.U[arm, min(i - last[arm], self.s_max) - 1])
            first.setdefault(arm, i)
            last[arm] = i
        round_about = [self.U[arm, min(len(cycle) + i - last[arm], self.s_max) - 1]
                       for arm, i in first.items()]
        return in_order([*again, *round_about]) / len(cycle)

    def advantages(self, price):
        A = np.empty_like(self.U)
        for arm, m in enumerate(self.U):
            gain = max(0.0, ((m - price) / np.arange(1, self.s_max + 1)).max())
            if gain == 0:
                A[arm] = m - price
                continue
            h = m[-1] - price - gain
            A[arm, -1] = gain
            for s in range(self.s_max - 2, -1, -1):
                pull, rest = m[s] - price - gain, h - gain
                A[arm, s], h = pull - rest, max(pull, rest)
        return A

    def beam(self, A, state):
        """The sequence of 2 s_max arms that loses least against the bound, as far as it sees."""
        nodes = [(0.0, state, [])]
        for _ in range(2 * self.s_max):
            kept = []
            for cost, here, path in nodes:
                now = A[np.arange(self.K), np.array(here) - 1]
                lost = in_order(now[now > 0])
                for arm in np.argsort(-now, kind="stable")[: self.tried].tolist():
                    child = cost + (lost - now[arm])
                    if len(kept) == self.width and child >= kept[-1][0]:
                        break
                    self.keep(kept, (child, step(here, arm, self.s_max), [*path, arm]))
            nodes = kept
        return nodes[0][2]

    def keep(self, kept, node):
        same = [other for other in kept if other[1] == node[1]]
        if same and same[0][0] <= node[0]:
            return
        if same:
            kept.remove(same[0])
        elif len(kept) == self.width:
            kept.pop()
        kept.insert(bisect.bisect_right([cost for cost, _, _ in kept], node[0]), node)

    def best_policy(self, state, tiny):
        """Howard's policy iteration, begun at the last policy."""
        U = self.U[np.arange(self.K), self.states - 1]
        while True:
            gain, bias = self.evaluate(U)
            behind = gain < gain.max() - tiny
            if behind.any():
                self.lead_to(~behind)
                continue
            q = U + bias[self.after]
            better = q.max(axis=1) > bias + gain + tiny
            if not better.any():
                break
            self.policy[better] = q.argmax(axis=1)[better]
        node, seen, plan = self.number[state], {}, []
        while node not in seen:
            seen[node] = len(plan)
            plan.append(int(self.policy[node]))
            node = int(self.after[node, plan[-1]])
        return gain[0], plan, seen[node]

    def evaluate(self, U):
        """Gain and bias of the policy; the bias is 0 in the smallest node of a cycle."""
        after = self.after[np.arange(len(U)), self.policy].tolist()
        reward = U[np.arange(len(U)), self.policy]
        gain, bias, done = np.zeros(len(U)), np.zeros(len(U)), set()
        for start in range(len(U)):
            way = []
            i = start
            while i not in done and i not in way:
                way.append(i)
                i = after[i]
            if i in way:
                cycle = way[way.index(i) :]
                mean = in_order(reward[cycle]) / len(cycle)
                at = cycle.index(min(cycle))
                way = [*way[: way.index(i)], *cycle[at:], *cycle[:at]]
                gain[min(cycle)] = mean
                done.add(min(cycle))
            for i in reversed(way):
                if i not in done:
                    gain[i] = gain[after[i]]
                    bias[i] = reward[i] - gain[i] + bias[after[i]]
                    done.add(i)
        return gain, bias

    def lead_to(self, good):
        """Every other node takes the first arm that leads to a good one, or to one that does."""
        good = good.copy()
        while not good.all():
            for i in np.flatnonzero(~good):
                if good[self.after[i]].any():
                    self.policy[i] = int(np.argmax(good[self.after[i]]))
                    good[i] = True

    def beside(self, memory):
        yield "counts", self.n, memory.counts
        yield "means", self.mean, memory.means
        yield "moments", np.array([self.all_mean, self.all_squares, self.cell_squares]), \
            memory.moments
        yield "optimistic means", self.U, memory.upper
        plan = np.array(self.plan)
        yield "plan", plan, memory.path[: memory.place[2]]
        yield "place", np.array([self.at, self.loop]), memory.place[:2]
