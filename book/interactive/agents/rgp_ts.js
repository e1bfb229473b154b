/* dRGP-TS: a Gaussian process per arm, Thompson sampling d rounds ahead
 * (rb_core/agents/rgp_ts.py). One reward changes an arm's posterior by a rank-one step. */
function rgpTs(arms, sMax, { lookahead, sigma = 1, lengthScale = 2.5 }) {
  const noise = sigma * sigma, d = lookahead;
  const mean = new Float64Array(arms * sMax), variance = new Float64Array(arms * sMax).fill(1);
  const cov = new Float64Array(arms * sMax * sMax);
  for (let i = 0; i < cov.length; i++) {
    const gap = (Math.floor(i / sMax) % sMax) - (i % sMax);
    cov[i] = Math.exp(-(gap * gap) / (2 * lengthScale ** 2));
  }
  let plan = [];

  /* A variance that is zero but for rounding may be negative. */
  function draw(arm, s, rng) {
    const at = arm * sMax + s - 1;
    return mean[at] + Math.sqrt(Math.max(variance[at], 0)) * rng.normal();
  }

  /* One draw for every step, arm, and state that the arm can be in at that step; index 0: the arm
   * was not pulled in the plan. */
  function drawAll(state, rng) {
    const draws = [];
    for (let step = 0; step < d; step++) {
      draws.push(state.map((s, arm) => {
        const here = [];
        for (let since = 0; since < Math.min(step + 1, sMax); since++) {
          here.push(draw(arm, since > 0 ? since : Math.min(s + step, sMax), rng));
        }
        return here;
      }));
    }
    return draws;
  }

  /* The best of all sequences of d arms, the first in lexicographic order among equals. */
  function choosePlan(state, rng) {
    const draws = drawAll(state, rng);
    let best = -Infinity, chosen = null;
    (function extend(sequence, pulled, total) {
      const step = sequence.length;
      if (step === d) {
        if (total > best) {
          best = total;
          chosen = sequence;
        }
        return;
      }
      for (let arm = 0; arm < arms; arm++) {
        const since = step - pulled[arm];
        const value = draws[step][arm][since < sMax ? since : 0];
        const after = pulled.slice();
        after[arm] = step;
        extend([...sequence, arm], after, total + value);
      }
    })([], new Array(arms).fill(-sMax), 0);
    return chosen;
  }

  return {
    act(t, state, rng) {
      if ((t - 1) % d === 0) plan = choosePlan(state, rng);
      return plan[(t - 1) % d];
    },
    learn(t, state, arm, reward) {
      const s = state[arm] - 1, first = arm * sMax * sMax;
      const column = cov.slice(first + s * sMax, first + (s + 1) * sMax);
      const scale = 1 / (noise + column[s]), surprise = (reward - mean[arm * sMax + s]) * scale;
      for (let i = 0; i < sMax; i++) {
        const gain = column[i] * scale;
        mean[arm * sMax + i] += column[i] * surprise;
        variance[arm * sMax + i] -= gain * column[i];
        for (let j = 0; j < sMax; j++) cov[first + i * sMax + j] -= gain * column[j];
      }
    },
    tables: () => ({ mean, var: variance, cov }),
  };
}

for (const lookahead of [1, 2]) {
  RB.agents[`${lookahead}RGP-TS`] = {
    make: (arms, sMax, rounds, options) => rgpTs(arms, sMax, { ...options, lookahead }),
  };
}
