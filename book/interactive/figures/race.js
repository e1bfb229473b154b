/* All agents on one bandit, one run each: regret grows while one watches. */
RB.figures.race = function (place, data) {
  const ROUNDS = 100000, MARKS = 250, SLICE = 10; // rounds of some agents take a tenth of a millisecond
  const AGENTS = Object.keys(RB.looks);
  const live = RB.live(), plot = RB.plot({ label: "Regret by round, one line an agent", xLabel: "round", yLabel: "regret", wide: 460 });
  const rows = AGENTS.map(row), score = RB.h("tbody", {}, ...rows.map((each) => each.element));
  const go = RB.button("Race ▶", () => race(), { class: "rb-button rb-main" });
  const chosen = new Set(AGENTS), first = data.bandit || "6-hetero-increasing";
  let means = RB.meansOf(first), law = "bernoulli", seed = 0, runners = [], average = 0, stop = () => {};
  const { menu, room } = RB.banditMenu(RB.bandits().map((each) => each.name), first, (drawn) => {
    means = drawn;
    ready();
  });
  place.append(RB.h("div", { class: "rb-card" },
    RB.h("div", { class: "rb-tools" }, go, menu,
      RB.choice("Law", [["bernoulli", "0 or 1"], ["normal", "normal"]], law, (value) => { law = value; ready(); })),
    room,
    RB.h("div", { class: "rb-board rb-race" }, plot.element,
      RB.h("table", { class: "rb-score" }, RB.h("caption", { class: "rb-hidden" }, "Regret so far"),
        RB.h("thead", {}, RB.h("tr", {}, ...["agent", "regret", "now"].map((text) => RB.h("th", { scope: "col" }, text)))), score)),
    live));
  ready();

  function ready() {
    stop();
    go.textContent = "Race ▶";
    const bandit = RB.bandit(means, law);
    average = RB.optimum(means).average;
    seed++;
    runners = AGENTS.filter((name) => chosen.has(name)).map((name, i) => {
      const agent = RB.agents[name].make(bandit.arms, bandit.sMax, ROUNDS);
      return { name, run: RB.run(bandit, agent, RB.random(1000 * seed + i)), points: [[0, 0]], recent: 0, mark: { t: 0, total: 0 } };
    });
    show();
  }

  function race() {
    if (runners[0].run.t > 0) ready();
    go.textContent = "Racing …";
    let turn = 0;
    stop = RB.animate(() => {
      const end = performance.now() + 14; // of a frame's 16 milliseconds
      do {
        const runner = runners[turn % runners.length], { run, mark } = runner;
        const until = Math.min(mark.t + ROUNDS / MARKS, ROUNDS);
        for (let i = 0; i < SLICE && run.t < until; i++) run.step();
        if (run.t < until) continue; // the rest of the way to its mark in a later slice
        turn++;
        if (until === mark.t) continue;
        runner.points.push([run.t, Math.max(0, average * run.t - run.total)]);
        runner.recent = (run.total - mark.total) / (until - mark.t);
        runner.mark = { t: run.t, total: run.total };
      } while (performance.now() < end && !over());
      return over();
    }, show, () => {
      go.textContent = "Race ▶";
      const order = runners.slice().sort((one, other) => regret(one) - regret(other));
      live.textContent = `After ${ROUNDS.toLocaleString("en")} rounds, from least regret to most: ${order.map((each) => `${each.name} ${Math.round(regret(each)).toLocaleString("en")}`).join(", ")}.`;
    });
  }

  function over() {
    return runners.every((each) => each.run.t >= ROUNDS);
  }

  function regret(runner) {
    return average * runner.run.t - runner.run.total;
  }

  /* A line of the table, made once: whoever is at its box keeps it while numbers change. */
  function row(name) {
    const { colour, dash } = RB.looks[name];
    const box = RB.h("input", { type: "checkbox", onchange() {
      if (box.checked) chosen.add(name);
      else if (chosen.size > 1) chosen.delete(name);
      box.checked = chosen.has(name);
      ready();
    } });
    box.checked = true;
    const regretted = RB.h("td", { class: "rb-total" }), now = RB.h("td", { class: "rb-total" });
    const element = RB.h("tr", {}, RB.h("th", { scope: "row" }, RB.h("label", {}, box, " ", RB.keyLine(colour, dash), " ", name)), regretted, now);
    return { name, element, show(runner) {
      regretted.textContent = runner ? Math.round(regret(runner)).toLocaleString("en") : "";
      now.textContent = runner && runner.run.t ? RB.number(runner.recent, 3) : "";
    } };
  }

  function show() {
    const most = Math.max(10, ...runners.map((each) => each.points[each.points.length - 1][1]));
    plot.draw(runners.map(({ name, points }) => ({ colour: RB.looks[name].colour, dash: RB.looks[name].dash, points })), ROUNDS, 1.05 * most);
    for (const each of rows) each.show(runners.find(({ name }) => name === each.name));
  }

  return { state: () => runners.map((each) => ({ name: each.name, t: each.run.t, regret: regret(each) })), race, set(drawn) { means = drawn; ready(); } };
};
