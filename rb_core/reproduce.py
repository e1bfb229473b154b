"""The paper's evaluation: what has to be simulated, block by block, and what is kept of it."""

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
from rb_core.sources import code_hash, source_of
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
    return code_hash(sorted(path for pattern in files for path in root.glob(pattern)))


CORE = core_hash()


@dataclass(frozen=True)
class Tier:
    """A size of the evaluation: simulations, and the share of the paper's rounds."""

    sims: int
    share: float


# The 50 simulations of the classroom are the first 50 of the paper's 1,000.
TIERS = {"smoke": Tier(10, 0.01), "classroom": Tier(50, 1.0), "paper": Tier(1000, 1.0)}


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
    seed: int = SEED
    other_gamma: float | None = None  # of the evaluation with discount, if it is not the paper's

    @property
    def gamma(self):
        return self.other_gamma or paper_gamma(self.rounds)

    @property
    def task(self):
        """The arguments of :func:`simulate_block`."""
        return (self.bandit, self.agent, self.rounds, self.gamma, self.seed, self.first, self.count)

    @property
    def name(self):
        # What is as in the paper's evaluation goes unsaid: the names of its blocks do not change.
        other = "" if self.other_gamma is None else f", gamma {self.other_gamma!r}"
        source = source_of(type(self.agent))
        return (
            f"{describe(self.agent)} on {describe(self.bandit)}, {self.rounds} rounds, seed "
            f"{self.seed}, simulations {self.first} to {self.first + self.count - 1}, core {CORE}"
            f"{other}{source and f', agent {source}'}"
        )


def paper_gamma(rounds):
    """The discount of the paper's evaluation."""
    return 1 - 1 / rounds


def at_size(experiment, tier):
    """The experiment with the rounds of a tier, and the number of simulations."""
    size = TIERS[choice("tier", tier, TIERS)]
    return replace(experiment, rounds=round(experiment.rounds * size.share)), size.sims


def jobs_of(problem, agent, sims, seed=SEED):
    """The blocks of one agent in one experiment, or whatever has a bandit, rounds and gamma."""
    bandit, rounds, gamma = problem.bandit, problem.rounds, problem.gamma
    other = None if gamma in (1, paper_gamma(rounds)) else gamma
    return [
        Job(bandit, agent, rounds, first, min(SIMS_A_BLOCK, sims - first), seed, other)
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


def runs_of(problem, agent, sims, store, seed=SEED):
    """The stored runs of one agent, evaluated at the problem's discount, and their seconds."""
    jobs = jobs_of(problem, agent, sims, seed)
    blocks = [store.get(job.name) for job in jobs]
    if None in blocks:
        raise InputError(f"The store lacks blocks of {problem.name}: run `rb reproduce` first.")
    seconds = float(sum(block.pop("seconds") for block in blocks))
    block = joined([Block(**block) for block in blocks])
    runs = Runs(
        problem.bandit, agent, problem.rounds, seed, problem.gamma, checkpoints(problem.rounds),
        block.undiscounted if problem.gamma == 1 else block.discounted,
        block.undiscounted[:, -1], block.tail, block.tail_arms, block.tail_start,
    )
    return runs, seconds


def summaries_of(experiment, sims, store, kept=None):
    """The summary of every agent in one experiment, and the seconds that each took.

    Those in `kept`, name -> (summary, seconds), are taken from there.
    """
    best = optimum(experiment.bandit, experiment.rounds, experiment.gamma)
    found, seconds = {}, {}
    for name, agent in experiment.agents().items():
        if name in (kept or {}):
            found[name], seconds[name] = kept[name]
            continue
        runs, seconds[name] = runs_of(experiment, agent, sims, store)
        found[name] = summarise(runs, best)
    return found, seconds


def write_results(path, summaries, provenance, agents=None):
    """Keep the summaries of one experiment in one small file.

    `agents` says what each agent is (:func:`descriptions`); else nothing in the file will count as
    kept.
    """
    arrays = {"provenance": np.array(json.dumps(provenance, indent=1)),
              "agents": np.array(json.dumps(agents or {}))}
    for name, summary in summaries.items():
        fields = summary._asdict()
        fields["endings"] = np.array(json.dumps(fields["endings"]))
        arrays |= {f"{name}/{field}": value for field, value in fields.items()}
    with replacing(path) as part, open(part, "wb") as file:
        np.savez_compressed(file, **arrays)


def descriptions(experiment):
    """Each agent with all its parameters, in words: what tells an outdated result."""
    return {name: describe(agent) for name, agent in experiment.agents().items()}


def read_results(path):
    """Summaries by agent, and their provenance, from a file of :func:`write_results`."""
    try:
        with np.load(path, allow_pickle=False) as file:
            arrays = dict(file)
        provenance = json.loads(str(arrays.pop("provenance")))
        arrays.pop("agents", None)
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


def kept_in(path, experiment, sims):
    """What a file of results holds that would come out the same again: name -> (summary, seconds).

    A file that is missing, damaged, or made by other code, at another size or with another seed
    holds nothing; nor does it hold agents whose parameters have changed.
    """
    try:
        found, made = read_results(path)
        with np.load(path, allow_pickle=False) as file:
            agents = json.loads(str(file["agents"]))
    except (InputError, KeyError):
        return {}
    wanted = provenance(experiment, sims, "", {})
    same = ("experiment", "simulations", "rounds", "seed", "core")
    if any(made.get(key) != wanted[key] for key in same):
        return {}
    return {name: (found[name], made["core seconds"][name])
            for name, agent in descriptions(experiment).items() if agents.get(name) == agent}


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
        **made_with(),
        "core seconds": {name: round(each, 1) for name, each in seconds.items()},
    }


def made_with():
    """The versions that numbers may depend on, and the machine's cores."""
    return {
        "core": CORE,
        "rb_core": version("rb-core"),
        "python": platform.python_version(),
        "numpy": version("numpy"),
        "numba": version("numba"),
        "cores": cores(),
    }
