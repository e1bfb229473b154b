/* Draw reward curves; the exact best cycle and what it earns follow at once. */
RB.figures.draw = function (place, data) {
  const begin = data.means || RB.OWN.means;
  const cycle = RB.h("div", { class: "rb-rhythm" }), live = RB.live();
  const facts = RB.h("p"), ring = RB.svg("svg", { class: "rb-ring", viewBox: "0 0 240 240", role: "img" });
  const editor = RB.editor(begin, (drawn) => {
    menu.clear();
    show(drawn);
  });
  const starts = [["four", "Ours"], ["small", "Small"], ["6-homo-increasing", "6-Homo, rising"], ["6-homo-peaked", "6-Homo, peaked"], ["6-hetero-peaked", "6-Hetero, peaked"]];
  const menu = RB.choice("Begin with", starts, "four", (name) => {
    editor.set(RB.meansOf(name));
    show(RB.meansOf(name));
  });
  let found = null;
  place.append(RB.h("div", { class: "rb-card" }, RB.h("div", { class: "rb-tools" }, menu),
    RB.h("div", { class: "rb-board" }, editor.element, RB.h("div", { class: "rb-side" }, ring, cycle, facts)), live));
  show(begin);

  function show(means) {
    found = RB.optimum(means);
    const greedy = longRun(means);
    const arms = found.cycle.map((each) => each.arm), length = arms.length;
    const room = (0.9 * Math.PI * 92) / length; // for one of them, so that neighbours do not touch
    ring.replaceChildren(
      RB.svg("text", { x: 120, y: 116, "text-anchor": "middle", class: "rb-big" }, RB.number(found.average, 4)),
      RB.svg("text", { x: 120, y: 138, "text-anchor": "middle", class: "rb-label" }, "a round, at best"),
      ...found.cycle.map(({ arm, s }, i) => {
        const angle = (2 * Math.PI * i) / length - Math.PI / 2, mean = means[arm][s - 1];
        const x = 120 + 92 * Math.cos(angle), y = 120 + 92 * Math.sin(angle);
        const bead = RB.svg("circle", { cx: x, cy: y, r: Math.min(8 + 14 * Math.sqrt(mean), room), class: "rb-bead" });
        const number = RB.svg("text", { x, y: y + 4.5, "text-anchor": "middle", class: "rb-beadtext" }, String(arm + 1));
        return RB.svg("g", { "data-arm": arm + 1 }, bead, room < 7 ? null : number); // the chips name all
      }));
    const steps = found.cycle.map(({ arm, s }) => `arm ${arm + 1} in state ${s}`).join(", ");
    ring.setAttribute("aria-label", `The best cycle: ${steps}; ${RB.number(found.average, 4)} a round`);
    cycle.replaceChildren(RB.h("span", { class: "rb-name" }, "best cycle"), RB.chips(arms, "Best cycle"));
    facts.textContent = `Always pulling what pays most now would end at ${RB.number(greedy, 4)} a round, ` +
      `${Math.round((100 * greedy) / found.average) || 0}% of the best. Planned over ${found.states.toLocaleString("en")} states.`;
    live.textContent = `Best cycle of ${length}: arms ${arms.map((arm) => arm + 1).join(", ")}; ${RB.number(found.average, 4)} a round.`;
  }

  /* What the player who takes what pays most now earns a round, once it repeats itself. */
  function longRun(means) {
    const bandit = RB.bandit(means), choose = RB.greedy(bandit), seen = new Map(), sums = [0];
    let state = bandit.start();
    while (!seen.has(state.join())) {
      seen.set(state.join(), sums.length - 1);
      const arm = choose(state);
      sums.push(sums[sums.length - 1] + bandit.mean(state, arm));
      state = bandit.next(state, arm);
    }
    const from = seen.get(state.join()), to = sums.length - 1;
    return (sums[to] - sums[from]) / (to - from);
  }

  return {
    state: () => found,
    set(means) {
      menu.clear();
      editor.set(means);
      show(means);
    },
  };
};
