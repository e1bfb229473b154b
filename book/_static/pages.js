/* Small help on every page; without it all is there, only not as handy. */
(() => {
  "use strict";

  /* A link to something folded away opens it. */
  function unfold() {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    const next = target.nextElementSibling; // an empty place stands for what follows it
    const folded = target.closest("details") ||
      (next && next.matches("details") && !target.textContent.trim() ? next : null);
    if (!folded) return;
    for (let each = folded; each; each = each.parentElement.closest("details")) each.open = true;
    folded.scrollIntoView();
  }

  /* What is wider than the page scrolls: then, and only then, the keyboard must reach it. Watched,
   * so that nothing is laid out for it before it comes near. */
  const SCROLLS = ".formula, pre, figure, .pst-scrollable-table-container, .cell_output > .output, .bd-article table.table, .text_html";
  const sizes = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      const box = target.closest(SCROLLS);
      if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
      else box.removeAttribute("tabindex");
    }
  });
  function reachable() {
    for (const each of document.querySelectorAll(SCROLLS)) sizes.observe(each);
    for (const each of document.querySelectorAll(".formula > math")) sizes.observe(each);
  }

  function element(tag, attributes, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.append(...children);
    return made;
  }

  /* The ledger: by verdict, by section of the paper, by words. */
  function filter() {
    const rows = [...document.querySelectorAll("table.verdicts tr.claim")];
    if (!rows.length) return;
    const KINDS = [["", "all"], ["is-holds", "reproduced"], ["is-partly", "partly"], ["is-fails", "not reproduced"], ["is-open", "not checkable"]];
    const places = (row) => row.cells[1].textContent.trim().split(", ").filter((each) => /^(\d[\d.]*|[AB]|abstract)$/.test(each));
    const named = (each) => (/\d/.test(each) ? `section ${each}` : each.length > 1 ? `the ${each}` : `appendix ${each}`);
    const wish = { kind: "", section: "", words: "" };
    const said = element("p", { role: "status", "aria-live": "polite", class: "ledger-count" });
    const buttons = KINDS.map(([kind, text]) => {
      const count = rows.filter((row) => !kind || row.classList.contains(kind)).length;
      const button = element("button", { type: "button", class: `ledger-button ${kind}`, "aria-pressed": String(!kind) }, `${text} ${count}`);
      button.addEventListener("click", () => {
        wish.kind = kind;
        buttons.forEach((each) => each.setAttribute("aria-pressed", String(each === button)));
        show();
      });
      return button;
    });
    const rank = (each) => (each === "abstract" ? "0" : each); // abstract, 1, 3, 4.1, 4.2, ..., A, B
    const sections = [...new Set(rows.flatMap(places))].sort((one, other) => rank(one).localeCompare(rank(other), "en", { numeric: true }));
    const menu = element("select", {}, element("option", { value: "" }, "all sections"),
      ...sections.map((each) => element("option", { value: each }, named(each))));
    menu.addEventListener("change", () => { wish.section = menu.value; show(); });
    const words = element("input", { type: "search", placeholder: "words in a claim" });
    words.addEventListener("input", () => { wish.words = words.value.toLowerCase(); show(); });
    const bar = element("div", { class: "ledger-filter", role: "group", "aria-label": "Filter the claims" }, ...buttons,
      element("label", {}, "in ", menu), element("label", {}, "with ", words), said);
    document.querySelector("#all-verdicts > h2").after(bar);
    function show() {
      let shown = 0;
      for (const row of rows) {
        const fits = (!wish.kind || row.classList.contains(wish.kind)) && (!wish.section || places(row).includes(wish.section)) &&
          row.textContent.toLowerCase().includes(wish.words);
        row.hidden = !fits;
        shown += fits;
      }
      for (const table of new Set(rows.map((row) => row.closest("table")))) table.hidden = !table.querySelector("tr.claim:not([hidden])");
      said.textContent = shown === rows.length ? "" : `${shown} of ${rows.length} claims`;
    }
  }

  /* A table that says so sorts by the column whose head is pressed. */
  function sort() {
    for (const table of document.querySelectorAll("table.sortable")) {
      [...table.tHead.rows[0].cells].forEach((head, column) => {
        const button = element("button", { type: "button", class: "sort-button" }, ...head.childNodes);
        head.append(button);
        button.addEventListener("click", () => {
          const down = head.getAttribute("aria-sort") === "ascending";
          const value = (row) => {
            const text = row.cells[column].textContent.trim(), number = parseFloat(text.replace(/[,%]/g, ""));
            return Number.isNaN(number) ? text : number;
          };
          const rows = [...table.tBodies[0].rows].map((row) => [value(row), row]);
          rows.sort(([a], [b]) => (typeof a === typeof b ? (a < b ? -1 : a > b ? 1 : 0) : typeof a === "number" ? -1 : 1));
          if (down) rows.reverse();
          table.tBodies[0].append(...rows.map(([, row]) => row));
          for (const each of table.tHead.rows[0].cells) each.removeAttribute("aria-sort");
          head.setAttribute("aria-sort", down ? "descending" : "ascending");
        });
      });
    }
  }

  /* Paper is white. */
  function printed() {
    const root = document.documentElement, paper = matchMedia("print");
    let own = null;
    function lighten() {
      if (own === null) own = root.dataset.theme;
      root.dataset.theme = "light";
    }
    function restore() {
      if (own !== null) root.dataset.theme = own;
      own = null;
    }
    addEventListener("beforeprint", lighten);
    addEventListener("afterprint", restore);
    paper.addEventListener("change", () => (paper.matches ? lighten() : restore()));
  }

  addEventListener("hashchange", unfold);
  addEventListener("DOMContentLoaded", () => {
    filter();
    sort();
    unfold();
    reachable();
    printed();
  });
})();
