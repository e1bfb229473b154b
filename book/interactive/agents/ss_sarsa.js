/* State-Separated SARSA: the paper's Algorithm 1 (rb_core/agents/ss_sarsa.py). */
RB.agents["SS-SARSA"] = {
  make(arms, sMax, rounds, options) {
    const { gamma, t0, ...exploration } = { ...RB.EXPLORE_FIRST, ...options };
    const explorer = RB.explorer(arms, sMax, rounds, exploration);
    const width = arms * sMax, q = new Float64Array(width * width);
    let last = null; // cells, arm and reward of the last round wait here until a' is known
    let cells = null;
    const memory = {
      q, explorer,
      values: (state) => RB.separatedSums(q, width, RB.locate(state, sMax)),
      act(t, state, rng) {
        cells = RB.locate(state, sMax);
        const arm = t <= explorer.until ? explorer.leastVisited(state, cells, rng)
          : RB.pickBest(RB.separatedSums(q, width, cells), 0, arms, explorer.randomTies, rng);
        memory.updates = []; // for the figure that shows them
        if (last) {
          const alpha = 1 / (t - 1 + t0), row = last.cells[last.arm] * width;
          const nextRow = cells[arm] * width;
          for (let k = 0; k < arms; k++) {
            const before = q[row + last.cells[k]];
            const target = last.reward + gamma * q[nextRow + cells[k]];
            q[row + last.cells[k]] = before + alpha * (target - before);
            memory.updates.push({ k, at: row + last.cells[k], error: target - before });
          }
        }
        return arm;
      },
      learn(t, state, arm, reward) {
        last = { cells, arm, reward };
      },
      tables: () => ({ q, ...explorer.tables() }),
    };
    return memory;
  },
};

RB.agents["SS-SARSA (sep.)"] = {
  make: (arms, sMax, rounds, options) =>
    RB.agents["SS-SARSA"].make(arms, sMax, rounds, { ...options, visits: "separated" }),
};
