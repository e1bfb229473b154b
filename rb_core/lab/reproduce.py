"""The paper's evaluation: compute what is missing of it, and keep it in small files."""

from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from fnmatch import fnmatch
from pathlib import Path

from tqdm import tqdm

from rb_core.checks import InputError, choice
from rb_core.engine.blocks import Maker, maker_of
from rb_core.evaluation import Experiment, experiment, experiments
from rb_core.lab.results import expected_results, read_results, write_results
from rb_core.lab.store import Store
from rb_core.planning import optimum
from rb_core.simulation import block_name, jobs_of, run_jobs
from rb_core.summary import Measured, measure


@dataclass(frozen=True)
class Tier:
    """A size of the evaluation: simulations, the share of the paper's rounds, and whose."""

    sims: int
    share: float
    beyond: bool = False

    def sized(self, chosen: Experiment) -> Experiment:
        """The experiment with the rounds and the agents of this tier."""
        of = chosen.beyond if self.beyond else chosen
        return replace(of, rounds=round(chosen.rounds * self.share))


# The 50 simulations of the classroom are the first 50 of the paper's 1,000.
TIERS = {"smoke": Tier(10, 0.01), "classroom": Tier(50, 1.0), "paper": Tier(1000, 1.0),
         "beyond": Tier(1000, 1.0, beyond=True)}


def reproduce(
    tier: str = "smoke",
    only: str = "*",
    out: str | Path | None = None,
    store: Store | None = None,
    executor: Executor | None = None,
    progress: bool = False,
    say: Callable[[str], object] = lambda text: None,
) -> list[Path]:
    """Run the paper's evaluation, or what is missing of it.

    Parameters
    ----------
    tier : {"smoke", "classroom", "paper", "beyond"}
        The last one is PlanUCB at the paper's size, in files of its own.
    only : str
        The experiments, by a pattern of their names such as ``small-*``.
    out : path, optional
        Folder of the files of results; by default results-TIER.
    store : Store, optional
        Of finished blocks; by default the one in the user's cache.
    executor : concurrent.futures.Executor, optional
        Who does the work; by default threads, one for each core of this machine.
    progress : bool
        Show a progress bar, if standard error is a terminal.
    say : function, optional
        Is told in words what there is to do, and what was kept.

    Returns
    -------
    list of paths, one for each experiment

    Examples
    --------
    >>> import tempfile, rb_core as rb
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     store = rb.Store(f"{folder}/blocks")
    ...     paths = rb.reproduce("smoke", "small-normal-discounted", f"{folder}/results", store)
    ...     rb.results("small-normal-discounted", f"{folder}/results")[1]["simulations"]
    10
    """
    size = TIERS[choice("tier", tier, TIERS)]
    chosen = [size.sized(each) for each in matching(only)]
    out, store = Path(out or f"results-{tier}"), store or Store()
    if out.exists() and not out.is_dir():
        raise InputError(f"{str(out)!r} is no folder: results go into one.")
    kept = {each.name: reusable_results(out / f"{each.name}.npz", each, size.sims, say)
            for each in chosen}
    jobs = dict.fromkeys(job for each in chosen for name, agent in each.agents.items()
                         if name not in kept[each.name]
                         for job in jobs_of(each.problem, agent, size.sims, each.seed))
    todo = [job for job in jobs if block_name(job) not in store]
    say(f"{len(chosen)} experiments, {len(jobs)} blocks, {len(todo)} of them to compute.")
    with tqdm(total=len(todo), unit="block", disable=None if progress else True) as bar:
        for _ in run_jobs(todo, executor, store):
            bar.update()
    out.mkdir(parents=True, exist_ok=True)
    return [_write(each, size.sims, tier, kept[each.name], store, executor, out) for each in chosen]


def _write(
    each: Experiment,
    sims: int,
    tier: str,
    kept: dict[str, Measured],
    store: Store,
    executor: Executor | None,
    out: Path,
) -> Path:
    """The file of one experiment; what was kept goes into it as it was."""
    path, made = out / f"{each.name}.npz", expected_results(each, sims)
    if set(kept) == set(each.agents):
        return path  # nothing is new
    best = optimum(each.bandit, each.rounds, each.gamma)
    for name, agent in each.agents.items():
        made.measured[name] = kept.get(name) or measure(
            each.problem, agent, best, sims, each.seed, executor, store)
    made.notes["command"] = f"rb reproduce --tier {tier} --only {each.name}"
    write_results(path, made)
    return path


def matching(pattern: str) -> list[Experiment]:
    """The experiments whose names match; if none does, an error offers the closest."""
    found = [each for name, each in experiments().items() if fnmatch(name, pattern)]
    return found or [experiment(pattern)]


def reusable_results(
    path: Path, chosen: Experiment, sims: int, say: Callable[[str], object]
) -> dict[str, Measured]:
    """What a file of results holds that the present code would give again.

    A file that is missing, damaged, or made at another size or with another seed holds nothing; nor
    does it hold agents whose code or parameters have changed. Versions of Python, NumPy and numba
    may differ: that is said.
    """
    try:
        found = read_results(path)
    except InputError:
        return {}
    wanted = expected_results(chosen, sims)
    same = ("experiment", "bandit", "rounds", "simulations", "seed")
    if any(getattr(found, key) != getattr(wanted, key) for key in same):
        return {}
    kept = {}
    for name, agent in chosen.agents.items():
        here = maker_of(type(agent))
        measured = found.measured.get(name)
        unchanged = found.agents.get(name) == wanted.agents[name]
        if measured and unchanged and measured.maker.code == here.code:
            kept[name] = measured
    others = sorted({said for each in kept.values() for said in other_versions(each.maker, here)})
    if others:
        say(f"{chosen.name}: kept, but made with {', '.join(others)}; `rb verify` can check it.")
    return kept


def other_versions(maker: Maker, here: Maker) -> list[str]:
    """The versions of `maker` that are not those of this process, in words."""
    pairs = zip(maker._fields, maker, here, strict=True)
    return [f"{name} {theirs} (here {ours})" for name, theirs, ours in pairs
            if name != "code" and theirs != ours]
