/* A rotor walk beside a random walk on the graph of joint states: how Uniform-Explore-First, which
 * takes the least visited arm, covers what can be visited, and how chance does. */
RB.figures.rotor = function (place) {
  const ROUNDS = 400, sizes = [["2,3", "2 arms, 3 states"], ["3,3", "3 arms, 3 states"], ["3,4", "3 arms, 4 states"], ["4,3", "4 arms, 3 states"]];
  const live = RB.live(), plot = RB.plot({ label: "Pairs of state and arm visited, by round", xLabel: "round", yLabel: "pairs visited", high: 200 });
  const pictures = RB.h("div", { class: "rb-pair" });
  const WALKS = [["rotor walk", "SS-SARSA", "var(--rb-blue)"], ["random walk", "RandomPull", "var(--rb-grey)", "5 4"]];
  let size = "3,3", walks, graph, stop = () => {};
  place.append(RB.h("div", { class: "rb-card" },
    RB.h("div", { class: "rb-tools" },
      RB.button("Step ▶", () => { stop(); advance(1); show(true); }, { class: "rb-button rb-main" }),
      RB.button("+10", () => { stop(); advance(10); show(true); }, { "aria-label": "+10 rounds" }),
      RB.button(`Run to ${ROUNDS}`, runAll), RB.button("Start again", begin),
      RB.select("Graph", sizes, size, (value) => { size = value; begin(); })),
    pictures, plot.element, live));
  begin();

  function begin() {
    stop();
    const [arms, sMax] = size.split(",").map(Number);
    const means = Array.from({ length: arms }, (_, arm) => new Array(sMax).fill(arm / 100)); // all arms of their own kind
    graph = RB.graph(means);
    const bandit = RB.bandit(means);
    const index = new Map(graph.nodes.map((node, i) => [stateOf(node, arms, sMax).join(), i]));
    walks = WALKS.map(([name, agent, colour, dash], i) => {
      const player = RB.agents[agent].make(arms, sMax, ROUNDS, { explore: 1 });
      return { name, colour, dash, run: RB.run(bandit, player, RB.random(3 + i)), visits: new Map(), covered: [[0, 0]], index, at: 0, arm: null };
    });
    pictures.replaceChildren(...walks.map((walk) => picture(walk)));
    show();
  }

  function stateOf(node, arms, sMax) {
    const state = new Array(arms).fill(sMax);
    node.forEach((arm, i) => { if (arm >= 0) state[arm] = i + 1; });
    return state;
  }

  function advance(rounds) {
    for (const walk of walks) {
      for (let i = 0; i < rounds && walk.run.t < ROUNDS; i++) {
        const { state, arm, next, t } = walk.run.step();
        const key = `${walk.index.get(state.join())},${arm}`;
        if (t > 1) walk.visits.set(key, (walk.visits.get(key) || 0) + 1); // the start is never seen again
        walk.covered.push([t, walk.visits.size]);
        walk.last = key;
        walk.at = walk.index.get(next.join());
      }
    }
  }

  function runAll() {
    stop();
    if (walks[0].run.t === ROUNDS) begin();
    stop = RB.animate(() => {
      advance(2);
      return walks[0].run.t >= ROUNDS;
    }, () => show(), () => show(true));
  }

  /* Nodes on a circle, an arrow's line for every arm that can be pulled there. */
  function picture(walk) {
    const count = graph.nodes.length, edges = RB.svg("g"), nodes = RB.svg("g"), words = RB.h("p", { class: "rb-name" });
    const at = (i) => [150 + 118 * Math.sin((2 * Math.PI * i) / count), 150 - 118 * Math.cos((2 * Math.PI * i) / count)];
    const drawing = RB.svg("svg", { viewBox: "0 0 300 300", class: "rb-graph", role: "img" }, edges, nodes);
    walk.draw = () => {
      const most = Math.max(1, ...walk.visits.values());
      edges.replaceChildren(...graph.moves.flatMap((moves, i) => (i ? moves : []).map(({ kind, after }) => {
        const visits = walk.visits.get(`${i},${kind}`) || 0, [x, y] = at(i), [u, v] = at(after);
        const cx = (x + u) / 2 + (y - v) * 0.18 + (150 - (x + u) / 2) * 0.25, cy = (y + v) / 2 + (u - x) * 0.18 + (150 - (y + v) / 2) * 0.25;
        const [ox, oy] = [(x - 150) / 3.5, (y - 150) / 3.5]; // outwards; a loop is as wide as it is long
        const loop = `M${x},${y} c${ox - 0.7 * oy},${oy + 0.7 * ox} ${ox + 0.7 * oy},${oy - 0.7 * ox} 0,0`;
        return RB.svg("path", { d: i === after ? loop : `M${x},${y} Q${cx},${cy} ${u},${v}`, class: visits ? (walk.last === `${i},${kind}` ? "rb-edge rb-hit" : "rb-edge") : "rb-edge rb-never",
          "stroke-width": visits ? 1 + (3 * visits) / most : undefined, style: `--rb-depth:${visits ? Math.round(35 + (65 * visits) / most) : 0}%` });
      })));
      nodes.replaceChildren(...graph.nodes.map((_, i) => RB.svg("circle", { cx: at(i)[0], cy: at(i)[1], r: i === walk.at ? 8 : 5, class: i === walk.at ? "rb-node rb-hit" : "rb-node" })));
      const pairs = graph.moves.slice(1).flat().length, all = [...walk.visits.values()];
      const least = all.length < pairs ? 0 : Math.min(...all);
      words.textContent = `${all.length} of ${pairs} pairs visited${all.length ? `, each ${least} to ${Math.max(...all)} times` : ""}`;
      walk.words = `${walk.name}: ${words.textContent}`;
      drawing.setAttribute("aria-label", walk.words);
    };
    return RB.h("div", {}, RB.h("strong", {}, walk.name), " ", RB.keyLine(walk.colour, walk.dash), drawing, words);
  }

  function show(speak) {
    for (const walk of walks) walk.draw();
    const pairs = graph.moves.slice(1).flat().length;
    plot.draw(walks.map(({ colour, dash, covered }) => ({ colour, dash, points: covered })), ROUNDS, pairs);
    if (speak) live.textContent = `Round ${walks[0].run.t}. ${walks.map((walk) => walk.words).join(". ")}.`;
  }

  return { state: () => walks.map(({ name, visits, run }) => ({ name, visited: visits.size, t: run.t })), advance(rounds) { advance(rounds); show(); } };
};
