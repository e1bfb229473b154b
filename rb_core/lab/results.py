"""Files of results: the summaries of one experiment, and for each agent who computed it."""

import hashlib
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from rb_core.checks import InputError
from rb_core.engine.blocks import Maker
from rb_core.engine.files import replacing
from rb_core.engine.streams import canonical_text
from rb_core.evaluation import Experiment, experiment
from rb_core.summary import Measured, Summary

FORMAT = 2
COMMITTED = Path(__file__).parents[2] / "notebooks" / "results"
TEXTS = ("endings",)  # fields of a summary that are no arrays
# What files call the fields of a summary: the first edition's name of one is kept.
NAMED = {key: key for key in Summary._fields} | {"strictly_optimal": "optimal"}


@dataclass
class Results:
    """What a file of results says.

    Attributes
    ----------
    experiment, bandit, rounds, simulations, seed : what was simulated
    agents : each agent with all its parameters, in words
    measured : each agent's summary, with who computed it and what that took
    notes : whatever else its makers wanted to say, such as the command
    """

    experiment: str
    bandit: str
    rounds: int
    simulations: int
    seed: int
    agents: dict[str, str]
    measured: dict[str, Measured]
    notes: dict = field(default_factory=dict)

    @property
    def provenance(self) -> dict:
        """All but the numbers: what was simulated, by whom, and what it took."""
        return {
            **self.notes, "experiment": self.experiment, "simulations": self.simulations,
            "rounds": self.rounds, "seed": self.seed,
            "core seconds": {name: each.seconds for name, each in self.measured.items()},
            "made by": {name: each.maker._asdict() for name, each in self.measured.items()},
        }  # fmt: skip


def expected_results(chosen: Experiment, sims: int) -> Results:
    """What a file of this experiment must say, before anything is measured."""
    agents = {name: canonical_text(agent) for name, agent in chosen.agents.items()}
    bandit = canonical_text(chosen.bandit)
    return Results(chosen.name, bandit, chosen.rounds, sims, chosen.seed, agents, {})


def write_results(path: Path, results: Results) -> None:
    """Keep results in one small file, whole or not at all."""
    arrays: dict[str, Any] = {}
    agents = {}
    for name, (summary, maker, seconds) in results.measured.items():
        fields = summary._asdict()
        agents[name] = {"agent": results.agents[name], **maker._asdict(),
                        "seconds": round(seconds, 1), **{key: fields.pop(key) for key in TEXTS}}
        arrays |= {f"{name}/{NAMED[key]}": value for key, value in fields.items()
                   if value is not None}
    about = {
        "format": FORMAT, "experiment": results.experiment, "bandit": results.bandit,
        "rounds": results.rounds, "simulations": results.simulations, "seed": results.seed,
        "agents": agents, "notes": results.notes, "digest": _digest(arrays),
    }  # fmt: skip
    with replacing(path) as part, open(part, "wb") as file:
        np.savez_compressed(file, about=np.array(json.dumps(about, indent=1)), **arrays)


def read_results(path: Path) -> Results:
    """The results in a file; a damaged or foreign one is an InputError."""
    try:
        with np.load(path, allow_pickle=False) as file:
            arrays = dict(file)
        about = json.loads(str(arrays.pop("about")))
        if about["format"] != FORMAT or about["digest"] != _digest(arrays):
            raise ValueError
        measured = {}
        for name, said in about["agents"].items():
            found = {key: arrays.pop(f"{name}/{kept}") for key, kept in NAMED.items()
                     if f"{name}/{kept}" in arrays}
            found["endings"] = [(str(cycle), int(count)) for cycle, count in said["endings"]]
            maker = Maker(*(str(said[key]) for key in Maker._fields))
            measured[name] = Measured(Summary(**found), maker, float(said["seconds"]))
        agents = {name: str(said["agent"]) for name, said in about["agents"].items()}
        if arrays:  # of an agent that nothing is said about
            raise ValueError
        return Results(
            str(about["experiment"]), str(about["bandit"]), int(about["rounds"]),
            int(about["simulations"]), int(about["seed"]), agents, measured, dict(about["notes"]),
        )  # fmt: skip
    except FileNotFoundError:
        raise InputError(f"There is no file of results {str(path)!r}.") from None
    except Exception as error:  # whatever a damaged or foreign file makes NumPy or json say
        raise InputError(f"{str(path)!r} is no file of results, or it is damaged.") from error


def _digest(arrays: dict[str, Any]) -> str:
    digest = hashlib.sha256()
    for name, array in sorted(arrays.items()):
        digest.update(f"{name} {array.dtype} {array.shape} ".encode() + array.tobytes())
    return digest.hexdigest()


def results(
    name: str, folder: str | Path | None = None
) -> tuple[dict[str, Summary], dict[str, object]]:
    """The committed results of one of the 36 experiments, or those in another folder.

    Parameters
    ----------
    name : str
        The experiment's.
    folder : path, optional

    Returns
    -------
    summaries : dict
        Agent's name -> Summary.
    provenance : dict
        What made them, with which versions, and what it took.

    Examples
    --------
    >>> import rb_core as rb
    >>> summaries, made = rb.results("small-bernoulli-discounted")
    >>> made["simulations"], len(summaries["SS-SARSA"].regret)
    (1000, 1000)
    """
    chosen = experiment(name).name
    folder = Path(folder or COMMITTED)
    if not folder.is_dir():
        raise InputError(f"There is no folder of results {str(folder)!r}; the book's own lie in a "
                         f"clone of the project.")
    found = read_results(folder / f"{chosen}.npz")
    return {name: each.summary for name, each in found.measured.items()}, found.provenance
