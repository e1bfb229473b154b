/* Bandits to choose from: the paper's (RB.settings, written by the build from rb_core), one of the
 * book's own, and one that the reader draws. */
RB.OWN = {
  name: "four", text: "Four arms of our own",
  means: [
    [0.05, 0.15, 0.3, 0.6, 0.95],
    [0.1, 0.3, 0.7, 0.5, 0.3],
    [0.35, 0.35, 0.35, 0.35, 0.35],
    [0.1, 0.45, 0.5, 0.55, 0.6],
  ],
};

RB.bandits = () => [RB.OWN, ...RB.settings];

RB.meansOf = (name) => RB.bandits().find((each) => each.name === name).means;

/* A menu of them; "drawn" opens an editor that begins with what was chosen before.
 * onchange(means, name). */
RB.banditMenu = function (names, chosen, onchange) {
  const listed = RB.bandits().filter((each) => names.includes(each.name));
  const options = [...listed.map((each) => [each.name, each.text]), ["drawn", "Draw your own …"]];
  const room = RB.h("div", { class: "rb-room" });
  let means = RB.meansOf(chosen);
  const menu = RB.select("Bandit", options, chosen, (name) => {
    room.replaceChildren();
    if (name === "drawn") {
      const cut = means.length > 6 || means[0].length > 6;
      means = means.slice(0, 6).map((row) => row.slice(0, 6));
      const editor = RB.editor(means, (drawn) => {
        means = drawn;
        onchange(means, name);
      });
      room.append(RB.h("p", { class: "rb-hint" }, "Drag across a chart to draw it, or move a point with the arrow keys." +
        (cut ? " At most six arms and six states: the others are left out." : "")), editor.element);
    } else means = RB.meansOf(name);
    onchange(means, name);
  });
  return { menu, room };
};
