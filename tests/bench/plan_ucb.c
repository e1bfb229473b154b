/* PlanUCB in plain C: the second witness of the compiled agent, and what a page can run.
 *
 * Nothing here needs more than arithmetic. A run lives in one block of memory that the
 * caller provides:
 *
 *     plan_ucb_bytes(K, s_max, rounds)          how large a block must be
 *     plan_ucb_start(block, K, s_max, rounds)   before the first round; 0 for an open end
 *     plan_ucb_act(block, t, state)             the arm of round t = 1, 2, ...; K states from 1
 *     plan_ucb_learn(block, t, state, arm, reward)
 *
 * A cell is an arm a in a state s, a * s_max + s - 1. Compile without contraction into fused
 * multiply-adds: they would round differently and break exact ties.
 */

#include <math.h>
#include <stddef.h>
#include <stdint.h>

enum { WIDTH = 16, TRIED = 8, DEPTH = 2, GRID = 7, MOST_STEPS = 100 };
enum { AT_ONCE = 1000, LATER = 20000, PATIENCE = 10 };
static const double TINY = 1e-9, ROUNDING = 1e-12, LN2 = 0.6931471805599453;

typedef struct {
    int K, s_max, nodes, tried, depth, capacity;
    int64_t rounds;
    int64_t *n, *due;                                      /* by cell */
    double *mean, *upper, *advantage;                      /* by cell */
    double *centre, *weight;                               /* by state */
    double all_mean, all_squares, cell_squares;
    int32_t *path, *spare;                                 /* the plan, and room for another */
    int at, loop, end, node;
    int wanted;
    int64_t earliest, latest, searches; /* until round `searches` it searches */
    int32_t *after, *cell, *policy, *label, *way;          /* the graph, if it is small */
    double *gain, *bias;
    int32_t *states, *parent, *arm, *best, *met, *first, *last; /* the beam, otherwise */
    double *cost;
    uint64_t *key, *mark, *name;
} PlanUCB;

/* ---- Memory ---------------------------------------------------------------------------------- */

static size_t carve(size_t *used, size_t bytes)
{
    size_t here = *used;
    *used += (bytes + 15) / 16 * 16;
    return here;
}

/* Logarithm and exponential by arithmetic that every machine rounds alike. */
static double logarithm(double x)
{
    int doublings = 0;
    for (; x >= 1.5; doublings++) x *= 0.5;
    for (; x < 0.75; doublings--) x *= 2.0;
    double y = (x - 1.0) / (x + 1.0), square = y * y, total = 0.0;
    for (int i = 12; i >= 0; i--) total = total * square + 1.0 / (2 * i + 1);
    return doublings * LN2 + 2.0 * y * total;
}

static double exponential(double x) /* of a number that is at most 0 */
{
    if (x < -700.0) return 0.0;
    int halvings = (int)(0.5 - x / LN2);
    double total = 1.0;
    x += halvings * LN2;
    for (int i = 14; i > 0; i--) total = 1.0 + total * x / i;
    for (int i = 0; i < halvings; i++) total *= 0.5;
    return total;
}

/* How many joint states can be met, up to one more than LATER. */
static int reachable(int K, int s_max)
{
    double total = 1.0, ways = 1.0, orders = 1.0;
    for (int m = 1; m <= K && m <= s_max - 1; m++) {
        orders *= K - m + 1;
        if (m > 1) ways *= (double)(s_max - m) / (m - 1);
        total += ways * orders;
        if (total > LATER + 0.5) return LATER + 1;
    }
    return (int)(total + 0.5);
}

/* Lays out everything; with block == NULL only its size. */
static size_t lay_out(PlanUCB *p, uint8_t *block)
{
    size_t cells = (size_t)p->K * p->s_max, used = 0;
    carve(&used, sizeof *p);
#define ROOM(field, count)                                                                         \
    do {                                                                                           \
        size_t here = carve(&used, (size_t)(count) * sizeof *p->field);                     \
        if (block) p->field = (void *)(block + here);                                              \
    } while (0)
    ROOM(n, cells);
    ROOM(due, cells);
    ROOM(mean, cells);
    ROOM(upper, cells);
    ROOM(advantage, cells);
    ROOM(centre, p->s_max);
    ROOM(weight, p->s_max);
    ROOM(path, p->capacity);
    ROOM(spare, p->capacity);
    ROOM(after, (size_t)p->nodes * p->K);
    ROOM(cell, (size_t)p->nodes * p->K);
    ROOM(policy, p->nodes);
    ROOM(label, p->nodes);
    ROOM(way, p->nodes);
    ROOM(gain, p->nodes);
    ROOM(bias, p->nodes);
    ROOM(states, (size_t)2 * WIDTH * p->K);
    ROOM(parent, (size_t)p->depth * WIDTH);
    ROOM(arm, (size_t)p->depth * WIDTH);
    ROOM(best, TRIED + 1);
    ROOM(met, p->K);
    ROOM(first, p->K);
    ROOM(last, p->K);
    ROOM(cost, 2 * WIDTH);
    ROOM(key, 2 * WIDTH);
    ROOM(mark, cells);
    ROOM(name, p->nodes); /* of joint states: the sum of their cells' marks */
#undef ROOM
    return used;
}

static PlanUCB sized(int K, int s_max, int64_t rounds)
{
    PlanUCB p = {.K = K, .s_max = s_max, .rounds = rounds};
    int states = reachable(K, s_max), exact = states <= AT_ONCE;
    p.searches = exact ? 0 : (int64_t)PATIENCE * states;
    p.nodes = exact || (states <= LATER && (!rounds || rounds > p.searches)) ? states : 0;
    p.tried = K < TRIED ? K : TRIED;
    p.depth = exact ? 1 : DEPTH * s_max;
    p.capacity = K > p.nodes ? K : p.nodes;
    if (p.capacity < p.depth) p.capacity = p.depth;
    return p;
}

size_t plan_ucb_bytes(int K, int s_max, int64_t rounds)
{
    PlanUCB p = sized(K, s_max, rounds);
    return lay_out(&p, NULL);
}

/* ---- The graph of joint states --------------------------------------------------------------- */

/* The state of arm k in a node, from its cell. */
static int state_in(const PlanUCB *p, int node, int k)
{
    return p->cell[node * p->K + k] - k * p->s_max + 1;
}

static void build_graph(PlanUCB *p)
{
    int found = 1, K = p->K, s_max = p->s_max;
    for (int k = 0; k < K; k++) {
        p->cell[k] = k * s_max + s_max - 1;
        p->name[0] += p->mark[p->cell[k]];
    }
    for (int node = 0; node < found; node++)
        for (int arm = 0; arm < K; arm++) {
            int last = found < p->nodes ? found : p->nodes - 1, same = -1;
            int32_t *next = p->cell + (size_t)last * K;
            uint64_t name = 0;
            for (int k = 0; k < K; k++) {
                int s = state_in(p, node, k);
                name += p->mark[k * s_max + (k == arm ? 1 : s < s_max ? s + 1 : s_max) - 1];
            }
            for (int other = 0; other < found && same < 0; other++) {
                if (p->name[other] != name) continue;
                same = other;
                for (int k = 0; k < K && same >= 0; k++) {
                    int s = state_in(p, node, k);
                    int older = k == arm ? 1 : s < s_max ? s + 1 : s_max;
                    if (state_in(p, other, k) != older) same = -1;
                }
            }
            if (same < 0) {
                for (int k = 0; k < K; k++) {
                    int s = state_in(p, node, k);
                    next[k] = k * s_max + (k == arm ? 1 : s < s_max ? s + 1 : s_max) - 1;
                }
                p->name[found] = name;
                same = found++;
            }
            p->after[node * K + arm] = same;
        }
}

void plan_ucb_start(void *block, int K, int s_max, int64_t rounds)
{
    uint8_t *bytes = block;
    PlanUCB *p = block, shape = sized(K, s_max, rounds);
    size_t size = lay_out(&shape, NULL);
    for (size_t i = 0; i < size; i++) bytes[i] = 0;
    *p = shape;
    lay_out(p, block);
    for (int i = 0; i < K * s_max; i++) p->due[i] = 1;
    for (int a = 0; a < K; a++) p->path[a] = a; /* at first, every arm in turn */
    p->end = K;
    p->earliest = s_max + 1;
    p->latest = rounds;
    uint64_t x = 88172645463325252u; /* numbers that add up to keys of joint states */
    for (int i = 0; i < K * s_max; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        p->mark[i] = x;
    }
    if (p->nodes) build_graph(p);
}

/* ---- The optimistic table -------------------------------------------------------------------- */

static void centres(PlanUCB *p, double share)
{
    for (int s = 0; s < p->s_max; s++) {
        p->weight[s] = 1.0;
        p->centre[s] = p->all_mean;
    }
    for (int i = 0; i < p->K * p->s_max; i++)
        if (p->n[i] > 0) {
            double part = p->n[i] * share / (p->n[i] + share);
            p->weight[i % p->s_max] += part;
            p->centre[i % p->s_max] += part * p->mean[i];
        }
    for (int s = 0; s < p->s_max; s++) p->centre[s] /= p->weight[s];
}

static double log_likelihood(PlanUCB *p, double share, double noise)
{
    double result = 0.0;
    centres(p, share);
    for (int s = 0; s < p->s_max; s++) {
        if (p->weight[s] <= 1.0) continue;
        double away = p->centre[s] - p->all_mean;
        double total = away * away / noise, product = p->weight[s];
        for (int a = 0; a < p->K; a++) {
            int64_t n = p->n[a * p->s_max + s];
            if (n == 0) continue;
            double variance = 1.0 / share + 1.0 / n;
            away = p->mean[a * p->s_max + s] - p->centre[s];
            total += away * away / (noise * variance);
            product *= variance;
            if (product < 1e-200) {
                total += logarithm(product);
                product = 1.0;
            }
        }
        result -= 0.5 * (total + logarithm(product));
    }
    return result;
}

static double alike(PlanUCB *p, double noise, double most)
{
    double top = -INFINITY, sum = 0.0, ratio = 0.0, share = 1.0;
    for (int i = 0; i < GRID && share <= most; i++, share *= 2.0) {
        double each = log_likelihood(p, share, noise);
        if (each > top) {
            double scale = exponential(top - each);
            sum *= scale;
            ratio *= scale;
            top = each;
        }
        double likely = exponential(each - top);
        sum += likely;
        ratio += likely / share;
    }
    return sum / ratio;
}

static void be_optimistic(PlanUCB *p, int64_t played, int64_t rounds)
{
    int cells = p->K * p->s_max, visited = 0;
    for (int i = 0; i < cells; i++) visited += p->n[i] > 0;
    double spread = p->all_squares / played, noise = 1.0;
    if (spread > 0.0)
        noise = (p->cell_squares + spread) / (played - visited + 1);
    else
        spread = 1.0;
    double most = (double)rounds / cells;
    double share = alike(p, noise, most > 1.0 ? most : 1.0);
    centres(p, share);
    for (int s = 0; s < p->s_max; s++)
        p->weight[s] = share * p->weight[s] / (share + p->weight[s]);
    for (int i = 0; i < cells; i++) {
        int s = i % p->s_max;
        double n = p->n[i] + p->weight[s], known = p->n[i] * p->mean[i];
        double variance = p->n[i] > 0 ? noise : spread > noise ? spread : noise;
        double width = 2.0 * variance * logarithm(1.0 + (double)(rounds - played) / (cells * n)) / n;
        p->upper[i] = (known + p->weight[s] * p->centre[s]) / n + sqrt(width);
    }
}

/* ---- The price of a pull --------------------------------------------------------------------- */

typedef struct {
    double price, bound, slope;
} Dual;

static Dual dual(const PlanUCB *p, double price)
{
    Dual d = {price, price, 1.0};
    for (int a = 0; a < p->K; a++) {
        double best = 0.0;
        int state = 0;
        for (int s = 0; s < p->s_max; s++) {
            double gain = (p->upper[a * p->s_max + s] - price) / (s + 1);
            if (gain > best) {
                best = gain;
                state = s + 1;
            }
        }
        d.bound += best;
        if (state) d.slope -= 1.0 / state;
    }
    return d;
}

static Dual price_of_a_pull(const PlanUCB *p)
{
    double most = p->upper[0], least = p->upper[0];
    for (int i = 0; i < p->K * p->s_max; i++) {
        if (p->upper[i] > most) most = p->upper[i];
        if (p->upper[i] < least) least = p->upper[i];
    }
    Dual high = dual(p, most), low = dual(p, 2 * least - most);
    for (int i = 0; i < 200 && low.slope < 0.0 && high.slope > 0.0; i++) {
        double meet = (low.bound - low.slope * low.price - high.bound + high.slope * high.price)
                      / (high.slope - low.slope);
        if (!(low.price < meet && meet < high.price)) break;
        Dual found = dual(p, meet);
        if (found.slope < 0.0)
            low = found;
        else
            high = found;
    }
    return low.bound < high.bound ? low : high;
}

static void advantages(PlanUCB *p, double price)
{
    for (int a = 0; a < p->K; a++) {
        const double *mean = p->upper + a * p->s_max;
        double *out = p->advantage + a * p->s_max, gain = 0.0;
        for (int s = 0; s < p->s_max; s++) {
            double each = (mean[s] - price) / (s + 1);
            if (each > gain) gain = each;
        }
        if (gain > 0.0) {
            double worth = mean[p->s_max - 1] - price - gain;
            out[p->s_max - 1] = gain;
            for (int s = p->s_max - 2; s >= 0; s--) {
                double pull = mean[s] - price - gain, rest = worth - gain;
                out[s] = pull - rest;
                worth = pull > rest ? pull : rest;
            }
        } else
            for (int s = 0; s < p->s_max; s++) out[s] = mean[s] - price;
    }
}

/* ---- Exact planning: Howard's policy iteration ----------------------------------------------- */

static void settle(PlanUCB *p, int i)
{
    int edge = i * p->K + p->policy[i], next = p->after[edge];
    p->gain[i] = p->gain[next];
    p->bias[i] = p->upper[p->cell[edge]] - p->gain[i] + p->bias[next];
    p->label[i] = 0;
}

static int follower(const PlanUCB *p, int i) { return p->after[i * p->K + p->policy[i]]; }

static double evaluate(PlanUCB *p)
{
    double best = -INFINITY;
    for (int i = 0; i < p->nodes; i++) p->label[i] = -1;
    for (int start = 0; start < p->nodes; start++) {
        int length = 0, i = start;
        for (; p->label[i] == -1; i = follower(p, i)) {
            p->label[i] = -2;
            p->way[length++] = i;
        }
        if (p->label[i] == -2) { /* a new cycle */
            double total = 0.0;
            int count = 0, least = i, j = i;
            do {
                total += p->upper[p->cell[j * p->K + p->policy[j]]];
                count++;
                j = follower(p, j);
                if (j < least) least = j;
            } while (j != i);
            p->gain[least] = total / count;
            p->bias[least] = 0.0;
            p->label[least] = 0;
            if (p->gain[least] > best) best = p->gain[least];
            int from = length - count;
            for (j = least, i = 0; i < count; i++, j = follower(p, j)) p->way[from + i] = j;
            for (i = count - 1; i > 0; i--) settle(p, p->way[from + i]);
            length = from;
        }
        while (length > 0) settle(p, p->way[--length]);
    }
    return best;
}

static int lead_to_the_best(PlanUCB *p, double least)
{
    int behind = 0;
    for (int i = 0; i < p->nodes; i++) {
        p->label[i] = p->gain[i] >= least;
        behind += p->gain[i] < least;
    }
    if (!behind) return 0;
    while (behind > 0)
        for (int i = 0; i < p->nodes; i++)
            for (int a = 0; a < p->K && !p->label[i]; a++)
                if (p->label[p->after[i * p->K + a]]) {
                    p->policy[i] = a;
                    p->label[i] = 1;
                    behind--;
                }
    return 1;
}

static double improve(PlanUCB *p, double tiny)
{
    for (int step = 0; step < MOST_STEPS; step++) {
        int changed = 0;
        if (lead_to_the_best(p, evaluate(p) - tiny)) continue;
        for (int i = 0; i < p->nodes; i++) {
            double own = p->bias[i] + p->gain[i] + tiny;
            for (int a = 0; a < p->K; a++) {
                int edge = i * p->K + a;
                double value = p->upper[p->cell[edge]] + p->bias[p->after[edge]];
                if (value > own) {
                    own = value;
                    p->policy[i] = a;
                    changed = 1;
                }
            }
        }
        if (!changed) break;
    }
    return p->gain[0];
}

/* ---- Beam search ----------------------------------------------------------------------------- */

static int insert(PlanUCB *p, int step, int kept, double cost, uint64_t key, int from, int arm)
{
    double *costs = p->cost + (step + 1) % 2 * WIDTH;
    uint64_t *keys = p->key + (step + 1) % 2 * WIDTH;
    int32_t *parents = p->parent + step * WIDTH, *arms = p->arm + step * WIDTH;
    int at = 0;
    while (at < kept && keys[at] != key) at++;
    if (at < kept) {
        if (costs[at] <= cost) return kept;
    } else if (kept == WIDTH)
        at = WIDTH - 1;
    else
        kept++;
    for (; at > 0 && costs[at - 1] > cost; at--) {
        costs[at] = costs[at - 1];
        keys[at] = keys[at - 1];
        parents[at] = parents[at - 1];
        arms[at] = arms[at - 1];
    }
    costs[at] = cost;
    keys[at] = key;
    parents[at] = from;
    arms[at] = arm;
    return kept;
}

static void least_loss(PlanUCB *p, const int32_t *state)
{
    int K = p->K, s_max = p->s_max, nodes = 1;
    for (int k = 0; k < K; k++) p->states[k] = state[k];
    p->cost[0] = 0.0;
    for (int step = 0; step < p->depth; step++) {
        int32_t *now = p->states + (size_t)(step % 2) * WIDTH * K;
        int32_t *new = p->states + (size_t)((step + 1) % 2) * WIDTH * K;
        int kept = 0;
        for (int i = 0; i < nodes; i++) {
            const int32_t *here = now + i * K;
            double wanted = 0.0;
            uint64_t key = 0;
            int tried = 0;
            for (int k = 0; k < K; k++) {
                double a = p->advantage[k * s_max + here[k] - 1];
                int at = tried, older = here[k] < s_max ? here[k] : s_max - 1;
                if (a > 0.0) wanted += a;
                key += p->mark[k * s_max + older];
                for (; at > 0; at--) {
                    int other = p->best[at - 1];
                    if (p->advantage[other * s_max + here[other] - 1] >= a) break;
                    p->best[at] = other;
                }
                p->best[at] = k;
                if (tried < p->tried) tried++;
            }
            for (int rank = 0; rank < tried; rank++) {
                int k = p->best[rank], older = here[k] < s_max ? here[k] : s_max - 1;
                double cost = p->cost[step % 2 * WIDTH + i]
                              + (wanted - p->advantage[k * s_max + here[k] - 1]);
                if (kept == WIDTH && cost >= p->cost[(step + 1) % 2 * WIDTH + WIDTH - 1]) break;
                kept = insert(p, step, kept, cost,
                              key - p->mark[k * s_max + older] + p->mark[k * s_max], i, k);
            }
        }
        for (int j = 0; j < kept; j++) {
            const int32_t *from = now + p->parent[step * WIDTH + j] * K;
            for (int k = 0; k < K; k++) new[j * K + k] = from[k] < s_max ? from[k] + 1 : s_max;
            new[j * K + p->arm[step * WIDTH + j]] = 1;
        }
        nodes = kept;
    }
    for (int step = p->depth - 1, j = 0; step >= 0; j = p->parent[step * WIDTH + j], step--)
        p->spare[step] = p->arm[step * WIDTH + j];
}

static double paid(const PlanUCB *p, int arm, int gap)
{
    return p->upper[arm * p->s_max + (gap < p->s_max ? gap : p->s_max) - 1];
}

static double best_window(PlanUCB *p, int *start_found, int *end_found)
{
    double best = -INFINITY;
    for (int start = 0; start < p->depth; start++) {
        double inside = 0.0;
        int distinct = 0;
        for (int k = 0; k < p->K; k++) p->first[k] = -1;
        for (int end = start + 1; end <= p->depth; end++) {
            int k = p->spare[end - 1];
            if (p->first[k] < 0) {
                p->first[k] = end - 1;
                p->met[distinct++] = k;
            } else
                inside += paid(p, k, end - 1 - p->last[k]);
            p->last[k] = end - 1;
            double total = inside;
            for (int j = 0; j < distinct; j++) {
                k = p->met[j];
                total += paid(p, k, end - start + p->first[k] - p->last[k]);
            }
            if (total / (end - start) > best) {
                best = total / (end - start);
                *start_found = start;
                *end_found = end;
            }
        }
    }
    return best;
}

/* ---- Rounds ---------------------------------------------------------------------------------- */

static double own_average(PlanUCB *p)
{
    double total = 0.0;
    for (int i = p->loop; i < p->end; i++) p->last[p->path[i]] = i - (p->end - p->loop);
    for (int i = p->loop; i < p->end; i++) {
        total += paid(p, p->path[i], i - p->last[p->path[i]]);
        p->last[p->path[i]] = i;
    }
    return total / (p->end - p->loop);
}

static void plan_anew(PlanUCB *p, int64_t t, const int32_t *state)
{
    int start = 0, end = 0;
    double average;
    int64_t rounds = p->rounds; /* 0 for an open end: as many are to come as were played */
    if (!rounds) rounds = 2 * (t - 1 > p->K * p->s_max ? t - 1 : p->K * p->s_max);
    be_optimistic(p, t - 1, rounds);
    for (int i = 0; i < p->K * p->s_max; i++) p->due[i] = p->n[i] + 1 + p->n[i] / 10;
    p->wanted = 0;
    p->earliest = t + p->s_max;
    p->latest = t + (rounds - t) / 2 + 1;

    Dual found = price_of_a_pull(p);
    double low = p->upper[0], high = low, own = own_average(p);
    for (int i = 1; i < p->K * p->s_max; i++) {
        low = fmin(low, p->upper[i]);
        high = fmax(high, p->upper[i]);
    }
    double tiny = TINY * (high - low) + ROUNDING * (fabs(found.bound) + fabs(found.price));
    if (own >= found.bound - tiny) return;
    if (p->nodes && t > p->searches) {
        int node = p->node;
        average = improve(p, tiny);
        for (int i = 0; i < p->nodes; i++) p->label[i] = -1;
        for (; p->label[node] < 0; node = follower(p, node)) {
            p->label[node] = end;
            p->spare[end++] = p->policy[node];
        }
        start = p->label[node];
    } else {
        advantages(p, found.price);
        least_loss(p, state);
        average = best_window(p, &start, &end);
    }
    if (average > own + tiny) {
        for (int i = 0; i < end; i++) p->path[i] = p->spare[i];
        p->at = 0;
        p->loop = start;
        p->end = end;
    }
}

int plan_ucb_act(void *block, int64_t t, const int32_t *state)
{
    PlanUCB *p = block;
    if ((p->wanted || t >= p->latest) && t >= p->earliest) plan_anew(p, t, state);
    int arm = p->path[p->at];
    p->at = p->at + 1 < p->end ? p->at + 1 : p->loop;
    return arm;
}

void plan_ucb_learn(void *block, int64_t t, const int32_t *state, int arm, double reward)
{
    PlanUCB *p = block;
    int i = arm * p->s_max + state[arm] - 1;
    double surprise = reward - p->mean[i];
    p->n[i]++;
    p->mean[i] += surprise / p->n[i];
    p->cell_squares += surprise * (reward - p->mean[i]);
    surprise = reward - p->all_mean;
    p->all_mean += surprise / t;
    p->all_squares += surprise * (reward - p->all_mean);
    if (p->n[i] >= p->due[i]) p->wanted = 1;
    if (p->nodes) p->node = p->after[p->node * p->K + arm];
}

/* The optimistic means, and the means of the rewards seen; K x s_max numbers each. */
const double *plan_ucb_upper(void *block) { return ((PlanUCB *)block)->upper; }
const double *plan_ucb_means(void *block) { return ((PlanUCB *)block)->mean; }
