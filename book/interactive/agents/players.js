/* Who plays against the reader. */

/* Sees the bars, as the reader does, and takes the highest one; of equal ones the one that has rested longest. */
RB.greedy = function (bandit) {
  return (state) => {
    let best = 0;
    for (let arm = 1; arm < bandit.arms; arm++) {
      const gain = bandit.mean(state, arm) - bandit.mean(state, best);
      if (gain > 0 || (gain === 0 && state[arm] > state[best])) best = arm;
    }
    return best;
  };
};

/* What a learner knows after `rounds` rounds of practice, as a player that explores no more.
 * Returns a function that practises for some milliseconds and says whether it is done. */
RB.practice = function (bandit, name, rounds, seed) {
  const rng = RB.random(seed);
  const agent = RB.agents[name].make(bandit.arms, bandit.sMax, rounds);
  const run = RB.run(bandit, agent, rng);
  return {
    work(milliseconds) {
      const end = performance.now() + milliseconds;
      while (run.t < rounds) {
        for (let i = 0; i < 200 && run.t < rounds; i++) run.step();
        if (performance.now() > end) break;
      }
      return run.t >= rounds;
    },
    share: () => run.t / rounds,
    /* A function of the state, for one game: by a plan from its start on, or by values. */
    player: () => agent.player ? agent.player()
      : (state) => RB.pickBest(agent.values(state), 0, bandit.arms, false, rng),
  };
};
