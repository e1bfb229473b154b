/* t0 by E: sliders over the committed runs of SS-SARSA, a hundred for each combination. */
RB.figures.sweep = function (place, data) {
  const live = RB.live(), { t0, explore, sets } = data;
  for (const cell of sets.flatMap((set) => set.cells)) { // regrets, in order, come as steps
    let sum = 0;
    cell.regret = cell.steps.map((step) => (sum += step));
  }
  const at = { set: data.first, t0: t0.indexOf(5000), explore: explore.indexOf(0.1) };
  const map = RB.svg("svg", { class: "rb-map", viewBox: "0 0 330 236", role: "img" });
  const runs = RB.svg("svg", { class: "rb-runs", viewBox: "0 0 330 130", role: "img" });
  const words = RB.h("p", { class: "rb-insight" });
  const move = (name) => (value) => {
    at[name] = Number(value);
    if (sliders[name]) sliders[name].set(at[name]);
    show(true);
  };
  const sliders = {
    t0: RB.slider("t₀ =", t0.map((x) => x.toLocaleString("en")), at.t0, move("t0")),
    explore: RB.slider("explores", explore.map((x) => `${Math.round(100 * x)}% of the rounds`), at.explore, move("explore")),
  };
  const menu = RB.select("Runs of", sets.map((each, i) => [String(i), each.text]), String(data.first), move("set"));
  place.append(RB.h("div", { class: "rb-card" }, RB.h("div", { class: "rb-tools" }, menu),
    RB.h("div", { class: "rb-board" }, RB.h("div", {}, map),
      RB.h("div", { class: "rb-side" },
        sliders.t0.element, sliders.explore.element, runs, words)), live));
  show();

  function show(speak) {
    const set = sets[at.set], cell = (i, j) => set.cells[i * explore.length + j];
    map.replaceChildren(
      ...t0.flatMap((x, i) => [RB.svg("text", { x: 62, y: i * 38 + 24, "text-anchor": "end", class: "rb-label" }, x.toLocaleString("en")),
        ...explore.map((_, j) => {
          const { rate } = cell(i, j);
          const choose = () => { move("t0")(i); move("explore")(j); };
          return RB.svg("g", { class: "rb-chosen", onclick: choose }, RB.svg("rect", { x: 68 + j * 52, y: i * 38, width: 48, height: 34, rx: 4,
            class: i === at.t0 && j === at.explore ? "rb-cell rb-hit" : "rb-cell", style: `--rb-depth:${Math.round(100 * rate[0])}%` }),
          RB.svg("text", { x: 92 + j * 52, y: i * 38 + 22, "text-anchor": "middle", class: "rb-label rb-ink" }, `${Math.round(100 * rate[0])}%`));
        })]),
      ...explore.map((x, j) => RB.svg("text", { x: 92 + j * 52, y: 206, "text-anchor": "middle", class: "rb-label" }, `${Math.round(100 * x)}%`)),
      RB.svg("text", { x: 196, y: 228, "text-anchor": "middle", class: "rb-label" }, "share of rounds that explore"),
      RB.svg("text", { x: 10, y: 95, "text-anchor": "middle", class: "rb-label", transform: "rotate(-90 10 95)" }, "t₀"));
    const { rate, regret, optimal, endings } = cell(at.t0, at.explore);
    const most = Math.max(...set.cells.flatMap((each) => each.regret)), least = Math.min(...set.cells.flatMap((each) => each.regret));
    const x = (value) => 10 + (310 * (Math.log(value) - Math.log(least))) / (Math.log(most) - Math.log(least));
    const stacks = new Map();
    runs.replaceChildren(RB.svg("line", { x1: 6, x2: 324, y1: 92, y2: 92, class: "rb-level" }),
      ...[10, 30, 100, 300, 1000, 3000, 10000, 30000].filter((each) => each > least && each < most).map((each) =>
        RB.svg("text", { x: x(each), y: 107, "text-anchor": "middle", class: "rb-tick" }, each.toLocaleString("en"))),
      RB.svg("text", { x: 165, y: 125, "text-anchor": "middle", class: "rb-tick" }, "regret of the 100 runs; green: ends optimally"),
      ...regret.map((value, i) => {
        const column = Math.round(x(value) / 4), high = stacks.get(column) || 0;
        stacks.set(column, high + 1);
        return RB.svg("circle", { cx: column * 4, cy: 89 - high * (high > 20 ? 0.9 : 3.6), r: 2, class: optimal[i] === "1" ? "rb-good" : "rb-bad" });
      }));
    const middle = (regret[49] + regret[50]) / 2;
    words.textContent = `With t₀ = ${t0[at.t0].toLocaleString("en")} and ${Math.round(100 * explore[at.explore])}% exploration, ` +
      `${Math.round(100 * rate[0])}% of 100 runs end optimally [${Math.round(100 * rate[1])}%, ${Math.round(100 * rate[2])}%]; median regret ${Math.round(middle).toLocaleString("en")}. ` +
      `Most frequent ending: ${endings[0][0]} (${endings[0][1]} runs).`;
    map.setAttribute("aria-label", `${set.text}: share of runs that end optimally for every t0 and share of exploration. ${words.textContent}`);
    runs.setAttribute("aria-label", `Regret of the 100 runs, from ${Math.round(Math.min(...regret))} to ${Math.round(Math.max(...regret))}`);
    if (speak) live.textContent = words.textContent;
  }

  return { state: () => ({ ...at, rate: sets[at.set].cells[at.t0 * explore.length + at.explore].rate }), set(name, value) { move(name)(value); } };
};
