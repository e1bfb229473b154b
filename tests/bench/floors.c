/* What a round of each agent must cost, whoever writes it: a floor under every implementation.
 *
 * Each function plays `T` rounds and returns the sum of expected rewards. A round has
 *   - the random numbers that the algorithm prescribes, from NumPy's own generator;
 *   - the numbers that it must read in order to choose, and the comparison of its candidates;
 *   - one pass of its update's arithmetic;
 *   - the bandit's own part: a reward, a step of every arm's state, the two sums of rewards.
 * Each round waits for the arm that the one before has chosen, as it must in one simulation. There is
 * nothing else: no memory that grows, no log, no checks, no options, no plan. So these are not the
 * agents (tests/bench/agents.c has them in C): they pull other arms, and are no witness of anything
 * but time.
 */

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <numpy/random/bitgen.h>
#include <numpy/random/distributions.h>

#define LANES 8
#define MOST_ARMS 64
#define GAMMA 0.99999
#define T0 5000.0

typedef struct {
    bitgen_t *rng;
    const double *means;
    int K, s_max;
    double total, discounted, weight;
    int32_t cell[MOST_ARMS], last[MOST_ARMS], first[MOST_ARMS], index[MOST_ARMS];
} Bandit;

/* The states of a run: `places` has the slot of each round's state, and `row_in` the row that a slot has. */
typedef struct {
    const int32_t *places, *row_in;
    int64_t rows;
} Walk;

static Bandit start(bitgen_t *rng, const double *means, int K, int s_max)
{
    Bandit b = {.rng = rng, .means = means, .K = K, .s_max = s_max, .weight = 1.0};
    for (int k = 0; k < MOST_ARMS; k++) {
        b.index[k] = k;
        b.first[k] = k * s_max;
        b.cell[k] = b.last[k] = k * s_max + s_max - 1;
    }
    return b;
}

static inline double uniform(bitgen_t *rng) { return rng->next_double(rng->state); }

static inline double pull(Bandit *b, int arm)
{
    double mean = b->means[b->cell[arm]];
    b->total += mean;
    b->discounted += b->weight * mean;
    b->weight *= GAMMA;
    double reward = uniform(b->rng) < mean ? 1.0 : 0.0;
    for (int at = 0; at < b->K; at += LANES)
        for (int k = at; k < at + LANES; k++) {
            int32_t older = b->cell[k] < b->last[k] ? b->cell[k] + 1 : b->last[k];
            b->cell[k] = b->index[k] == arm ? b->first[k] : older;
        }
    return reward;
}

double random_pull(bitgen_t *rng, const double *means, int K, int s_max, int64_t T, Walk walk)
{
    Bandit b = start(rng, means, K, s_max);
    for (int64_t t = 1; t <= T; t++) pull(&b, (int)(uniform(rng) * K));
    return b.total;
}

/* The plan is at hand but for a few rounds: each adds to a count, a mean and two sums of squares. */
double plan_ucb(bitgen_t *rng, const double *means, int K, int s_max, int64_t T, Walk walk)
{
    Bandit b = start(rng, means, K, s_max);
    double *mean = calloc((size_t)K * s_max, sizeof *mean), all = 0.0, squares = 0.0, within = 0.0;
    int64_t *count = calloc((size_t)K * s_max, sizeof *count);
    int arm = 0;
    for (int64_t t = 1; t <= T; t++) {
        int32_t cell = b.cell[arm];
        double reward = pull(&b, arm), away = reward - mean[cell];
        mean[cell] += away / ++count[cell];
        within += away * (reward - mean[cell]);
        away = reward - all;
        all += away / t;
        squares += away * (reward - all);
        /* Which arm follows depends on what was seen: it cannot be known beforehand. */
        arm += 1 + (reward > all);
        arm = arm < K ? arm : arm < 2 * K ? arm - K : 0;
    }
    free(mean);
    free(count);
    return squares < 0.0 || within < 0.0 ? 0.0 : b.total;
}

/* Among equal values one is drawn: that is prescribed, too. */
static inline int best_of(const double *value, int K, bitgen_t *rng)
{
    double top = value[0];
    for (int a = 1; a < K; a++) top = value[a] > top ? value[a] : top;
    int arm = 0, tied = 0;
    for (int a = K - 1; a >= 0; a--) {
        arm = value[a] == top ? a : arm;
        tied += value[a] == top;
    }
    if (tied > 1)
        for (int skip = (int)(uniform(rng) * tied); skip > 0; skip -= value[arm] == top) arm++;
    return arm;
}

/* A tenth of the rounds explores. The visits of the state, one count an arm, are compared, one of them grows, and
 * there is a draw among equals; here it always decides, so that values tie no more often than in a run. `cold`:
 * in the midst of the loop it would make the compiler choose the best value by branches, at twice the time. */
static __attribute__((noinline, cold)) int explore(int32_t *visits, int K, bitgen_t *rng)
{
    int32_t least = visits[0];
    for (int a = 1; a < K; a++) least = visits[a] < least ? visits[a] : least;
    int arm = (int)(uniform(rng) * K);
    visits[arm] += least < 0 ? 2 : 1; /* no count is below 0, which the compiler cannot know */
    return arm;
}

double ss_sarsa(bitgen_t *rng, const double *means, int K, int s_max, int64_t T, Walk walk)
{
    Bandit b = start(rng, means, K, s_max);
    int64_t width = (int64_t)K * s_max;
    double *table = calloc(width * width + walk.rows * K, sizeof *table), value[MOST_ARMS], reward = 0.0;
    int32_t *visits = (int32_t *)(table + width * width);
    int32_t before[MOST_ARMS] = {0};
    int last_arm = -1;
    for (int64_t t = 1; t <= T; t++) {
        int arm;
        if (t <= T / 10) {
            arm = explore(visits + walk.row_in[walk.places[t - 1]] * (int64_t)K, K, rng);
        } else {
            for (int a = 0; a < K; a++) {
                const double *row = table + b.cell[a] * width;
                double sum = 0.0;
                for (int k = 0; k < K; k++) sum += row[b.cell[k]];
                value[a] = sum;
            }
            arm = best_of(value, K, rng);
        }
        if (last_arm >= 0) {
            double alpha = 1.0 / ((double)(t - 1) + T0);
            double *row = table + before[last_arm] * width;
            const double *next = table + b.cell[arm] * width;
            for (int k = 0; k < K; k++) {
                double q = row[before[k]];
                row[before[k]] = q + alpha * (reward + GAMMA * next[b.cell[k]] - q);
            }
        }
        memcpy(before, b.cell, K * sizeof *before);
        last_arm = arm;
        reward = pull(&b, arm);
    }
    free(table);
    return b.total;
}

/* The joint state is found by one read, whose place cannot be known before the arm is; then its row of
 * values is read. Which states there are, and in which order they come, is what a run of the agent met: a
 * walk made up here would soon go in circles, and never wait for memory where the agent has to. */
static double tabular(bitgen_t *rng, const double *means, int K, int s_max, int64_t T, Walk walk,
                      int on_policy)
{
    Bandit b = start(rng, means, K, s_max);
    double *table = calloc(2 * walk.rows * K, sizeof *table), reward = 0.0;
    int32_t *visits = (int32_t *)(table + walk.rows * K);
    int64_t nothing = walk.rows >> 62, last = -1, arm = 0; /* 0, which the compiler cannot know */
    for (int64_t t = 1; t <= T; t++) {
        int64_t row = walk.row_in[walk.places[t - 1] + nothing * arm];
        const double *value = table + row * K;
        double alpha = 1.0 / ((double)(t - 1) + T0), next = value[0];
        arm = t <= T / 10 ? explore(visits + row * K, K, rng) : best_of(value, K, rng);
        if (on_policy)
            next = value[arm];
        else
            for (int a = 1; a < K; a++) next = value[a] > next ? value[a] : next;
        if (last >= 0) table[last] += alpha * (reward + GAMMA * next - table[last]);
        last = row * K + arm;
        reward = pull(&b, (int)arm);
    }
    free(table);
    return b.total;
}

double sarsa(bitgen_t *rng, const double *means, int K, int s_max, int64_t T, Walk walk)
{
    return tabular(rng, means, K, s_max, T, walk, 1);
}

double q_learning(bitgen_t *rng, const double *means, int K, int s_max, int64_t T, Walk walk)
{
    return tabular(rng, means, K, s_max, T, walk, 0);
}

/* ---- dRGP-TS: normal draws, and one rank-one step a reward ----------------------------------- */

/* A normal number by the ziggurat method, as NumPy draws it: almost always one word of random bits, one
 * comparison, one product. Written out here, because a call of NumPy's own function costs more than that. */
#define LAYERS 256
static uint64_t inside[LAYERS];
static double width_of[LAYERS], height[LAYERS];
static const double sign_of[2] = {1.0, -1.0};

__attribute__((constructor)) static void build_ziggurat(void)
{
    const double edge = 3.654152885361009, area = 0.00492867323399, whole = 4503599627370496.0;
    double x = edge, outer = edge, base = area / exp(-0.5 * edge * edge);
    inside[0] = (uint64_t)(edge / base * whole);
    inside[1] = 0;
    width_of[0] = base / whole;
    width_of[LAYERS - 1] = edge / whole;
    height[0] = 1.0;
    height[LAYERS - 1] = exp(-0.5 * edge * edge);
    for (int i = LAYERS - 2; i >= 1; i--) {
        x = sqrt(-2.0 * log(area / x + exp(-0.5 * x * x)));
        inside[i + 1] = (uint64_t)(x / outer * whole);
        outer = x;
        height[i] = exp(-0.5 * x * x);
        width_of[i] = x / whole;
    }
}

static inline double normal(bitgen_t *rng)
{
    for (;;) {
        uint64_t bits = rng->next_uint64(rng->state), at = (bits >> 9) & 0x000fffffffffffff;
        int layer = bits & 0xff;
        double x = (double)(int64_t)at * width_of[layer];
        x *= sign_of[(bits >> 8) & 1]; /* no branch: it would be mispredicted every other time */
        if (at < inside[layer]) return x;
        if (layer == 0) return random_standard_normal(rng); /* the tail: one draw in thousands */
        double drop = (height[layer - 1] - height[layer]) * uniform(rng) + height[layer];
        if (drop < exp(-0.5 * x * x)) return x;
    }
}

typedef struct {
    int width;
    double *mean, *variance, *cov, *column;
} Posterior;

static Posterior prior(int K, int s_max)
{
    int width = (s_max + 3) / 4 * 4;
    Posterior p = {.width = width};
    p.mean = aligned_alloc(64, (size_t)(K * width * (2 + s_max) + width + 8) * 8 / 64 * 64 + 64);
    p.variance = p.mean + K * width;
    p.cov = p.variance + K * width;
    p.column = p.cov + K * width * s_max;
    for (int i = 0; i < K * width; i++) p.mean[i] = 0.0, p.variance[i] = 1.0;
    for (int a = 0; a < K; a++)
        for (int i = 0; i < s_max; i++)
            for (int j = 0; j < width; j++)
                p.cov[(a * s_max + i) * width + j] = exp(-(double)((i - j) * (i - j)) / 12.5);
    return p;
}

static inline void learn(Posterior *p, int s_max, int arm, int s, double reward)
{
    int width = p->width;
    double *restrict mean = p->mean + arm * width, *restrict variance = p->variance + arm * width;
    double *restrict column = p->column;
    double *restrict cov = p->cov + arm * width * s_max;
    double scale = 1.0 / (1.0 + cov[s * width + s]), surprise = (reward - mean[s]) * scale;
    for (int j = 0; j < width; j++) {
        column[j] = cov[s * width + j];
        mean[j] += column[j] * surprise;
        variance[j] -= column[j] * scale * column[j];
    }
    for (int i = 0; i < s_max; i++) {
        double gain = column[i] * scale;
        for (int j = 0; j < width; j++) cov[i * width + j] -= gain * column[j];
    }
}

static inline double drawn_at(const Posterior *p, int at, bitgen_t *rng)
{
    double variance = p->variance[at];
    return p->mean[at] + sqrt(variance > 0.0 ? variance : 0.0) * normal(rng);
}

double rgp_ts_1(bitgen_t *rng, const double *means, int K, int s_max, int64_t T, Walk walk)
{
    Bandit b = start(rng, means, K, s_max);
    Posterior p = prior(K, s_max);
    for (int64_t t = 1; t <= T; t++) {
        int best_arm = 0;
        double best = -INFINITY;
        for (int a = 0; a < K; a++) {
            int at = a * p.width + b.cell[a] - a * s_max;
            double drawn = drawn_at(&p, at, rng);
            best_arm = drawn > best ? a : best_arm;
            best = drawn > best ? drawn : best;
        }
        int s = b.cell[best_arm] - best_arm * s_max;
        learn(&p, s_max, best_arm, s, pull(&b, best_arm));
    }
    free(p.mean);
    return b.total;
}

/* Of two steps the second is best with one of the two best arms, or with the first step's own. */
double rgp_ts_2(bitgen_t *rng, const double *means, int K, int s_max, int64_t T, Walk walk)
{
    Bandit b = start(rng, means, K, s_max);
    Posterior p = prior(K, s_max);
    double now[MOST_ARMS], later[MOST_ARMS], again[MOST_ARMS];
    for (int64_t t = 1; t + 1 <= T; t += 2) {
        for (int a = 0; a < K; a++) {
            int at = a * p.width + b.cell[a] - a * s_max;
            now[a] = drawn_at(&p, at, rng);
        }
        int top = 0, second = 1;
        for (int a = 0; a < K; a++) {
            int at = a * p.width, rested = at + b.cell[a] - a * s_max;
            rested += b.cell[a] < b.last[a];
            later[a] = drawn_at(&p, rested, rng);
            again[a] = drawn_at(&p, at, rng);
            if (a > 0 && later[a] > later[top]) second = top, top = a;
            else if (a > 1 && later[a] > later[second]) second = a;
        }
        double best = -INFINITY;
        int plan[2] = {0, 0};
        for (int a = 0; a < K; a++) {
            int other = a == top ? second : top, after = again[a] > later[other] ? a : other;
            double value = now[a] + (after == a ? again[a] : later[other]);
            plan[0] = value > best ? a : plan[0];
            plan[1] = value > best ? after : plan[1];
            best = value > best ? value : best;
        }
        for (int i = 0; i < 2; i++) {
            int s = b.cell[plan[i]] - plan[i] * s_max;
            learn(&p, s_max, plan[i], s, pull(&b, plan[i]));
        }
    }
    free(p.mean);
    return b.total;
}

/* Nothing but waiting for memory: each place says where to look next. */
int64_t walk_in_memory(const int64_t *next, int64_t steps)
{
    int64_t place = 0;
    while (steps-- > 0) place = next[place];
    return place;
}
