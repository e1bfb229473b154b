/* Step through SS-SARSA: what one round changes in the K small tables of the arm that was pulled. */
RB.figures.step = function (place, data) {
  const ROUNDS = 10000, SEED = 5;
  const options = { visits: "joint", ties: "random", shape: "peaked", law: "bernoulli", cells: "values", arm: "pulled" };
  const live = RB.live(), title = RB.h("strong"), phase = RB.h("p", { class: "rb-name" });
  const states = RB.h("div", { class: "rb-states" }), event = RB.h("p");
  const tables = RB.h("div", { class: "rb-tables" }), insight = RB.h("p", { class: "rb-insight" });
  const summary = RB.h("table", { class: "rb-summary" });
  let bandit, agent, run, counts, learnt, stop = () => {};

  const set = (name) => (value) => {
    options[name] = value;
    if (name === "cells" || name === "arm") show();
    else go(learnt ? learnt.t : 1);
  };
  const back = RB.button("◀ Back", () => go(Math.max(1, learnt.t - 1)), { "aria-label": "Back one round" });
  const forth = RB.button("Step ▶", () => go(learnt.t + 1), { class: "rb-button rb-main", "aria-label": "Step one round forward" });
  const leap = RB.button("+100", () => go(learnt.t + 100), { "aria-label": "+100 rounds" });
  const explored = RB.button("To the end of exploration", () => runTo(ROUNDS / 10));
  const whole = RB.button(`Run to ${ROUNDS.toLocaleString("en")}`, () => runTo(ROUNDS));
  const reset = RB.button("Start again", () => go(1));
  const arms = data.increasing.map((_, arm) => [String(arm), `arm ${arm + 1}`]);
  place.append(RB.h("div", { class: "rb-card" },
    RB.h("div", { class: "rb-tools" }, back, forth, leap, explored, whole, reset),
    RB.h("div", { class: "rb-tools" },
      RB.choice("Visits", [["joint", "joint"], ["separated", "separated"]], "joint", set("visits")),
      RB.choice("Ties", [["random", "random"], ["first", "lowest arm"]], "random", set("ties")),
      RB.choice("Rewards", [["peaked", "peaked"], ["increasing", "rising"]], "peaked", set("shape")),
      RB.choice("Law", [["bernoulli", "0 or 1"], ["normal", "normal"]], "bernoulli", set("law"))),
    RB.h("div", { class: "rb-step" },
      RB.h("div", {}, title, phase, states, event),
      RB.h("div", {}, tables, RB.h("div", { class: "rb-tools" },
        RB.h("p", { class: "rb-name" }, "Rows: the state in which the arm is pulled. Columns: the state of the other arm. Orange: what this round changed."),
        RB.choice("Cells show", [["values", "values"], ["counts", "updates"]], "values", set("cells")),
        RB.select("Tables of", [["pulled", "the arm just pulled"], ...arms], "pulled", set("arm"))))),
    summary, insight, live));
  go(1);

  function restart() {
    const means = data[options.shape];
    bandit = RB.bandit(means, options.law);
    agent = RB.agents["SS-SARSA"].make(bandit.arms, bandit.sMax, ROUNDS, { visits: options.visits, ties: options.ties });
    run = RB.run(bandit, agent, RB.random(SEED));
    counts = new Uint32Array(agent.q.length);
    run.now = run.step();
    run.options = JSON.stringify([options.visits, options.ties, options.shape, options.law]);
  }

  /* Round t is learnt when the arm of round t + 1 is known. Backwards: again from the start. */
  function advance(t) {
    const wanted = JSON.stringify([options.visits, options.ties, options.shape, options.law]);
    if (!run || run.options !== wanted || t < run.t - 1) restart();
    while (run.t - 1 < t) {
      learnt = run.now;
      run.now = run.step();
      learnt.updates = agent.updates;
      for (const { at } of agent.updates) counts[at]++;
    }
  }

  function go(t) {
    stop();
    advance(Math.min(t, ROUNDS));
    show(true);
  }

  function runTo(end) {
    if (learnt.t >= end) return go(end);
    stop();
    stop = RB.animate(() => {
      advance(Math.min(learnt.t + Math.ceil(end / 120), end));
      return learnt.t >= end;
    }, () => show(), () => show(true));
  }

  function show(speak) {
    const { t, state, arm, reward } = learnt, { sMax } = bandit;
    title.textContent = `Round ${t.toLocaleString("en")}`;
    phase.textContent = t <= agent.explorer.until ? `exploring until ${agent.explorer.until.toLocaleString("en")}` : "greedy, no longer exploring";
    states.replaceChildren(...state.map((s, k) => RB.h("div", { class: k === arm ? "rb-state rb-hit" : "rb-state" },
      RB.h("span", {}, `arm ${k + 1}`),
      RB.h("span", { class: "rb-track" }, RB.h("span", { class: "rb-bar", style: `width:${(100 * s) / sMax}%` })),
      RB.h("span", {}, String(s)))));
    const paid = options.law === "normal" ? RB.number(reward) : String(reward);
    event.textContent = `Arm ${arm + 1} was pulled in state ${state[arm]} and paid ${paid}; arm ${run.now.arm + 1} comes next.`;
    const shown = options.arm === "pulled" ? arm : Number(options.arm);
    drawTables(shown);
    explain(shown);
    back.disabled = t <= 1;
    forth.disabled = leap.disabled = t >= ROUNDS;
    if (speak) live.textContent = `Round ${t}. ${event.textContent} ${insight.textContent}`;
  }

  function at(a, sa, k, sk) {
    return (a * bandit.sMax + sa) * bandit.arms * bandit.sMax + k * bandit.sMax + sk;
  }

  function drawTables(a) {
    const { sMax, arms: count } = bandit, source = options.cells === "values" ? agent.q : counts;
    let most = 1e-9;
    for (let k = 0; k < count; k++) for (let i = 0; i < sMax; i++) for (let j = 0; j < sMax; j++) most = Math.max(most, source[at(a, i, k, j)]);
    const hit = new Map(a === learnt.arm ? learnt.updates.map((each) => [each.at, each.error]) : []);
    tables.replaceChildren(...Array.from({ length: count }, (_, k) => {
      const grid = RB.svg("svg", { viewBox: `-14 -4 ${sMax * 22 + 18} ${sMax * 22 + 18}`, class: "rb-grid", role: "img",
        "aria-label": `Table ${k + 1} of arm ${a + 1}: ${options.cells} by the state of arm ${k + 1} and of arm ${a + 1}` });
      let error = null;
      for (let i = 0; i < sMax; i++) {
        grid.append(RB.svg("text", { x: -5, y: i * 22 + 14, class: "rb-tick", "text-anchor": "middle" }, String(i + 1)),
          RB.svg("text", { x: i * 22 + 10, y: sMax * 22 + 9, class: "rb-tick", "text-anchor": "middle" }, String(i + 1)));
        for (let j = 0; j < sMax; j++) {
          const entry = at(a, i, k, j), impossible = k === a ? i !== j : i === j && i < sMax - 1;
          if (hit.has(entry)) error = hit.get(entry);
          grid.append(RB.svg("rect", { x: j * 22, y: i * 22, width: 20, height: 20, rx: 3,
            class: impossible ? "rb-never" : hit.has(entry) ? "rb-cell rb-hit" : "rb-cell",
            style: impossible ? undefined : `--rb-depth:${Math.round((100 * Math.max(source[entry], 0)) / most)}%` }));
        }
      }
      return RB.h("div", {}, RB.h("span", { class: "rb-name" }, k === a ? "own state" : `arm ${k + 1}’s state →`), grid,
        RB.h("span", { class: "rb-name" }, error === null ? "\u00a0" : `δ = ${error < 0 ? "−" : "+"}${RB.number(Math.abs(error), Math.abs(error) < 0.1 ? 5 : 3)}`));
    }));
  }

  /* By state of the arm: what a pull there pays, what its cells hold, how often they were updated. */
  function explain(a) {
    const { sMax, arms: count, means } = bandit;
    const rows = means[a].map((mean, i) => {
      let sum = 0, cells = 0, updates = 0;
      for (let k = 0; k < count; k++) for (let j = 0; j < sMax; j++) {
        const entry = at(a, i, k, j);
        updates += counts[entry];
        if (counts[entry]) [sum, cells] = [sum + agent.q[entry], cells + 1];
      }
      return { mean, value: cells ? sum / cells : 0, updates: updates / count };
    });
    const top = (name) => rows.reduce((best, row, i) => (row[name] > rows[best][name] ? i : best), 0);
    const small = Math.max(...rows.map((row) => row.value)) < 0.1, values = `mean of its cells${small ? ", in thousandths" : ""}`;
    const line = (text, name, digits, unit = 1) => RB.h("tr", {}, RB.h("th", { scope: "row" }, text),
      ...rows.map((row, i) => RB.h("td", { class: row[name] > 0 && i === top(name) ? "rb-top" : "" }, RB.number(row[name] / unit, digits))));
    summary.replaceChildren(RB.h("caption", {}, `Arm ${a + 1}, by the state in which it is pulled`),
      RB.h("thead", {}, RB.h("tr", {}, RB.h("td"), ...rows.map((_, i) => RB.h("th", { scope: "col" }, `state ${i + 1}`)))),
      RB.h("tbody", {}, line("mean reward", "mean", 3), line(values, "value", small ? 2 : 3, small ? 0.001 : 1), line("rounds learnt from", "updates", 0)));
    const paying = top("mean"), valued = top("value"), often = rows[valued].updates / rows[paying].updates;
    const value = `Arm ${a + 1} pays most in state ${paying + 1} (${RB.number(rows[paying].mean, 3)}); `;
    insight.textContent = !rows[valued].value ? `${value}nothing has been learnt about it yet.`
      : !rows[paying].updates ? `${value}nothing has been learnt about that state yet.`
      : paying === valued ? `${value}its cells are also fullest there.`
      : `${value}yet its cells are fullest in state ${valued + 1} (${RB.number(rows[valued].mean, 3)} a pull), ` +
        (often > 1 ? `which was learnt from ${RB.number(often, 1)} times as often. The tables count visits.`
          : "though it was not learnt from more often.");
  }

  return {
    state: () => ({ t: learnt.t, arm: learnt.arm, q: agent.q, counts }),
    go,
    set(name, value) {
      set(name)(value);
    },
  };
};
