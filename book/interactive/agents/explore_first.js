/* Uniform-Explore-First: for the first rounds, the arm with the fewest visits. Visits are those of
 * joint states, or of separated entries (s_k, s_a, a) summed over k. They are counted downwards, so
 * that the least visited arm has the largest entry, as in rb_core. */

/* The cell of arm k in state s: k * s_max + s - 1. Tables of separated entries have such rows (the
 * pulled arm) and columns (arm k). */
RB.locate = (state, sMax) => state.map((s, k) => k * sMax + s - 1);

RB.separatedSums = function (table, width, cells) {
  return cells.map((cell) => {
    let sum = 0;
    for (const other of cells) sum += table[cell * width + other];
    return sum;
  });
};

/* The arm of the largest of `count` entries from `offset` on; equals are decided at random or not. */
RB.pickBest = function (table, offset, count, randomTies, rng) {
  let best = 0, tied = 1;
  for (let a = 1; a < count; a++) {
    if (table[offset + a] > table[offset + best]) {
      best = a;
      tied = 1;
    } else if (table[offset + a] === table[offset + best]) tied++;
  }
  if (tied > 1 && randomTies) {
    const top = table[offset + best];
    let skip = Math.floor(rng.uniform() * tied);
    while (skip > 0) if (table[offset + ++best] === top) skip--;
  }
  return best;
};

/* Row numbers for joint states in the order in which they are met, and `columns` numbers for each. */
RB.rows = function (sMax, columns) {
  const index = new Map();
  const rows = {
    used: 0,
    values: new Float64Array(64 * columns),
    of(state) { // where the state's numbers begin
      let key = 0;
      for (let k = state.length - 1; k >= 0; k--) key = key * sMax + state[k] - 1;
      let row = index.get(key);
      if (row === undefined) {
        row = rows.used++;
        index.set(key, row);
        if (rows.used * columns > rows.values.length) {
          const wider = new Float64Array(2 * rows.values.length);
          wider.set(rows.values);
          rows.values = wider;
        }
      }
      return row * columns;
    },
  };
  return rows;
};

/* Python rounds halves to the even number. */
RB.rounded = function (x) {
  const low = Math.floor(x), part = x - low;
  return part < 0.5 || (part === 0.5 && low % 2 === 0) ? low : low + 1;
};

RB.EXPLORE_FIRST = { gamma: 0.99999, t0: 5000, explore: 0.1, ties: "random", visits: "joint" };

RB.explorer = function (arms, sMax, rounds, { explore, ties, visits }) {
  const width = arms * sMax, separated = visits === "separated";
  const explorer = {
    until: RB.rounded(explore * rounds),
    randomTies: ties === "random",
    joint: RB.rows(sMax, arms),
    counts: separated ? new Float64Array(width * width) : null,
    leastVisited(state, cells, rng) {
      if (separated) {
        const sums = RB.separatedSums(explorer.counts, width, cells);
        const arm = RB.pickBest(sums, 0, arms, explorer.randomTies, rng);
        for (const other of cells) explorer.counts[cells[arm] * width + other]--;
        return arm;
      }
      const row = explorer.joint.of(state), counts = explorer.joint.values;
      const arm = RB.pickBest(counts, row, arms, explorer.randomTies, rng);
      counts[row + arm]--;
      return arm;
    },
    tables: () => separated ? { separated_counts: explorer.counts }
      : { joint_counts: explorer.joint.values.subarray(0, explorer.joint.used * arms) },
  };
  return explorer;
};
