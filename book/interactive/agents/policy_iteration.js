/* Exact planning again and again on one graph (rb_core/policy_iteration.py): for each new table of
 * means, the last best policy is improved. Node 0 is the start. */
RB.knownGraph = function (arms, sMax) {
  const states = [new Array(arms).fill(sMax)], index = new Map([[states[0].join(), 0]]), after = [];
  for (let at = 0; at < states.length; at++) { // grows while it is read: breadth first
    const older = states[at].map((s) => Math.min(s + 1, sMax));
    after.push(older.map((_, arm) => {
      const next = older.map((s, k) => (k === arm ? 1 : s)), key = next.join();
      if (!index.has(key)) index.set(key, states.push(next) - 1);
      return index.get(key);
    }));
  }
  const cell = states.map((state) => RB.locate(state, sMax)), nodes = states.length;
  const policy = new Int32Array(nodes), label = new Int32Array(nodes), way = new Int32Array(nodes);
  const gain = new Float64Array(nodes), bias = new Float64Array(nodes);
  const follower = (i) => after[i][policy[i]];

  /* Gain and bias of a node from those of the node that follows. */
  function settle(means, i) {
    const following = follower(i);
    gain[i] = gain[following];
    bias[i] = means[cell[i][policy[i]]] - gain[i] + bias[following];
    label[i] = 0;
  }

  /* Those of all nodes; returns the largest gain. The bias is 0 in a cycle's smallest node. */
  function evaluate(means) {
    let best = -Infinity;
    label.fill(-1);
    for (let start = 0; start < nodes; start++) {
      let length = 0, i = start;
      for (; label[i] === -1; i = follower(i)) {
        label[i] = -2; // on the way
        way[length++] = i;
      }
      if (label[i] === -2) { // a new cycle
        let total = 0, count = 0, least = i, j = i;
        do {
          total += means[cell[j][policy[j]]];
          count++;
          j = follower(j);
          least = Math.min(least, j);
        } while (j !== i);
        best = Math.max(best, total / count);
        [gain[least], bias[least], label[least]] = [total / count, 0, 0];
        length -= count;
        j = least;
        for (let step = 0; step < count; step++, j = follower(j)) way[length + step] = j;
        for (let step = count - 1; step > 0; step--) settle(means, way[length + step]);
      }
      while (length > 0) settle(means, way[--length]);
    }
    return best;
  }

  /* Lets every node whose gain is below `least` go where it is not; returns if one was. */
  function leadToTheBest(least) {
    let behind = 0;
    for (let i = 0; i < nodes; i++) {
      label[i] = gain[i] >= least ? 1 : 0;
      behind += 1 - label[i];
    }
    if (behind === 0) return false;
    while (behind > 0) {
      for (let i = 0; i < nodes; i++) {
        const arm = label[i] === 0 ? after[i].findIndex((next) => label[next] === 1) : -1;
        if (arm < 0) continue;
        [policy[i], label[i]] = [arm, 1];
        behind--;
      }
    }
    return true;
  }

  return {
    after: (node, arm) => after[node][arm],

    /* Makes the policy best for `means`, up to `tiny`; returns its average. */
    improve(means, tiny) {
      for (let step = 0; step < 100; step++) { // a few are enough
        if (leadToTheBest(evaluate(means) - tiny)) continue;
        let changed = false;
        for (let i = 0; i < nodes; i++) {
          let own = bias[i] + gain[i] + tiny;
          for (let a = 0; a < arms; a++) {
            const value = means[cell[i][a]] + bias[after[i][a]];
            if (value > own) [own, policy[i], changed] = [value, a, true];
          }
        }
        if (!changed) break;
      }
      return gain[0];
    },

    /* The arms that the policy pulls from `node` on, until a node comes again, and where in them
     * the cycle begins. */
    follow(node) {
      const path = [];
      label.fill(-1);
      for (; label[node] < 0; node = follower(node)) {
        label[node] = path.length;
        path.push(policy[node]);
      }
      return { path, start: label[node] };
    },
  };
};

/* How many joint states can be met from the start (rb_core/reachable.py). */
RB.reachableStates = function (arms, sMax) {
  let total = 1, sets = 1, orders = 1;
  for (let m = 1; m <= Math.min(arms, sMax - 1); m++) {
    orders *= arms - m + 1;
    if (m > 1) sets *= (sMax - m) / (m - 1);
    total += sets * orders;
  }
  return Math.round(total);
};
