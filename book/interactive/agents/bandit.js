/* The problem: arm a in state s has the mean reward means[a][s - 1]; every arm starts at s_max. */
RB.bandit = function (means, law = "bernoulli", variance = 0.5) {
  const arms = means.length, sMax = means[0].length, sd = Math.sqrt(variance);
  return {
    means, law, arms, sMax,
    start: () => new Array(arms).fill(sMax),
    mean: (state, arm) => means[arm][state[arm] - 1],
    next: (state, arm) => state.map((s, k) => (k === arm ? 1 : Math.min(s + 1, sMax))),
    reward(mean, rng) {
      return law === "normal" ? mean + sd * rng.normal() : rng.uniform() < mean ? 1 : 0;
    },
  };
};

/* One run that can be continued: step() plays a round and says what happened in it. */
RB.run = function (bandit, agent, rng) {
  const run = {
    t: 0,
    state: bandit.start(),
    total: 0, // of expected rewards
    step() {
      const t = ++run.t, state = run.state;
      const arm = agent.act(t, state, rng);
      const mean = bandit.mean(state, arm), reward = bandit.reward(mean, rng);
      const next = bandit.next(state, arm);
      agent.learn(t, state, arm, reward, next);
      run.state = next;
      run.total += mean;
      return { t, state, arm, mean, reward, next };
    },
  };
  return run;
};
