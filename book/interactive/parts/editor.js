/* Reward curves to draw: one small chart an arm. Drag across a chart, or move a point with the arrow
 * keys. A finger draws sideways, taps, or moves a point; up and down it scrolls the page. Every change
 * is handed over as a new table of means. */
RB.editor = function (means, onchange) {
  const WIDE = 130, HIGH = 96, LEFT = 14, BOTTOM = 16, TOP = 8, MOST = 6;
  let table = means.map((row) => row.slice());
  const element = RB.h("div", { class: "rb-editor" });
  const charts = RB.h("div", { class: "rb-charts" });
  const x = (s) => LEFT + ((s + 0.5) / table[0].length) * (WIDE - LEFT);
  const y = (mean) => TOP + (1 - mean) * (HIGH - TOP - BOTTOM);

  function set(arm, s, mean) {
    table[arm][s] = Math.round(Math.min(Math.max(mean, 0), 1) * 20) / 20;
    draw(arm);
    onchange(table.map((row) => row.slice()));
  }

  function chart(arm) {
    const line = RB.svg("polyline", { class: "rb-curve" });
    const grips = table[arm].map(() => RB.svg("circle", { r: 11, class: "rb-grip" })); // what a finger meets
    const points = table[arm].map((_, s) => RB.svg("circle", {
      r: 5, class: "rb-point", tabindex: 0, role: "slider",
      "aria-label": `Mean reward of arm ${arm + 1} in state ${s + 1}`,
      "aria-valuemin": 0, "aria-valuemax": 1, "aria-orientation": "vertical",
      onkeydown(event) {
        const step = { ArrowUp: 0.05, ArrowRight: 0.05, ArrowDown: -0.05, ArrowLeft: -0.05,
                       PageUp: 0.25, PageDown: -0.25, Home: -1, End: 1 }[event.key];
        if (step === undefined) return;
        event.preventDefault();
        set(arm, s, table[arm][s] + step);
      },
    }));
    const ticks = table[arm].map((_, s) =>
      RB.svg("text", { x: x(s), y: HIGH - 4, class: "rb-tick", "text-anchor": "middle" }, String(s + 1)));
    const levels = [0, 0.5, 1].map((mean) => RB.svg("g", { "aria-hidden": "true" },
      RB.svg("line", { x1: LEFT, x2: WIDE, y1: y(mean), y2: y(mean), class: "rb-level" }),
      RB.svg("text", { x: LEFT - 3, y: y(mean) + 3, class: "rb-tick", "text-anchor": "end" },
        mean === 0.5 ? ".5" : String(mean))));
    const picture = RB.svg("svg", {
      viewBox: `0 0 ${WIDE} ${HIGH}`, class: "rb-chart", role: "group",
      "aria-label": `Arm ${arm + 1}: mean reward by state`,
      onpointerdown(event) {
        picture.setPointerCapture(event.pointerId);
        touched = event.pointerType === "touch" && !event.target.matches(".rb-grip, .rb-point") ? event : null;
        if (!touched) reach(event);
      },
      onpointermove(event) {
        if (!event.buttons) return;
        if (touched && Math.abs(event.clientX - touched.clientX) <= Math.abs(event.clientY - touched.clientY)) return;
        if (touched) reach(touched);
        touched = null;
        reach(event);
      },
      onpointerup() {
        if (touched) reach(touched);
        touched = null;
      },
      onpointercancel() {
        touched = null;
      },
    }, ...levels, ...ticks, line, ...grips, ...points);
    let touched = null; // where a finger lies that may still want to scroll
    function reach(event) {
      const box = picture.getBoundingClientRect();
      const across = ((event.clientX - box.left) / box.width) * WIDE - LEFT;
      const up = ((event.clientY - box.top) / box.height) * HIGH - TOP;
      const s = Math.floor((across / (WIDE - LEFT)) * table[arm].length);
      if (s >= 0 && s < table[arm].length) set(arm, s, 1 - up / (HIGH - TOP - BOTTOM));
    }
    return { line, points, grips, element: RB.h("div", {}, RB.h("span", { class: "rb-name" }, `arm ${arm + 1}`), picture) };
  }

  let drawn = [];
  function draw(arm) {
    const { line, points, grips } = drawn[arm];
    line.setAttribute("points", table[arm].map((mean, s) => `${x(s)},${y(mean)}`).join(" "));
    points.forEach((point, s) => {
      for (const each of [point, grips[s]]) {
        each.setAttribute("cx", x(s));
        each.setAttribute("cy", y(table[arm][s]));
      }
      point.setAttribute("aria-valuenow", table[arm][s]);
    });
  }

  function rebuild() {
    drawn = table.map((_, arm) => chart(arm));
    charts.replaceChildren(...drawn.map((each) => each.element));
    table.forEach((_, arm) => draw(arm));
    more.disabled = table.length >= MOST;
    fewer.disabled = table.length <= 2;
    longer.disabled = table[0].length >= MOST;
    shorter.disabled = table[0].length <= 2;
  }

  function reshape(change) {
    table = change(table);
    rebuild();
    onchange(table.map((row) => row.slice()));
  }
  const more = RB.button("+ arm", () => reshape((t) => [...t, t[t.length - 1].slice()]));
  const fewer = RB.button("− arm", () => reshape((t) => t.slice(0, -1)), { "aria-label": "one arm fewer" });
  const longer = RB.button("+ state", () => reshape((t) => t.map((row) => [...row, row[row.length - 1]])));
  const shorter = RB.button("− state", () => reshape((t) => t.map((row) => row.slice(0, -1))), { "aria-label": "one state fewer" });
  element.append(charts, RB.h("p", { class: "rb-hint" }, "Across: state. Up: mean reward."), RB.h("div", { class: "rb-tools" }, more, fewer, longer, shorter));
  rebuild();
  return {
    element,
    set(means) {
      table = means.map((row) => row.slice());
      rebuild();
    },
  };
};
