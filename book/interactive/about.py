"""What the build gives to the figures: their scripts as one file, their data, their alt texts."""

import csv
import json
from collections import Counter, defaultdict
from itertools import pairwise
from pathlib import Path

import rb_core as rb
from rb_core.agents import AGENTS
from rb_core.settings import SETTINGS, means_like

ROOM = Path(__file__).parent
SWEEPS = ROOM.parents[1] / "notebooks" / "sweeps"
DASHES = {"-": None, "--": "7 4", "-.": "8 3 2 3", ":": "2 3"}
RACING = (
    "SS-SARSA",
    "SS-SARSA (sep.)",
    "SARSA",
    "Q-learning",
    "1RGP-TS",
    "2RGP-TS",
    "PlanUCB",
)
SHAPES = {"increasing": "rising", "peaked": "peaked"}

# What a still picture of each shows, for those who cannot see it.
ALT = {
    "play": "A game of thirty rounds in its middle: four bars, one an arm, at different heights; "
    "each falls when its arm is pulled and changes while it rests. Beside them the totals "
    "of you, a greedy player who takes the highest bar, SS-SARSA, PlanUCB and the optimum.",
    "step": "One round of SS-SARSA with four arms and five states: the states of the arms, the "
    "four small tables of the arm that was pulled with the updated cells marked, and a table of "
    "mean rewards, values and numbers of updates by state.",
    "draw": "Four reward curves over five states, and the best cycle for them as a ring of arms "
    "with its average reward in the middle.",
    "rotor": "Two copies of the graph of joint states of three arms. The rotor walk has used all "
    "its edges about equally often, the random walk some often and some rarely.",
    "sweep": "Share of runs that end optimally for five values of t0 and five shares of "
    "exploration, as a coloured table, and the regrets of the hundred runs of one "
    "combination as dots.",
    "race": "Regret of the agents over 100,000 rounds of one run each, as growing curves, and a "
    "table of their regrets so far.",
}


def sources():
    """The texts of all scripts of the room, in their order."""
    files = [ROOM / "rb.js"]
    for room in ("agents", "parts", "figures"):
        files += sorted((ROOM / room).glob("*.js"))
    return [path.read_text("utf-8") for path in (*files, ROOM / "start.js")]


def scripts():
    """All of them as one classic script, which pages read from a disk can load."""
    first, *others = sources()
    facts = f"RB.settings = {compact(bandits())};\nRB.looks = {compact(looks())};"
    begin, end = '(() => {\n"use strict";', "window.RB = RB;\n})();\n"
    return "\n".join([begin, first, facts, *others, end])


def styles():
    """The style sheet, and how much room each figure takes before it is alive, by its width."""
    room = json.loads((ROOM / "posters" / "heights.json").read_text())
    rules = [
        f"@container (min-width: {wide}px) "
        f"{{ [data-figure={name}] .rb-place {{ --rb-high: {high}px }} }}"
        for name, steps in room.items()
        for wide, high in steps
    ]
    return "\n".join([(ROOM / "interactive.css").read_text("utf-8"), *rules, ""])


def bandits():
    """The paper's."""
    return [
        {
            "name": f"{name}-{shape}" if len(each.shapes) > 1 else name,
            "text": name.capitalize().replace("-h", "-H")
            + (f", {SHAPES[shape]}" if len(each.shapes) > 1 else " problem"),
            "means": [list(row) for row in each.means(shape)],
        }
        for name, each in SETTINGS.items()
        for shape in each.shapes
    ]


def looks():
    """How the agents in the page are drawn."""
    drawn = {name: AGENTS[name] for name in RACING}
    return {
        name: {"colour": each.colour, "dash": DASHES[each.line] or "none"}
        for name, each in drawn.items()
    }


def data(name):
    """What one figure is given; it is embedded in the page."""
    if name == "step":
        return {shape: means_like(4, 5, 4, shape) for shape in SHAPES}
    if name == "sweep":
        return sweep()
    return {}


def sweep():
    """The committed runs by combination of t0 and exploration."""
    sets = []
    for file, setting in (("sensitivity", "6-Homo"), ("constants", "6-Hetero")):
        runs = defaultdict(list)
        with open(SWEEPS / f"{file}.csv", newline="") as table:
            for row in csv.DictReader(table):
                if row["t0"]:
                    place = row["agent"], row["shape"]
                    runs[place].append((float(row["t0"]), float(row["explore"]), row))
        for (agent, shape), rows in runs.items():
            t0 = sorted({x for x, _, _ in rows})
            explore = sorted({x for _, x, _ in rows})
            cells = [
                cell([row for a, b, row in rows if (a, b) == (x, y)]) for x in t0 for y in explore
            ]
            sets.append({"text": f"{agent}, {setting}, {SHAPES[shape]}", "cells": cells})
    first = [each["text"] for each in sets].index("SS-SARSA (sep.), 6-Homo, peaked")
    return {"t0": [int(x) for x in t0], "explore": explore, "sets": sets, "first": first}


def cell(rows):
    """The runs of one combination, by regret, which is kept as steps from one to the next."""
    rows = sorted(rows, key=lambda row: float(row["regret"]))
    regrets = [0, *(round(float(row["regret"])) for row in rows)]
    optimal = [int(row["optimal"]) for row in rows]
    rate = rb.wilson(sum(optimal), len(optimal))
    return {
        "rate": [round(x, 3) for x in (rate.value, rate.low, rate.high)],
        "steps": [after - before for before, after in pairwise(regrets)],
        "optimal": "".join(map(str, optimal)),
        "endings": Counter(row["ending"] for row in rows).most_common(1),
    }


def compact(thing):
    return json.dumps(thing, separators=(",", ":"))
