/* Elements, and the few controls that figures share: all native, so that keyboards and screen
 * readers know them. */
RB.h = function (tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
};

RB.svg = function (tag, attributes = {}, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
};

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== undefined && value !== false) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== undefined && child !== null));
  return element;
}

RB.button = (text, onclick, attributes = {}) =>
  RB.h("button", { type: "button", class: "rb-button", onclick, ...attributes }, text);

let groups = 0;

/* One of a few: radio buttons that look like one bar. `options`: [[value, text], ...]. `clear()` leaves
 * none chosen, so that each can be chosen anew. */
RB.choice = function (label, options, value, onchange) {
  const name = `rb-choice-${++groups}`;
  const group = RB.h("fieldset", { class: "rb-choice" }, RB.h("legend", {}, label));
  group.clear = () => {
    for (const input of group.querySelectorAll("input")) input.checked = false;
  };
  for (const [each, text] of options) {
    const input = RB.h("input", { type: "radio", name, value: each, onchange: () => onchange(each) });
    input.checked = each === value;
    group.append(RB.h("label", {}, input, RB.h("span", {}, text)));
  }
  return group;
};

RB.select = function (label, options, value, onchange) {
  const select = RB.h("select", { onchange: () => onchange(select.value) },
    ...options.map(([each, text]) => RB.h("option", { value: each }, text)));
  select.value = value;
  return RB.h("label", { class: "rb-select" }, RB.h("span", {}, label), select);
};

/* A slider over a few values, which it reads out; it can be set from elsewhere, too. */
RB.slider = function (label, texts, at, onchange) {
  const shown = RB.h("output", {}, texts[at]);
  const input = RB.h("input", {
    type: "range", min: 0, max: texts.length - 1, step: 1, value: at, "aria-valuetext": texts[at],
    oninput() {
      say();
      onchange(Number(input.value));
    },
  });
  function say() {
    shown.textContent = texts[input.value];
    input.setAttribute("aria-valuetext", texts[input.value]);
  }
  return {
    element: RB.h("label", { class: "rb-slider" }, RB.h("span", {}, label, " ", shown), input),
    set(value) {
      input.value = value;
      say();
    },
  };
};

/* What changed, for those who listen. */
RB.live = () => RB.h("p", { class: "rb-live", role: "status", "aria-live": "polite" });

RB.number = (x, digits = 2) => x.toLocaleString("en", {
  minimumFractionDigits: digits, maximumFractionDigits: digits,
});

RB.still = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;

/* Calls work() once a frame until it says that it is done. Where motion is not wanted, show() is
 * called at the end only. Returns a function that stops it. */
RB.animate = function (work, show, done = () => {}) {
  let frame = 0, stopped = false;
  (function next() {
    const finished = work();
    if (finished || !RB.still()) show();
    if (finished) done();
    else if (!stopped) frame = requestAnimationFrame(next);
  })();
  return () => {
    stopped = true;
    cancelAnimationFrame(frame);
  };
};

/* Numbered arms in a row, for cycles and what was pulled. */
RB.chips = (arms, label) => RB.h("ol", { class: "rb-chips", "aria-label": label },
  ...arms.map((arm) => RB.h("li", { class: "rb-chip", "data-arm": arm + 1 }, String(arm + 1))));
