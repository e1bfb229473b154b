/* Lines over rounds: an SVG with two axes that grow with what is drawn. It is drawn as wide as its
 * place is, so that letters stay as large as they are. */
RB.plot = function ({ label, xLabel, yLabel, wide = 640, high = 300 }) {
  const LEFT = 58, BOTTOM = 40, TOP = 12, RIGHT = 22;
  const axes = RB.svg("g"), lines = RB.svg("g");
  let last = null;
  const element = RB.svg("svg", { viewBox: `0 0 ${wide} ${high}`, class: "rb-plot", role: "img", "aria-label": label }, axes, lines);

  function ticks(most) { // about four, at 1, 2 or 5 times a power of ten
    const rough = most / 4, power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map((m) => m * power).find((each) => each >= rough);
    const found = [];
    for (let at = 0; at <= most * 1.0001; at += step) found.push(at);
    return found;
  }
  const short = (x) => (x >= 1e6 ? `${x / 1e6}M` : x >= 1e4 ? `${x / 1e3}k` : String(Math.round(x * 1000) / 1000));

  /* series: [{colour, dash, points: [[x, y], ...]}] */
  function draw(series, lastRound, highest) {
    last = [series, lastRound, highest];
    wide = element.clientWidth || wide;
    element.setAttribute("viewBox", `0 0 ${wide} ${high}`);
    const x = (value) => LEFT + (value / lastRound) * (wide - LEFT - RIGHT);
    const y = (value) => high - BOTTOM - (Math.min(value, highest) / highest) * (high - BOTTOM - TOP);
    axes.replaceChildren(
      ...ticks(highest).map((at) => RB.svg("g", {},
        RB.svg("line", { x1: LEFT, x2: wide - RIGHT, y1: y(at), y2: y(at), class: "rb-level" }),
        RB.svg("text", { x: LEFT - 6, y: y(at) + 4, "text-anchor": "end", class: "rb-label" }, short(at)))),
      ...ticks(lastRound).map((at) =>
        RB.svg("text", { x: x(at), y: high - BOTTOM + 16, "text-anchor": "middle", class: "rb-label" }, short(at))),
      RB.svg("text", { x: (LEFT + wide) / 2, y: high - 6, "text-anchor": "middle", class: "rb-label" }, xLabel),
      RB.svg("text", { x: 12, y: high / 2 - 14, "text-anchor": "middle", class: "rb-label", transform: `rotate(-90 12 ${high / 2 - 14})` }, yLabel));
    lines.replaceChildren(...series.map(({ colour, dash, points }) => RB.svg("polyline", {
      class: "rb-line", stroke: colour, "stroke-dasharray": dash,
      points: points.map(([a, b]) => `${x(a).toFixed(1)},${y(b).toFixed(1)}`).join(" "),
    })));
  }
  new ResizeObserver(() => {
    if (last && element.clientWidth !== wide) draw(...last);
  }).observe(element);
  return { element, draw };
};

/* A short line as a plot has it, for legends. */
RB.keyLine = (colour, dash) => RB.svg("svg", { viewBox: "0 0 28 6", class: "rb-key-line", "aria-hidden": "true" },
  RB.svg("line", { x1: 0, x2: 28, y1: 3, y2: 3, stroke: colour, "stroke-width": 3, "stroke-dasharray": dash }));
