/* Every arm with the same probability: the yardstick of exploration. */
RB.agents.RandomPull = {
  make: (arms) => ({
    act: (t, state, rng) => Math.floor(rng.uniform() * arms),
    learn() {},
    tables: () => ({}),
  }),
};
