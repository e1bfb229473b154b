/* PlanUCB in C with NumPy's random numbers: one simulation, like those of agents.c. */

#include <stdlib.h>
#include <string.h>

#include <numpy/random/bitgen.h>
#include <numpy/random/distributions.h>

#include "plan_ucb.c"

int64_t plan_ucb(bitgen_t *rng, const double *means, int K, int s_max, int normal, double sd,
                 int64_t T, int16_t *arms, double *learnt, int64_t room, double *total)
{
    int cells = K * s_max;
    void *agent = malloc(plan_ucb_bytes(K, s_max, T));
    int32_t *state = malloc(K * sizeof *state);
    if (!agent || !state) return -1;
    plan_ucb_start(agent, K, s_max, T);
    for (int k = 0; k < K; k++) state[k] = s_max;
    for (int64_t t = 1; t <= T; t++) {
        int arm = plan_ucb_act(agent, t, state);
        double mean = means[arm * s_max + state[arm] - 1];
        double reward = normal ? mean + sd * random_standard_normal(rng)
                               : 1.0 * (rng->next_double(rng->state) < mean);
        plan_ucb_learn(agent, t, state, arm, reward);
        *total += mean;
        if (arms) arms[t - 1] = (int16_t)arm;
        for (int k = 0; k < K; k++) state[k] = state[k] < s_max ? state[k] + 1 : s_max;
        state[arm] = 1;
    }
    for (int i = 0; i < 2 * cells && i < room; i++)
        learnt[i] = i < cells ? plan_ucb_means(agent)[i] : plan_ucb_upper(agent)[i - cells];
    free(agent);
    free(state);
    return T;
}
