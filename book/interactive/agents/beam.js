/* Good cycles where there are too many joint states for exact planning (rb_core/search.py). */

/* What a cycle of arms, repeated for ever, earns a round. */
RB.cycleAverage = function (means, sMax, cycle) {
  const last = new Map(cycle.map((arm, i) => [arm, i - cycle.length]));
  let total = 0;
  cycle.forEach((arm, i) => {
    total += means[arm * sMax + Math.min(i - last.get(arm), sMax) - 1];
    last.set(arm, i);
  });
  return total / cycle.length;
};

/* The arms that lose least in `depth` rounds from `state` on, by the table of advantages. Of each
 * round the `width` cheapest nodes are kept, one a joint state; each tries its `tried` best arms. */
RB.leastLoss = function (advantage, state, sMax, { width, tried, depth }) {
  let nodes = [{ state, cost: 0, arm: -1, parent: null }];
  for (let step = 0; step < depth; step++) {
    const kept = [];
    for (const parent of nodes) {
      const gains = parent.state.map((s, k) => advantage[k * sMax + s - 1]);
      const wanted = gains.reduce((sum, gain) => (gain > 0 ? sum + gain : sum), 0);
      const order = gains.map((_, k) => k).sort((one, other) => gains[other] - gains[one]);
      for (const arm of order.slice(0, tried)) {
        const cost = parent.cost + (wanted - gains[arm]);
        if (kept.length === width && cost >= kept[width - 1].cost) break; // as will the others
        const next = parent.state.map((s, k) => (k === arm ? 1 : Math.min(s + 1, sMax)));
        insert(kept, { state: next, key: next.join(), cost, arm, parent }, width);
      }
    }
    nodes = kept;
  }
  const path = [];
  for (let node = nodes[0]; node.parent; node = node.parent) path.unshift(node.arm);
  return path;

  function insert(kept, node, width) {
    const same = kept.findIndex((each) => each.key === node.key);
    if (same >= 0 && kept[same].cost <= node.cost) return;
    let at = same >= 0 ? same : kept.length === width ? width - 1 : kept.length;
    for (; at > 0 && kept[at - 1].cost > node.cost; at--) kept[at] = kept[at - 1];
    kept[at] = node;
  }
};

/* The part of a path that earns most a round if it is repeated: its average, begin and end. */
RB.bestWindow = function (means, sMax, path) {
  const paid = (arm, gap) => means[arm * sMax + Math.min(gap, sMax) - 1];
  let best = { average: -Infinity, start: 0, end: path.length };
  for (let start = 0; start < path.length; start++) {
    const first = new Map(), last = new Map(); // rounds of an arm in the window, as they are met
    let inside = 0; // rewards of arms that the window has pulled before
    for (let end = start + 1; end <= path.length; end++) {
      const arm = path[end - 1];
      if (first.has(arm)) inside += paid(arm, end - 1 - last.get(arm));
      else first.set(arm, end - 1);
      last.set(arm, end - 1);
      let total = inside;
      for (const [k, begun] of first) total += paid(k, end - start + begun - last.get(k));
      const average = total / (end - start);
      if (average > best.average) best = { average, start, end };
    }
  }
  return best;
};
