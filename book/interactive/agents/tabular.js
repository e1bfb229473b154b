/* Tabular SARSA and Q-learning over the joint states that are met (rb_core/agents/sarsa.py and
 * q_learning.py). */
function tabular(arms, sMax, rounds, options, act, learn) {
  const { gamma, t0, ...exploration } = { ...RB.EXPLORE_FIRST, ...options };
  const explorer = RB.explorer(arms, sMax, rounds, exploration);
  const q = RB.rows(sMax, arms);
  const memory = {
    gamma, q, last: null,
    choose(t, state, row, rng) {
      if (t > explorer.until) return RB.pickBest(q.values, row, arms, explorer.randomTies, rng);
      return explorer.leastVisited(state, RB.locate(state, sMax), rng);
    },
    update(t, at, target) {
      q.values[at] += (1 / (t + t0)) * (target - q.values[at]);
    },
    act: (t, state, rng) => act(memory, t, state, rng),
    learn: (t, state, arm, reward, next) => learn(memory, t, state, arm, reward, next),
    tables: () => ({ q: q.values.subarray(0, q.used * arms), ...explorer.tables() }),
  };
  return memory;
}

/* On-policy: the update of a round waits until the arm of the next one is known. */
RB.agents.SARSA = {
  make: (arms, sMax, rounds, options) => tabular(arms, sMax, rounds, options,
    (memory, t, state, rng) => {
      const row = memory.q.of(state), arm = memory.choose(t, state, row, rng), last = memory.last;
      if (last) {
        memory.update(t - 1, last.at, last.reward + memory.gamma * memory.q.values[row + arm]);
      }
      memory.last = { at: row + arm };
      return arm;
    },
    (memory, t, state, arm, reward) => { memory.last.reward = reward; }),
};

RB.agents["Q-learning"] = {
  make: (arms, sMax, rounds, options) => tabular(arms, sMax, rounds, options,
    (memory, t, state, rng) => {
      memory.row = memory.q.of(state);
      return memory.choose(t, state, memory.row, rng);
    },
    (memory, t, state, arm, reward, next) => {
      const row = memory.q.of(next);
      let best = memory.q.values[row];
      for (let a = 1; a < arms; a++) best = Math.max(best, memory.q.values[row + a]);
      memory.update(t, memory.row + arm, reward + memory.gamma * best);
    }),
};
