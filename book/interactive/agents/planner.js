/* The exact optimum (rb_core/planning.py): best paths and cycles in the graph of reachable states.
 * A node says which kind of arm was pulled 1, 2, ... rounds ago, as far as that arm has not been
 * pulled again; all others are in state s_max. Arms with equal means are of one kind. */
RB.graph = function (means) {
  const sMax = means[0].length;
  const texts = means.map((row) => row.join());
  const order = [...new Set(texts)].map((text) => means[texts.indexOf(text)])
    .sort((one, other) => one.map((x, i) => x - other[i]).find((gap) => gap !== 0) || 0);
  const kinds = texts.map((text) => order.findIndex((row) => row.join() === text));
  const members = order.map((_, kind) => kinds.filter((each) => each === kind).length);
  const nodes = [new Array(sMax - 1).fill(-1)];
  const index = new Map([[nodes[0].join(), 0]]);
  const moves = []; // of each node: {kind, s, reward, after}
  for (let at = 0; at < nodes.length; at++) { // grows while it is read: breadth first
    const node = nodes[at], here = [];
    for (let s = 1; s < sMax; s++) if (node[s - 1] >= 0) here.push([node[s - 1], s]);
    members.forEach((count, kind) => {
      if (count > node.filter((each) => each === kind).length) here.push([kind, sMax]);
    });
    moves.push(here.map(([kind, s]) => {
      const others = node.slice();
      if (s < sMax) others[s - 1] = -1;
      const after = [kind, ...others].slice(0, sMax - 1), key = after.join();
      if (!index.has(key)) {
        index.set(key, nodes.length);
        nodes.push(after);
      }
      return { kind, s, reward: order[kind][s - 1], after: index.get(key) };
    }));
  }
  return { means, kinds, nodes, moves };
};

/* The cycles of a map of nodes to nodes, each begun at its smallest node, with the nodes that lead
 * into it in an order in which each follows the node that it is mapped to. */
function cyclesOf(after) {
  const label = new Int32Array(after.length).fill(-1), found = [];
  for (let start = 0; start < after.length; start++) {
    const path = [];
    let i = start;
    while (label[i] === -1) {
      label[i] = -2; // on the path under way
      path.push(i);
      i = after[i];
    }
    if (label[i] === -2) {
      for (const each of path) label[each] = found.length;
      const at = path.indexOf(i), cycle = path.slice(at);
      const least = cycle.indexOf(Math.min(...cycle));
      found.push({
        cycle: [...cycle.slice(least), ...cycle.slice(0, least)],
        inwards: path.slice(0, at).reverse(),
      });
    } else {
      for (const each of path) label[each] = label[i];
      if (path.length) found[label[i]].inwards.push(...path.reverse());
    }
  }
  return found;
}

/* The best average reward and a bias of every node, by Howard's policy iteration. */
function bestAverage({ moves }) {
  const largest = Math.max(...moves.flat().map((move) => Math.abs(move.reward)));
  const tolerance = 1e-11 * moves.length * largest;
  /* The first move of largest value, and that value. */
  const best = (here, value) => here.reduce((top, move, m) => {
    const x = value(move);
    return x > top.x ? { x, m } : top;
  }, { x: -Infinity, m: 0 });
  let policy = moves.map((here) => best(here, (move) => move.reward).m);
  for (;;) {
    const step = policy.map((m, i) => moves[i][m]);
    const gain = new Float64Array(moves.length), bias = new Float64Array(moves.length);
    for (const { cycle, inwards } of cyclesOf(step.map((move) => move.after))) {
      const mean = cycle.reduce((sum, i) => sum + step[i].reward, 0) / cycle.length;
      for (const i of cycle) gain[i] = mean;
      for (const i of inwards) gain[i] = mean;
      for (const i of [...cycle.slice(1).reverse(), ...inwards]) {
        bias[i] = step[i].reward - gain[i] + bias[step[i].after];
      }
    }
    // Where some better cycle can be reached: first of all, go there.
    let changed = false;
    let next = policy.map((m, i) => {
      const top = best(moves[i], (move) => gain[move.after]);
      if (top.x <= gain[i] + tolerance) return m;
      changed = true;
      return top.m;
    });
    if (!changed) {
      next = policy.map((m, i) => {
        const top = best(moves[i], (move) => move.reward - gain[i] + bias[move.after]);
        if (top.x <= bias[i] + tolerance) return m;
        changed = true;
        return top.m;
      });
    }
    if (!changed) return { average: gain[0], bias };
    policy = next;
  }
}

/* Follows moves between kinds with real arms, from the start. */
function walk({ means, kinds, moves }) {
  const bandit = RB.bandit(means);
  const at = {
    node: 0,
    state: bandit.start(),
    pull(m) {
      const { kind, s, after } = moves[at.node][m];
      const arm = kinds.findIndex((each, a) => each === kind && at.state[a] === s);
      at.state = bandit.next(at.state, arm);
      at.node = after;
      return { arm, s };
    },
  };
  return at;
}

/* The long-run optimum: its average reward, and a cycle of (arm, state) that earns it. */
RB.optimum = function (means) {
  const graph = RB.graph(means), { average, bias } = bestAverage(graph);
  const at = walk(graph), seen = new Map(), path = [];
  while (!seen.has(at.state.join())) {
    seen.set(at.state.join(), path.length);
    let best = 0, least = Infinity;
    graph.moves[at.node].forEach(({ reward, after }, m) => {
      const gap = average + bias[at.node] - reward - bias[after];
      if (gap < least) [best, least] = [m, gap];
    });
    path.push(at.pull(best));
  }
  return { average, cycle: path.slice(seen.get(at.state.join())), states: graph.nodes.length };
};

/* The best way to play exactly `rounds` rounds: the arms, and the best total. */
RB.bestRounds = function (means, rounds) {
  const graph = RB.graph(means), { moves } = graph;
  const values = [new Float64Array(moves.length)]; // with n rounds to go
  const choice = [null];
  for (let n = 1; n <= rounds; n++) {
    const value = new Float64Array(moves.length), chosen = new Int32Array(moves.length);
    moves.forEach((here, i) => {
      value[i] = -Infinity;
      here.forEach(({ reward, after }, m) => {
        const x = reward + values[n - 1][after];
        if (x > value[i]) [value[i], chosen[i]] = [x, m];
      });
    });
    values.push(value);
    choice.push(chosen);
  }
  const at = walk(graph), arms = [];
  for (let n = rounds; n > 0; n--) arms.push(at.pull(choice[n][at.node]).arm);
  return { value: values[rounds][0], arms };
};
