/* Play the bandit: a pull pays the height of its bar, thirty rounds, against others who see the same
 * bars, and two learners who have practised and see none. */
RB.figures.play = function (place) {
  const ROUNDS = 30, PRACTICE = 100000;
  const LEARNERS = ["SS-SARSA", "PlanUCB"];
  const live = RB.live(), arms = RB.h("div", { class: "rb-arms", role: "group" });
  const round = RB.h("strong"), again = RB.button("Start again", () => begin());
  const score = RB.h("tbody"), pulled = RB.h("div", { class: "rb-pulled" });
  const end = RB.h("div", { class: "rb-end" }), note = RB.h("p", { class: "rb-note" });
  const names = RB.bandits().map((each) => each.name);
  const { menu, room } = RB.banditMenu(names, RB.OWN.name, (chosen) => {
    means = chosen;
    prepare();
  });
  let means = RB.OWN.means, bandit, best, cycle, others, buttons, game, stopPractice = () => {};

  place.append(RB.h("div", { class: "rb-card rb-play", onkeydown: keys },
    RB.h("div", { class: "rb-board" },
      RB.h("div", {}, arms, RB.h("p", { class: "rb-hint" }, "Tap a bar: it pays its height. Dashed: the most it can pay.",
        RB.h("span", { class: "rb-keys" }, " With an arm in focus, keys 1, 2, 3 … pull, too."))),
      RB.h("div", { class: "rb-side" },
        RB.h("div", { class: "rb-round" }, round, again),
        RB.h("table", { class: "rb-score" },
          RB.h("caption", { class: "rb-hidden" }, "Totals so far"),
          RB.h("thead", { class: "rb-hidden" }, RB.h("tr", {},
            ...["player", "share of the best", "total"].map((text) => RB.h("th", { scope: "col" }, text)))),
          score),
        note)),
    pulled, end, live, RB.h("div", { class: "rb-tools" }, menu), room));
  prepare();

  /* A new bandit: what the others will do, once. */
  function prepare() {
    stopPractice();
    bandit = RB.bandit(means);
    best = RB.bestRounds(means, ROUNDS);
    cycle = RB.optimum(means);
    others = {
      greedy: played(RB.greedy(bandit)),
      optimum: best.arms,
    };
    buttons = means.map((row, arm) => armButton(arm, Math.max(...row)));
    arms.replaceChildren(...buttons.map((each) => each.element));
    arms.style.setProperty("--rb-columns", means.length > 6 ? Math.ceil(means.length / 2) : means.length);
    begin();
    practise();
  }

  function practise() {
    const training = LEARNERS.map((name, i) => [name, RB.practice(bandit, name, PRACTICE, 17 + i)]);
    const wait = setTimeout(work, 50);
    let alive = true;
    function work() {
      if (!alive) return;
      const busy = training.find(([, learner]) => !learner.work(12));
      for (const [name, learner] of training) {
        if (learner.share() === 1 && !others[name]) others[name] = played(learner.player());
      }
      show();
      if (busy) setTimeout(work, 8);
    }
    stopPractice = () => {
      alive = false;
      clearTimeout(wait);
    };
  }

  /* The arms that somebody pulls in a game of their own. */
  function played(choose) {
    let state = bandit.start();
    return Array.from({ length: ROUNDS }, () => {
      const arm = choose(state);
      state = bandit.next(state, arm);
      return arm;
    });
  }

  function totals(sequence) {
    let state = bandit.start(), sum = 0;
    return [0, ...sequence.map((arm) => {
      sum += bandit.mean(state, arm);
      state = bandit.next(state, arm);
      return sum;
    })];
  }

  function begin() {
    game = { state: bandit.start(), arms: [], total: 0 };
    end.replaceChildren();
    pulled.replaceChildren();
    live.textContent = "";
    show();
  }

  function armButton(arm, peak) {
    const bar = RB.h("span", { class: "rb-fill" });
    const pays = RB.h("span", { class: "rb-pays" }), rest = RB.h("span", { class: "rb-rest", "aria-hidden": "true" });
    const rests = RB.h("span", { class: "rb-hidden" });
    const element = RB.h("button", { type: "button", class: "rb-arm", "data-arm": arm + 1, onclick: () => pull(arm) },
      RB.h("span", { class: "rb-hidden" }, `Pull arm ${arm + 1}: pays `),
      RB.h("span", { class: "rb-tube" }, bar, RB.h("span", { class: "rb-peak", style: `bottom:${100 * peak}%` }), pays),
      RB.h("span", { class: "rb-key", "aria-hidden": "true" }, String(arm + 1)), rests, rest);
    return {
      element,
      show() {
        const s = game.state[arm], mean = bandit.mean(game.state, arm);
        bar.style.height = `${100 * mean}%`;
        pays.style.bottom = mean < 0.25 ? `calc(${100 * mean}% + 0.3rem)` : "0.3rem"; // above a low bar
        element.classList.toggle("rb-high", game.state.every((_, k) => bandit.mean(game.state, k) <= mean));
        pays.textContent = RB.number(mean);
        rest.textContent = s === bandit.sMax ? "rested" : `${s} ago`; // one line, however narrow the arm
        rests.textContent = s === bandit.sMax ? "fully rested" : s === 1 ? "just pulled" : `${s} rounds ago`;
      },
    };
  }

  function pull(arm) {
    if (game.arms.length === ROUNDS) return;
    const mean = bandit.mean(game.state, arm);
    game.total += mean;
    game.arms.push(arm);
    game.state = bandit.next(game.state, arm);
    pulled.replaceChildren(RB.h("span", { class: "rb-name" }, "your pulls"), RB.chips(game.arms, "Your pulls"));
    show();
    live.textContent = `Arm ${arm + 1} paid ${RB.number(mean)}. Round ${game.arms.length} of ${ROUNDS}, total ${RB.number(game.total)}.`;
    if (game.arms.length === ROUNDS) finish();
  }

  function keys(event) {
    const arm = Number(event.key) - 1;
    if (event.target.closest("select, .rb-room") || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key >= "1" && event.key <= "9" && arm < bandit.arms) pull(arm);
    else if (event.key === "0" && bandit.arms === 10) pull(9);
    else if (event.key === "ArrowRight" || event.key === "ArrowLeft") {
      const at = buttons.findIndex((each) => each.element === document.activeElement);
      if (at < 0) return;
      const step = event.key === "ArrowRight" ? 1 : bandit.arms - 1;
      buttons[(at + step) % bandit.arms].element.focus();
    } else return;
    event.preventDefault();
  }

  function show() {
    const t = game.arms.length, over = t === ROUNDS;
    round.textContent = over ? `Thirty rounds: ${share()} of the best possible` : `Round ${t + 1} of ${ROUNDS}`;
    for (const each of buttons) {
      each.show();
      each.element.setAttribute("aria-disabled", over);
    }
    const rows = [["you", game.total], ["greedy", totals(others.greedy)[t]],
      ...LEARNERS.map((name) => [name, others[name] ? totals(others[name])[t] : null]),
      ["optimum", totals(others.optimum)[t]]];
    score.replaceChildren(...rows.map(([name, total]) => RB.h("tr", { "data-player": name },
      RB.h("th", { scope: "row" }, name),
      RB.h("td", {}, RB.h("span", { class: "rb-track" },
        RB.h("span", { class: "rb-bar", style: `width:${Math.min(100, (100 * (total || 0)) / best.value)}%` }))),
      RB.h("td", { class: "rb-total" }, total === null ? "…" : RB.number(total)))));
    const practised = LEARNERS.every((name) => others[name]) ? "have practised" : "are practising";
    note.textContent = `Greedy takes the highest bar. ${LEARNERS.join(" and ")} ${practised} for ${PRACTICE.toLocaleString("en")} rounds of this bandit, where a pull pays 1 or 0 and no bar is to be seen. The optimum is that of all ${ROUNDS} rounds together.`;
  }

  function share() {
    return `${Math.floor((100 * game.total) / best.value + 1e-9)}%`;
  }

  function finish() {
    const mine = rhythm(game.arms), ideal = turned(cycle.cycle.map((each) => each.arm), mine);
    const line = (text, chosen, average) => RB.h("div", { class: "rb-rhythm" },
      RB.h("span", { class: "rb-name" }, text), RB.chips(chosen, text),
      RB.h("span", { class: "rb-average" }, `${RB.number(average, 3)} a round`));
    const last = totals(game.arms), span = mine ? mine.length : 10;
    const average = (last[ROUNDS] - last[ROUNDS - span]) / span;
    const earned = `You earned ${RB.number(game.total)}, ${share()} of the best possible ${RB.number(best.value)}.`;
    const found = !mine || average < cycle.average - 1e-9 ? ""
      : ` You found ${mine.join() === ideal.join() ? "the best cycle" : "a cycle as good as the best"}`;
    const lost = !found ? "" : game.total > best.value - 1e-9 ? "." : "; the rest was lost at the start and the end.";
    const words = earned + found + lost;
    end.replaceChildren(RB.h("p", {}, RB.h("strong", {}, words)),
      mine ? line("your cycle", mine, average)
        : RB.h("p", {}, `No cycle yet: your last ten rounds earned ${RB.number(average, 3)} a round.`),
      line("best cycle", ideal, cycle.average));
    end.scrollIntoView({ block: "nearest" });
    live.textContent = `${words} ${mine ? `Your cycle: arms ${mine.map((arm) => arm + 1).join(", ")}.` : "You have no cycle yet."} ` +
      `Best cycle: arms ${ideal.map((arm) => arm + 1).join(", ")}, ${RB.number(cycle.average, 3)} a round.`;
  }

  return {
    state: () => ({ round: game.arms.length, total: game.total, arms: game.arms.slice(), others }),
    pull, begin,
    choose(chosen) {
      means = chosen;
      prepare();
    },
  };
};

/* A cycle, begun where the player's begins. */
function turned(arms, mine) {
  const turns = arms.map((_, i) => [...arms.slice(i), ...arms.slice(0, i)]);
  return turns.find((turn) => mine && turn.join() === mine.join()) || turns.find((turn) => mine && turn[0] === mine[0]) || arms;
}

/* The shortest cycle that the last pulls repeat at least twice, if there is one. */
function rhythm(arms) {
  for (let length = 1; length <= arms.length / 2; length++) {
    const last = arms.slice(-Math.max(2 * length, length + 4));
    if (last.every((arm, i) => i < length || arm === last[i - length])) return arms.slice(-length);
  }
  return null;
}
