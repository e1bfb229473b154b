"""The bandit of a sweep: one of the paper's, one like it of any size, or a table from a file."""

from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any

from rb_core.bandit import REWARD_LAWS, RecoveringBandit
from rb_core.checks import InputError, choice, number, numeral, whole
from rb_core.evaluation import experiment
from rb_core.lab.reward_tables import read_means
from rb_core.lab.sweep.texts import mapping, single
from rb_core.planning import graph, kinds
from rb_core.settings import SETTINGS, SHAPES, Given, means_like

SIZES = ("K", "s_max", "best_arms", "shape")  # of a bandit like those in the paper's table
PARAMETERS = (*SIZES, "table", "reward", "variance")
LARGEST = 100  # arms, or states; what can be planned is less


def base_fields(base: Any, swept: Collection[str]) -> dict[str, Any]:
    """What the base says of a bandit, as texts, and of rounds and discount if it is one of the 36.

    A table and the sizes of a bandit like the paper's exclude each other.
    """
    if isinstance(base, str):
        of = experiment(base)
        fields = {"experiment": of, "rounds": str(of.rounds), "reward": of.reward}
        fields["gamma"] = None if of.discounted else "1"  # None: the paper's, by the rounds
        row = SETTINGS[of.setting]
        if isinstance(row, Given):
            fields["means"] = row.table
        elif "table" not in swept:
            fields |= {"K": str(row.arms), "s_max": str(row.s_max), "shape": of.shape}
            if row.best_arms < row.arms:
                fields["best_arms"] = str(row.best_arms)
    else:
        fields = {"experiment": None, "rounds": None, "gamma": "1"}
        for key, value in mapping("base", base).items():
            fields[choice("key of a base", key, PARAMETERS)] = single(key, value)
    sizes = [key for key in SIZES if key in fields or key in swept]
    if sizes and ("table" in fields or "table" in swept or "means" in fields):
        raise InputError(f"{sizes[0]} does not apply where the rewards are given as a table.")
    return fields


def bandit_and_parameters(
    folder: Path, texts: Iterable[tuple[str, Any]]
) -> tuple[RecoveringBandit, dict[str, Any]]:
    """The bandit that (key, text) pairs describe, if it can be planned, and its parameters."""
    given = dict(texts)
    used: dict[str, Any] = {
        "reward": choice("reward law", given.get("reward", "bernoulli"), REWARD_LAWS),
        "variance": number("variance", numeral("variance", given.get("variance", "0.5")), 0),
    }
    if "table" in given:
        used["table"] = given["table"]
        means: Any = read_means(folder / given["table"])
    elif "means" in given:
        means = given["means"]
    else:
        used |= _sizes(given)
        means = means_like(*(used[key] for key in SIZES))
    bandit = RecoveringBandit(means, used["reward"], used["variance"])
    graph(bandit, kinds(bandit))  # which refuses what has too many states
    return bandit, used


def _sizes(given: dict[str, Any]) -> dict[str, Any]:
    for key in ("K", "s_max"):
        if key not in given:
            raise InputError(f"The base needs a table, or K and s_max: {key} is missing.")
    shape = choice("shape", given.get("shape", SHAPES[0]), SHAPES)
    arms = whole("K", numeral("K", given["K"]), 1, LARGEST)
    fewest = 3 if shape == "peaked" else 2
    s_max = whole("s_max", numeral("s_max", given["s_max"]), fewest, LARGEST)
    best = whole("best_arms", numeral("best_arms", given.get("best_arms", str(arms))), 1, arms)
    return {"K": arms, "s_max": s_max, "best_arms": best, "shape": shape}
