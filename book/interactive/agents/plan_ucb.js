/* PlanUCB (rb_core/agents/plan_ucb.py): an optimistic table of means, the best plan for it on the
 * known graph of states, followed until the table has changed. It draws no random numbers. */
RB.agents.PlanUCB = {
  make(arms, sMax, rounds) {
    const BEAM = { width: 16, tried: Math.min(8, arms), depth: 2 * sMax }, cells = arms * sMax;
    // Few joint states are planned for exactly at once, more when ten times as many rounds are over.
    const states = RB.reachableStates(arms, sMax), searches = states <= 1000 ? 0 : 10 * states;
    const graph = states <= 20000 && (!rounds || rounds > searches || !searches) ? RB.knownGraph(arms, sMax) : null;
    const pricing = RB.pricing(arms, sMax);
    const counts = new Float64Array(cells), means = new Float64Array(cells), upper = new Float64Array(cells);
    const due = new Float64Array(cells).fill(1); // the count from which on a new plan is wanted
    const moments = new Float64Array(3); // mean of all rewards, their squares around it, those in cells
    const centre = new Float64Array(sMax), weight = new Float64Array(sMax);
    let plan = { path: Array.from({ length: arms }, (_, a) => a), start: 0 }, at = 0, node = 0;
    let wanted = false, earliest = sMax + 1, latest = rounds, played = 0;

    /* What the arms have in common in each state, and how many observations that is worth. */
    function centres(share) {
      weight.fill(1);
      centre.fill(moments[0]);
      for (let i = 0; i < cells; i++) {
        if (counts[i] === 0) continue;
        const part = (counts[i] * share) / (counts[i] + share);
        weight[i % sMax] += part;
        centre[i % sMax] += part * means[i];
      }
      for (let s = 0; s < sMax; s++) centre[s] /= weight[s];
    }

    function logLikelihood(share, noise) {
      let result = 0;
      centres(share);
      for (let s = 0; s < sMax; s++) {
        if (weight[s] <= 1) continue;
        let away = centre[s] - moments[0], total = (away * away) / noise, product = weight[s];
        for (let i = s; i < cells; i += sMax) {
          if (counts[i] === 0) continue;
          const variance = 1 / share + 1 / counts[i];
          away = means[i] - centre[s];
          total += (away * away) / (noise * variance);
          product *= variance;
          if (product < 1e-200) { // a logarithm for many factors at once
            total += RB.logarithm(product);
            product = 1;
          }
        }
        result -= 0.5 * (total + RB.logarithm(product));
      }
      return result;
    }

    /* How much alike the arms are in one state, in observations: 1, 2, 4, ..., 64 by likelihood. */
    function alike(noise, most) {
      let top = -Infinity, likely = 0, ratio = 0;
      for (let share = 1; share <= Math.min(most, 64); share *= 2) {
        const here = logLikelihood(share, noise);
        if (here > top) {
          const scale = RB.exponential(top - here);
          [likely, ratio, top] = [likely * scale, ratio * scale, here];
        }
        const each = RB.exponential(here - top);
        likely += each;
        ratio += each / share;
      }
      return likely / ratio;
    }

    /* The optimistic table after the rounds played, with `left` to come. */
    function beOptimistic(left) {
      const visited = counts.reduce((sum, n) => sum + (n > 0), 0);
      let spread = moments[1] / played, noise = 1;
      if (spread > 0) noise = (moments[2] + spread) / (played - visited + 1);
      else spread = 1; // all rewards were the same: any scale will do
      const share = alike(noise, Math.max(1, (played + left) / cells));
      centres(share);
      for (let s = 0; s < sMax; s++) {
        weight[s] = (share * weight[s]) / (share + weight[s]);
        for (let i = s; i < cells; i += sMax) {
          const n = counts[i] + weight[s], variance = counts[i] > 0 ? noise : Math.max(spread, noise);
          const width = (2 * variance * RB.logarithm(1 + left / (cells * n))) / n;
          upper[i] = (counts[i] * means[i] + weight[s] * centre[s]) / n + Math.sqrt(width);
        }
      }
    }

    /* The best plan for the table from a state on, unless `own` average cannot be beaten. */
    function bestPlan(state, own) {
      const { price, bound } = pricing.least(upper), range = Math.max(...upper) - Math.min(...upper);
      const tiny = 1e-9 * range + 1e-12 * (Math.abs(bound) + Math.abs(price));
      if (own >= bound - tiny) return null;
      let found, average;
      if (graph && played >= searches) {
        average = graph.improve(upper, tiny);
        found = graph.follow(node);
      } else {
        const path = RB.leastLoss(pricing.advantages(upper, price), state, sMax, BEAM);
        const window = RB.bestWindow(upper, sMax, path);
        average = window.average;
        found = { path: path.slice(0, window.end), start: window.start };
      }
      return average > own + tiny ? found : null;
    }

    function planAnew(t, state) {
      const all = rounds || 2 * Math.max(t - 1, cells); // 0: an open end
      beOptimistic(all - played);
      for (let i = 0; i < cells; i++) due[i] = counts[i] + 1 + Math.floor(counts[i] / 10);
      [wanted, earliest, latest] = [false, t + sMax, t + Math.floor((all - t) / 2) + 1];
      const better = bestPlan(state, RB.cycleAverage(upper, sMax, plan.path.slice(plan.start)));
      if (better) [plan, at] = [better, 0];
    }

    return {
      act(t, state) {
        if ((wanted || t >= latest) && t >= earliest) planAnew(t, state);
        const arm = plan.path[at];
        at = at + 1 < plan.path.length ? at + 1 : plan.start;
        return arm;
      },
      learn(t, state, arm, reward) {
        const i = arm * sMax + state[arm] - 1;
        let surprise = reward - means[i];
        played = t;
        counts[i]++;
        means[i] += surprise / counts[i];
        moments[2] += surprise * (reward - means[i]);
        surprise = reward - moments[0];
        moments[0] += surprise / t;
        moments[1] += surprise * (reward - moments[0]);
        if (counts[i] >= due[i]) wanted = true;
        if (graph) node = graph.after(node, arm);
      },
      tables: () => ({ counts, means, moments, centre, weight, upper, due, path: plan.path }),

      /* One who explores no more: plays from the start by the best plan for what was learnt. */
      player() {
        let round = 0;
        node = 0;
        beOptimistic(0);
        const { path, start } = bestPlan(new Array(arms).fill(sMax), -Infinity);
        return () => path[round < path.length ? round++ : start + ((round++ - start) % (path.length - start))];
      },
    };
  },
};
