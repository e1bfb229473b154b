/* The agents in plain C, as the fast side of a fair comparison.
 *
 * Each exported function plays one simulation and returns the number of rounds played, or -1 when
 * memory runs out. What it knows at the end is copied into `learnt`, as far as `room` numbers go.
 * Random numbers come from NumPy's own generator and distributions, so that the same seed gives the
 * same arms as the other implementations, draw for draw. Compile without contraction into fused
 * multiply-adds: they would round differently and break exact ties.
 *
 * One numbering serves everything: an arm a at age s is the cell a * s_max + (s - 1). The state of
 * the bandit is the array of the K cells its arms are in; cells index the expected rewards and,
 * in pairs, the SS-Q-functions.
 */

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <numpy/random/bitgen.h>
#include <numpy/random/distributions.h>

#define LANES 8 /* cell arrays are padded to this, so that a transition is all vector code */
#define ALIGNMENT 64

static size_t padded(size_t count, size_t lanes) { return (count + lanes - 1) / lanes * lanes; }

static void *zeros(size_t count, size_t size)
{
    size_t bytes = padded(count * size, ALIGNMENT);
    void *memory = aligned_alloc(ALIGNMENT, bytes ? bytes : ALIGNMENT);
    if (memory) memset(memory, 0, bytes);
    return memory;
}

static void copy_out(double *learnt, int64_t room, const double *from, int64_t count)
{
    if (room > 0) memcpy(learnt, from, (count < room ? count : room) * sizeof *learnt);
}

/* ---- The bandit ------------------------------------------------------------------------------ */

typedef struct {
    bitgen_t *rng;
    const double *means;
    int K, s_max, normal;
    double sd;
    int16_t *arms; /* where to note the arms pulled, or NULL */
    double total;  /* sum of expected rewards */
    /* cell is the state of this round; advance() writes the next one into the other buffer, since
     * the learners look at both. */
    int32_t *cell, *next_cell, *first, *last, *index, *memory;
} Bandit;

static int bandit_open(Bandit *b, bitgen_t *rng, const double *means, int K, int s_max, int normal,
                       double sd, int16_t *arms)
{
    size_t width = padded(K, LANES);
    *b = (Bandit){.rng = rng, .means = means, .K = K, .s_max = s_max, .normal = normal, .sd = sd,
                  .arms = arms};
    b->cell = b->memory = zeros(5 * width, sizeof *b->cell);
    if (!b->memory) return 0;
    b->next_cell = b->cell + width;
    b->first = b->cell + 2 * width;
    b->last = b->cell + 3 * width;
    b->index = b->cell + 4 * width;
    for (size_t k = 0; k < width; k++) {
        b->index[k] = k;
        if (k >= (size_t)K) continue;
        b->first[k] = k * s_max;
        b->cell[k] = b->last[k] = k * s_max + s_max - 1;
    }
    return 1;
}

/* next_cell: the pulled arm at age 1, the others a round older up to s_max. The pulled arm is set
 * by comparison, not by a store of its own: a vector load right after a scalar store stalls. */
static inline void advance(Bandit *b, int arm)
{
    for (int start = 0; start < b->K; start += LANES)
        for (int k = start; k < start + LANES; k++) {
            int32_t older = b->cell[k] < b->last[k] ? b->cell[k] + 1 : b->last[k];
            b->next_cell[k] = b->index[k] == arm ? b->first[k] : older;
        }
}

static inline void enter_next_state(Bandit *b)
{
    int32_t *left = b->cell;
    b->cell = b->next_cell;
    b->next_cell = left;
}

static inline double uniform(bitgen_t *rng) { return rng->next_double(rng->state); }

static inline double pull(Bandit *b, int64_t t, int arm)
{
    double mean = b->means[b->cell[arm]];
    b->total += mean;
    if (b->arms) b->arms[t - 1] = (int16_t)arm;
    if (b->normal) return mean + b->sd * random_standard_normal(b->rng);
    return uniform(b->rng) < mean ? 1.0 : 0.0;
}

/* ---- Choosing among equal candidates --------------------------------------------------------- */

/* An arm whose entry equals `best`: the first, or a random one (drawn only if there are more). */
#define DEFINE_PICK(NAME, TYPE)                                                                    \
    static inline int NAME(const TYPE *entry, TYPE best, int K, int random_ties, bitgen_t *rng)    \
    {                                                                                              \
        int arm = 0, equal = 0;                                                                    \
        for (int a = K - 1; a >= 0; a--) {                                                         \
            arm = entry[a] == best ? a : arm;                                                      \
            equal += entry[a] == best;                                                             \
        }                                                                                          \
        if (equal == 1 || !random_ties) return arm;                                                \
        int skip = (int)(uniform(rng) * equal);                                                    \
        for (arm = 0; entry[arm] != best || skip-- > 0; arm++) {}                                  \
        return arm;                                                                                \
    }
DEFINE_PICK(pick_value, double)
DEFINE_PICK(pick_count, uint32_t)

static inline double largest(const double *entry, int K)
{
    double best = entry[0];
    for (int a = 1; a < K; a++) best = entry[a] > best ? entry[a] : best;
    return best;
}

static inline int arm_of_largest(const double *value, int K, int random_ties, bitgen_t *rng)
{
    return pick_value(value, largest(value, K), K, random_ties, rng);
}

static inline int arm_of_least(const uint32_t *count, int K, int random_ties, bitgen_t *rng)
{
    uint32_t best = count[0];
    for (int a = 1; a < K; a++) best = count[a] < best ? count[a] : best;
    return pick_count(count, best, K, random_ties, rng);
}

/* ---- Joint states met so far: an open-addressing hash table ---------------------------------- */

typedef struct {
    uint64_t key;
    int64_t row;
} Slot;

#define EMPTY UINT64_MAX

/* Slots hold the keys; what belongs to a state sits in row-per-state arrays beside them, whose row
 * numbers stay valid when the slots are rebuilt. A row is zeroed when its state is met, so that
 * memory is touched once. values or counts is NULL if not asked for. */
typedef struct {
    int K;
    uint64_t *power, key_of_zero;
    Slot *slot;
    int shift; /* 64 - log2(number of slots) */
    int64_t used, room;
    double *values;
    uint32_t *counts;
} States;

static inline uint64_t slot_count(const States *s) { return (uint64_t)1 << (64 - s->shift); }

/* The high bits of the product depend on all digits of the key. */
static inline uint64_t home(const States *s, uint64_t key)
{
    return (key * UINT64_C(0x9E3779B97F4A7C15)) >> s->shift;
}

static Slot *empty_slots(uint64_t count)
{
    Slot *slot = malloc(count * sizeof *slot);
    if (slot) memset(slot, 0xFF, count * sizeof *slot);
    return slot;
}

static int states_open(States *s, int K, int s_max, int with_values, int with_counts)
{
    *s = (States){.K = K, .shift = 64 - 10, .room = 512};
    s->power = malloc(K * sizeof *s->power);
    s->slot = empty_slots(slot_count(s));
    if (with_values) s->values = malloc(s->room * K * sizeof *s->values);
    if (with_counts) s->counts = malloc(s->room * K * sizeof *s->counts);
    if (!s->power || !s->slot || (with_values && !s->values) || (with_counts && !s->counts))
        return 0;
    uint64_t power = 1;
    for (int k = 0; k < K; k++, power *= s_max) {
        s->power[k] = power;
        s->key_of_zero -= power * (uint64_t)k * s_max; /* cells of arm k start at k * s_max */
    }
    return 1;
}

static void states_close(States *s)
{
    free(s->power);
    free(s->slot);
    free(s->values);
    free(s->counts);
}

/* The state as one integer with K digits of base s_max. */
static inline uint64_t key_of(const States *s, const int32_t *cell)
{
    uint64_t key = s->key_of_zero;
    for (int k = 0; k < s->K; k++) key += s->power[k] * (uint64_t)cell[k];
    return key;
}

static int widen(void **rows, size_t bytes)
{
    if (!*rows) return 1;
    void *wider = realloc(*rows, bytes);
    if (wider) *rows = wider;
    return wider != NULL;
}

static int states_double(States *s)
{
    if (!widen((void **)&s->values, 2 * s->room * s->K * sizeof *s->values)) return 0;
    if (!widen((void **)&s->counts, 2 * s->room * s->K * sizeof *s->counts)) return 0;
    uint64_t old_count = slot_count(s);
    Slot *old = s->slot, *wider = empty_slots(2 * old_count);
    if (!wider) return 0;
    s->slot = wider;
    s->shift--;
    s->room *= 2;
    uint64_t mask = slot_count(s) - 1;
    for (uint64_t i = 0; i < old_count; i++) {
        if (old[i].key == EMPTY) continue;
        uint64_t at = home(s, old[i].key);
        while (wider[at].key != EMPTY) at = (at + 1) & mask;
        wider[at] = old[i];
    }
    free(old);
    return 1;
}

/* The row of a state, which gets one of zeros when it is new; -1 when out of memory. */
static inline int64_t row_of(States *s, uint64_t key)
{
    uint64_t mask = slot_count(s) - 1, at = home(s, key);
    for (; s->slot[at].key != key; at = (at + 1) & mask) {
        if (s->slot[at].key != EMPTY) continue;
        if (s->used == s->room) return states_double(s) ? row_of(s, key) : -1;
        s->slot[at] = (Slot){key, s->used};
        if (s->values) memset(s->values + s->used * s->K, 0, s->K * sizeof *s->values);
        if (s->counts) memset(s->counts + s->used * s->K, 0, s->K * sizeof *s->counts);
        s->used++;
        break;
    }
    return s->slot[at].row;
}

/* ---- Visit counts per (k, s_k, s_a, a) ------------------------------------------------------- */

static inline int explore_separated(uint32_t *table, uint32_t *sums, const Bandit *b,
                                    int random_ties)
{
    int K = b->K;
    size_t cells = (size_t)K * b->s_max;
    for (int a = 0; a < K; a++) {
        const uint32_t *row = table + b->cell[a] * cells;
        uint32_t sum = 0;
        for (int k = 0; k < K; k++) sum += row[b->cell[k]];
        sums[a] = sum;
    }
    int arm = arm_of_least(sums, K, random_ties, b->rng);
    uint32_t *row = table + b->cell[arm] * cells;
    for (int k = 0; k < K; k++) row[b->cell[k]]++;
    return arm;
}

static inline int explore_joint(uint32_t *counts, const Bandit *b, int random_ties)
{
    int arm = arm_of_least(counts, b->K, random_ties, b->rng);
    counts[arm]++;
    return arm;
}

/* ---- SS-SARSA -------------------------------------------------------------------------------- */

/* Q[cell of the pulled arm a][cell of arm k]: the K numbers that one arm's value sums, and that one
 * round updates, lie in one row. */

/* The value of every arm, K times the combined Q: sums over k in this order. Two arms at a time, so
 * that each cell number is read once for both and their chains of additions overlap. */
static inline void values_of_arms(double *value, const double *Q, size_t cells, const int32_t *cell,
                                  int K)
{
    for (int a = 0; a < K; a += 2) {
        int other = a + 1 < K ? a + 1 : a;
        const double *row = Q + cell[a] * cells, *other_row = Q + cell[other] * cells;
        double sum = row[cell[0]], other_sum = other_row[cell[0]];
        for (int k = 1; k < K; k++) {
            sum += row[cell[k]];
            other_sum += other_row[cell[k]];
        }
        value[a] = sum;
        value[other] = other_sum;
    }
}

static inline void ss_update(double *row, const int32_t *cell, const double *next_row,
                             const int32_t *next_cell, int K, double alpha, double reward,
                             double gamma)
{
    for (int k = 0; k < K; k++) {
        double q = row[cell[k]];
        row[cell[k]] = q + alpha * ((reward + gamma * next_row[next_cell[k]]) - q);
    }
}

int64_t ss_sarsa(bitgen_t *rng, const double *means, int K, int s_max, int normal, double sd,
                 int64_t T, double gamma, double t0, int64_t E, int random_ties, int separated,
                 int16_t *arms, double *learnt, int64_t room,
                 double *total)
{
    Bandit b;
    States states = {0};
    size_t cells = (size_t)K * s_max;
    double *Q = zeros(cells * cells, sizeof *Q), *value = zeros(K, sizeof *value);
    uint32_t *sums = zeros(K, sizeof *sums);
    uint32_t *table = separated ? zeros(cells * cells, sizeof *table) : NULL;
    int64_t t = -1;
    int ready = bandit_open(&b, rng, means, K, s_max, normal, sd, arms);
    if (!ready || !Q || !value || !sums || (separated && !table)) goto done;
    if (!separated && !states_open(&states, K, s_max, 0, 1)) goto done;

    double *row_before = NULL, reward = 0.0;
    for (t = 1; t <= T; t++) {
        int arm;
        if (t > E) {
            values_of_arms(value, Q, cells, b.cell, K);
            arm = arm_of_largest(value, K, random_ties, rng);
        } else if (separated) {
            arm = explore_separated(table, sums, &b, random_ties);
        } else {
            int64_t at = row_of(&states, key_of(&states, b.cell));
            if (at < 0) {
                t = -1;
                goto done;
            }
            arm = explore_joint(states.counts + at * K, &b, random_ties);
        }
        double *row = Q + b.cell[arm] * cells;
        /* The other buffer still holds the state before: learn from the round before, now that
         * its next arm is known. */
        if (t > 1)
            ss_update(row_before, b.next_cell, row, b.cell, K, 1.0 / ((double)(t - 1) + t0), reward,
                      gamma);
        reward = pull(&b, t, arm);
        advance(&b, arm);
        enter_next_state(&b);
        row_before = row;
    }
    t = T;
    *total = b.total;
    copy_out(learnt, room, Q, cells * cells);
done:
    free(Q);
    free(value);
    free(sums);
    free(table);
    states_close(&states);
    free(b.memory);
    return t;
}

/* ---- Tabular SARSA and Q-learning ------------------------------------------------------------ */

static inline int64_t tabular(bitgen_t *rng, const double *means, int K, int s_max, int normal,
                              double sd, int64_t T, double gamma, double t0, int64_t E,
                              int random_ties, int separated, int16_t *arms, double *learnt,
                              int64_t room, double *total, int on_policy)
{
    Bandit b;
    States states = {0};
    size_t cells = (size_t)K * s_max;
    uint32_t *sums = zeros(K, sizeof *sums);
    uint32_t *table = separated ? zeros(cells * cells, sizeof *table) : NULL;
    int64_t t = -1;
    int ready = bandit_open(&b, rng, means, K, s_max, normal, sd, arms);
    if (!ready || !sums || (separated && !table)) goto done;
    if (!states_open(&states, K, s_max, 1, !separated)) goto done;

    int64_t at = row_of(&states, key_of(&states, b.cell));
    int64_t learning = -1; /* where in values the round before is to be learnt */
    double reward = 0.0;
    for (t = 1; t <= T; t++) {
        int arm;
        double *value = states.values + at * K;
        double alpha = 1.0 / ((double)(t - 1) + t0); /* that of the round before */
        if (!on_policy && learning >= 0) {
            double *q = states.values + learning;
            *q = *q + alpha * ((reward + gamma * largest(value, K)) - *q);
        }
        if (t > E)
            arm = arm_of_largest(value, K, random_ties, rng);
        else if (separated)
            arm = explore_separated(table, sums, &b, random_ties);
        else
            arm = explore_joint(states.counts + at * K, &b, random_ties);
        if (on_policy && learning >= 0) {
            double *q = states.values + learning;
            *q = *q + alpha * ((reward + gamma * value[arm]) - *q);
        }
        learning = at * K + arm;
        /* The slot of the next state is on its way from memory while the reward is drawn. */
        advance(&b, arm);
        uint64_t key = key_of(&states, b.next_cell);
        __builtin_prefetch(states.slot + home(&states, key));
        reward = pull(&b, t, arm);
        enter_next_state(&b);
        at = row_of(&states, key);
        if (at < 0) {
            t = -1;
            goto done;
        }
    }
    if (!on_policy) { /* the last round is learnt without an arm to follow */
        double *q = states.values + learning, best = largest(states.values + at * K, K);
        *q = *q + 1.0 / ((double)T + t0) * ((reward + gamma * best) - *q);
    }
    t = T;
    *total = b.total;
    copy_out(learnt, room, states.values, states.used * K); /* a row for each state, as met */
done:
    free(sums);
    free(table);
    states_close(&states);
    free(b.memory);
    return t;
}

int64_t sarsa(bitgen_t *rng, const double *means, int K, int s_max, int normal, double sd,
              int64_t T, double gamma, double t0, int64_t E, int random_ties, int separated,
              int16_t *arms, double *learnt, int64_t room,
                 double *total)
{
    return tabular(rng, means, K, s_max, normal, sd, T, gamma, t0, E, random_ties, separated, arms,
                   learnt, room, total, 1);
}

int64_t q_learning(bitgen_t *rng, const double *means, int K, int s_max, int normal, double sd,
                   int64_t T, double gamma, double t0, int64_t E, int random_ties, int separated,
                   int16_t *arms, double *learnt, int64_t room,
                 double *total)
{
    return tabular(rng, means, K, s_max, normal, sd, T, gamma, t0, E, random_ties, separated, arms,
                   learnt, room, total, 0);
}

/* ---- dRGP-TS --------------------------------------------------------------------------------- */

/* The posterior of every arm over its ages, in rows of `width` numbers (s_max padded to whole
 * vectors; the padding stays zero). The variances are kept apart from the covariances they are the
 * diagonal of, so that their square roots are vector code. */
typedef struct {
    int s_max, width;
    double noise; /* variance of the noise */
    double *mean, *variance, *sd, *cov, *k;
} Posteriors;

#define GP_LANES 4

static int posteriors_open(Posteriors *p, int K, int s_max, double sigma, double length_scale)
{
    size_t width = padded(s_max, GP_LANES), row = K * width;
    *p = (Posteriors){.s_max = s_max, .width = width, .noise = sigma * sigma};
    p->mean = zeros(3 * row + s_max * row + width, sizeof(double));
    if (!p->mean) return 0;
    p->variance = p->mean + row;
    p->sd = p->variance + row;
    p->cov = p->sd + row;
    p->k = p->cov + s_max * row;
    for (int a = 0; a < K; a++)
        for (int i = 0; i < s_max; i++) {
            p->variance[a * width + i] = p->sd[a * width + i] = 1.0;
            for (int j = 0; j < s_max; j++)
                p->cov[(a * s_max + i) * width + j] =
                    exp(-(double)((i - j) * (i - j)) / (2.0 * (length_scale * length_scale)));
        }
    return 1;
}

/* Condition an arm on a reward at age index s: a change of rank one, s_max^2 operations. */
static inline void observe(const Posteriors *p, int arm, int s, double reward)
{
    int s_max = p->s_max, width = p->width;
    size_t start = (size_t)arm * width;
    double *restrict mean = p->mean + start, *restrict variance = p->variance + start;
    double *restrict sd = p->sd + start, *restrict cov = p->cov + start * s_max;
    double *restrict k = p->k;
    for (int j = 0; j < width; j++) k[j] = cov[s * width + j];
    double scale = 1.0 / (k[s] + p->noise), surprise = (reward - mean[s]) * scale;
    for (int j = 0; j < width; j++) {
        mean[j] += surprise * k[j];
        variance[j] -= scale * k[j] * k[j];
        sd[j] = sqrt(variance[j] > 0.0 ? variance[j] : 0.0);
    }
    for (int i = 0; i < s_max; i++) {
        double gain = scale * k[i];
        for (int j = 0; j < width; j++) cov[i * width + j] -= gain * k[j];
    }
}

/* The sampled rewards of one block and the search for its best sequence of arms. Step i has, per
 * arm, lags[i] samples: entry 0 for an arm not yet pulled in the block (or so long ago that it is
 * back at s_max), entry j for an arm pulled j steps ago. */
typedef struct {
    int K, d;
    int *lags, *last_pull, *sequence, *best_sequence;
    double **sample, best;
} Search;

#define LONG_AGO (-(1 << 24))

static int search_open(Search *x, int K, int s_max, int d)
{
    *x = (Search){.K = K, .d = d};
    x->lags = malloc((3 * d + K) * sizeof *x->lags);
    x->sample = malloc((d + 1) * sizeof *x->sample);
    if (!x->lags || !x->sample) return 0;
    x->sequence = x->lags + d;
    x->best_sequence = x->lags + 2 * d;
    x->last_pull = x->lags + 3 * d;
    size_t draws = 0;
    for (int i = 0; i < d; i++) {
        x->lags[i] = (i < s_max - 1 ? i : s_max - 1) + 1;
        draws += (size_t)K * x->lags[i];
    }
    x->sample[0] = malloc(draws * sizeof(double));
    if (!x->sample[0]) return 0;
    for (int i = 0; i < d; i++) x->sample[i + 1] = x->sample[i] + (size_t)K * x->lags[i];
    for (int a = 0; a < K; a++) x->last_pull[a] = LONG_AGO;
    return 1;
}

static void search_close(Search *x)
{
    if (x->sample) free(x->sample[0]);
    free(x->sample);
    free(x->lags);
}

static inline void draw_samples(Search *x, const Posteriors *p, const Bandit *b)
{
    int s_max = p->s_max, width = p->width;
    random_standard_normal_fill(b->rng, x->sample[x->d] - x->sample[0], x->sample[0]);
    for (int i = 0; i < x->d; i++) {
        double *sample = x->sample[i];
        for (int a = 0; a < x->K; a++) {
            const double *mean = p->mean + (size_t)a * width, *sd = p->sd + (size_t)a * width;
            int s = b->cell[a] - a * s_max + i;
            s = s < s_max ? s : s_max - 1;
            *sample = mean[s] + sd[s] * *sample;
            sample++;
            for (int j = 1; j < x->lags[i]; j++, sample++)
                *sample = mean[j - 1] + sd[j - 1] * *sample;
        }
    }
}

static inline double sample_of(const Search *x, int step, int arm)
{
    int lag = step - x->last_pull[arm], lags = x->lags[step];
    return x->sample[step][arm * lags + (lag < lags ? lag : 0)];
}

/* Tries all sequences that begin with the first `step` arms of x->sequence, worth `total`. They
 * come in lexicographic order, and only a larger total replaces the best one. Not inlined, so that
 * the recursion takes no registers from the loop over rounds. */
static __attribute__((noinline)) void extend(Search *x, int step, double total)
{
    int K = x->K;
    if (step == x->d - 1) {
        double best = x->best;
        int best_arm = -1;
        for (int a = 0; a < K; a++) {
            double candidate = total + sample_of(x, step, a);
            best_arm = candidate > best ? a : best_arm;
            best = candidate > best ? candidate : best;
        }
        if (best_arm < 0) return;
        x->best = best;
        x->sequence[step] = best_arm;
        memcpy(x->best_sequence, x->sequence, x->d * sizeof *x->sequence);
        return;
    }
    for (int a = 0; a < K; a++) {
        double longer = total + sample_of(x, step, a);
        int before = x->last_pull[a];
        x->last_pull[a] = step;
        x->sequence[step] = a;
        extend(x, step + 1, longer);
        x->last_pull[a] = before;
    }
}

/* Blocks of one round need no search: draw, compare, forget. */
static inline int best_arm_now(double *z, const Posteriors *p, const Bandit *b)
{
    int K = b->K, best_arm = 0;
    double best = -INFINITY;
    random_standard_normal_fill(b->rng, K, z);
    for (int a = 0; a < K; a++) {
        int at = a * p->width + b->cell[a] - b->first[a];
        double candidate = p->mean[at] + p->sd[at] * z[a];
        best_arm = candidate > best ? a : best_arm;
        best = candidate > best ? candidate : best;
    }
    return best_arm;
}

static inline void plan_block(Search *x, const Posteriors *p, const Bandit *b)
{
    if (x->d == 1) {
        x->best_sequence[0] = best_arm_now(x->sample[0], p, b);
        return;
    }
    draw_samples(x, p, b);
    x->best = -INFINITY;
    extend(x, 0, 0.0);
}

int64_t rgp_ts(bitgen_t *rng, const double *means, int K, int s_max, int normal, double sd,
               int64_t T, int lookahead, double sigma, double length_scale, int16_t *arms,
               double *learnt, int64_t room, double *total)
{
    Bandit b;
    Posteriors p;
    Search x;
    int64_t t = -1;
    int playing = bandit_open(&b, rng, means, K, s_max, normal, sd, arms);
    int learning = posteriors_open(&p, K, s_max, sigma, length_scale);
    int searching = search_open(&x, K, s_max, lookahead);
    if (!playing || !learning || !searching) goto done;
    for (t = 1; t <= T;) {
        plan_block(&x, &p, &b);
        for (int i = 0; i < lookahead && t <= T; i++, t++) {
            int arm = x.best_sequence[i];
            int s = b.cell[arm] - arm * s_max;
            observe(&p, arm, s, pull(&b, t, arm));
            advance(&b, arm);
            enter_next_state(&b);
        }
    }
    t = T;
    *total = b.total;
    for (int64_t row = 0; row < (int64_t)K * (1 + s_max); row++) { /* means, then covariances */
        const double *from = row < K ? p.mean + row * p.width : p.cov + (row - K) * p.width;
        copy_out(learnt + row * s_max, room - row * s_max, from, s_max);
    }
done:
    free(p.mean);
    search_close(&x);
    free(b.memory);
    return t;
}

/* ---- Random pulls ---------------------------------------------------------------------------- */

int64_t random_pull(bitgen_t *rng, const double *means, int K, int s_max, int normal, double sd,
                    int64_t T, int16_t *arms, double *learnt, int64_t room,
                 double *total)
{
    Bandit b;
    if (!bandit_open(&b, rng, means, K, s_max, normal, sd, arms)) return -1;
    for (int64_t t = 1; t <= T; t++) {
        int arm = (int)(uniform(rng) * K);
        pull(&b, t, arm);
        advance(&b, arm);
        enter_next_state(&b);
    }
    *total = b.total;
    free(b.memory);
    return T;
}
