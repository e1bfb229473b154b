"""The paper's evaluation: what has to be simulated, block by block, and what is kept of it."""

import ast
import hashlib
import json
import platform
import time
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path

import numpy as np

from rb_core.blocks import Block, checkpoints, joined, simulate_block
from rb_core.errors import InputError, choice
from rb_core.files import replacing
from rb_core.planning import optimum
from rb_core.seeds import describe
from rb_core.settings import experiment
from rb_core.simulate import Runs, completed, cores
from rb_core.summary import Summary, summarise

RESULTS = Path(__file__).parents[1] / "notebooks" / "results"
SIMS_A_BLOCK = 50  # what an interruption can lose, times the workers
SEED = 0


CORE_FILES = ("agents/*.py", "bandit.py", "loop.py", "seeds.py", "blocks.py")


def core_hash(files=CORE_FILES, root=Path(__file__).parent):
    """A short name for the code that simulated numbers depend on, without its comments.

    Bandits and agents' parameters are part of a block's name anyway; figures, commands and prose
    may change freely.
    """
    digest = hashlib.sha256()
    for path in sorted(path for pattern in files for path in root.glob(pattern)):
        tree = ast.parse(path.read_text())
        for node in ast.walk(tree):
            documented = isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
            if documented and ast.get_docstring(node) is not None:
                del node.body[0]
        digest.update(ast.dump(tree).encode())
    return digest.hexdigest()[:16]


CORE = core_hash()


@dataclass(frozen=True)
class Tier:
    """A size of the evaluation: simulations, and the share of the paper's rounds."""

    sims: int
    share: float


# The 100 simulations of the classroom are the first 100 of the paper's 1,000.
TIERS = {"smoke": Tier(10, 0.01), "classroom": Tier(100, 1.0), "paper": Tier(1000, 1.0)}


@dataclass(frozen=True)
class Job:
    """Neighbouring simulations of one agent on one bandit, evaluated with and without discount.

    An agent that has no discount of its own is thus simulated once for both experiments.
    """

    bandit: object
    agent: object
    rounds: int
    first: int
    count: int

    @property
    def gamma(self):
        return 1 - 1 / self.rounds

    @property
    def task(self):
        """The arguments of :func:`simulate_block`."""
        return (self.bandit, self.agent, self.rounds, self.gamma, SEED, self.first, self.count)

    @property
    def name(self):
        return (
            f"{describe(self.agent)} on {describe(self.bandit)}, {self.rounds} rounds, seed {SEED},"
            f" simulations {self.first} to {self.first + self.count - 1}, core {CORE}"
        )


def at_size(experiment, tier):
    """The experiment with the rounds of a tier, and the number of simulations."""
    size = TIERS[choice("tier", tier, TIERS)]
    return replace(experiment, rounds=round(experiment.rounds * size.share)), size.sims


def jobs_of(experiment, agent, sims):
    """The blocks of one agent in one experiment."""
    return [
        Job(experiment.bandit, agent, experiment.rounds, first, min(SIMS_A_BLOCK, sims - first))
        for first in range(0, sims, SIMS_A_BLOCK)
    ]


def missing(jobs, store):
    """Those of `jobs`, each once, that `store` does not hold in good order."""
    return [job for job in dict.fromkeys(jobs) if store.get(job.name) is None]


def compute(jobs, store, executor=None):
    """Simulate `jobs` and keep them in `store`; yields each job when it is there."""
    named = {job.task: job for job in jobs}
    for task, block in completed(executor, named, timed_block):
        store.put(named[task].name, block)
        yield named[task]


def timed_block(*task):
    """What is stored of a block: its arrays, and the seconds that a core worked on it."""
    start = time.thread_time()
    block = simulate_block(*task)
    return block._asdict() | {"seconds": np.array(time.thread_time() - start)}


def runs_of(experiment, agent, sims, store):
    """The stored runs of one agent, evaluated at the experiment's discount, and their seconds."""
    jobs = jobs_of(experiment, agent, sims)
    blocks = [store.get(job.name) for job in jobs]
    if None in blocks:
        raise InputError(f"The store lacks blocks of {experiment.name}: run `rb reproduce` first.")
    seconds = float(sum(block.pop("seconds") for block in blocks))
    block = joined([Block(**block) for block in blocks])
    runs = Runs(
        experiment.bandit, agent, experiment.rounds, SEED, experiment.gamma,
        checkpoints(experiment.rounds),
        block.discounted if experiment.discounted else block.undiscounted,
        block.undiscounted[:, -1], block.tail, block.tail_arms, block.tail_start,
    )
    return runs, seconds


def summaries_of(experiment, sims, store):
    """The summary of every agent in one experiment, and the seconds that each took."""
    best = optimum(experiment.bandit, experiment.rounds, experiment.gamma)
    found, seconds = {}, {}
    for name, agent in experiment.agents().items():
        runs, seconds[name] = runs_of(experiment, agent, sims, store)
        found[name] = summarise(runs, best)
    return found, seconds


def write_results(path, summaries, provenance):
    """Keep the summaries of one experiment in one small file."""
    arrays = {"provenance": np.array(json.dumps(provenance, indent=1))}
    for name, summary in summaries.items():
        fields = summary._asdict()
        fields["endings"] = np.array(json.dumps(fields["endings"]))
        arrays |= {f"{name}/{field}": value for field, value in fields.items()}
    with replacing(path) as part, open(part, "wb") as file:
        np.savez_compressed(file, **arrays)


def read_results(path):
    """Summaries by agent, and their provenance, from a file of :func:`write_results`."""
    try:
        with np.load(path, allow_pickle=False) as file:
            arrays = dict(file)
        provenance = json.loads(str(arrays.pop("provenance")))
        names = dict.fromkeys(key.rsplit("/", 1)[0] for key in arrays)
        found = {}
        for name in names:
            fields = {field: arrays[f"{name}/{field}"] for field in Summary._fields}
            fields["endings"] = [tuple(pair) for pair in json.loads(str(fields["endings"]))]
            found[name] = Summary(**fields)
    except FileNotFoundError:
        raise InputError(f"There is no file of results {str(path)!r}.") from None
    except Exception as error:  # whatever a damaged or foreign file makes NumPy or json say
        raise InputError(f"{str(path)!r} is no file of results, or it is damaged.") from error
    return found, provenance


def results(name, folder=None):
    """The committed results of one of the 36 experiments, or those in another folder.

    Returns
    -------
    summaries : dict
        Agent's name -> Summary.
    provenance : dict
        What made them, with which versions, and what it took.
    """
    return read_results(Path(folder or RESULTS) / f"{experiment(name).name}.npz")


def recompute(path, sims):
    """Simulate a random choice of `sims` simulations of each agent in a file of results again.

    Returns how many were compared; the first that differs is an InputError.
    """
    summaries, made = read_results(path)
    named = replace(experiment(made["experiment"]), rounds=made["rounds"])
    rng = np.random.default_rng()
    for name, agent in named.agents().items():
        kept = summaries[name].reward
        for i in rng.choice(len(kept), size=min(sims, len(kept)), replace=False):
            block = simulate_block(named.bandit, agent, named.rounds, named.gamma, SEED, int(i), 1)
            if block.discounted[0, -1] != kept[i]:
                raise InputError(
                    f"{named.name}: simulation {i} of {name} gives {block.discounted[0, -1]!r}, "
                    f"but the file has {kept[i]!r}: it was made by other code ({made['core']})."
                )
    return min(sims, made["simulations"]) * len(summaries)


def provenance(of, sims, tier, seconds):
    """Where results come from: what made them, with which versions, and what it took."""
    return {
        "experiment": of.name,
        "command": f"rb reproduce --tier {tier} --only {of.name}",
        "simulations": sims,
        "rounds": of.rounds,
        "seed": SEED,
        "core": CORE,
        "rb_core": version("rb-core"),
        "python": platform.python_version(),
        "numpy": version("numpy"),
        "numba": version("numba"),
        "cores": cores(),
        "core seconds": {name: round(each, 1) for name, each in seconds.items()},
    }
