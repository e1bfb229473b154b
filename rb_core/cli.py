"""The command line: `rb list`, `run`, `reproduce`, `sweep`, `notebook`, `verify`."""

import argparse
import sys
import time
from dataclasses import replace
from fnmatch import fnmatch
from pathlib import Path

import platformdirs
from tqdm import tqdm

from rb_core import notebook
from rb_core.cluster import executor
from rb_core.cost import core_seconds, tier_seconds
from rb_core.errors import InputError, whole
from rb_core.foreign import load_agent
from rb_core.planning import optimum
from rb_core.reproduce import (
    TIERS,
    at_size,
    compute,
    descriptions,
    jobs_of,
    kept_in,
    missing,
    provenance,
    recompute,
    summaries_of,
    write_results,
)
from rb_core.settings import SIMULATIONS, experiment, experiments
from rb_core.simulate import MOST_SIMS, cores, simulate
from rb_core.store import Store
from rb_core.summary import summarise


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one sentence."""

    def error(self, message):
        raise InputError(f"{message[0].upper()}{message[1:]}; see `{self.prog} --help`.")


def main(arguments=None):
    """Run one command; returns the exit code."""
    try:
        options = parser().parse_args(arguments)
        options.command(options)
    except (InputError, OSError) as error:
        print(f"rb: {error}", file=sys.stderr)
        return 2
    except notebook.CellFailed as error:
        print(f"rb: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("rb: stopped.", file=sys.stderr)
        return 130
    return 0


def parser():
    top = Parser(prog="rb", description="Experiments with recovering bandits.")
    commands = top.add_subparsers(metavar="COMMAND", required=True)

    command = commands.add_parser(
        "list", help="the 36 experiments, with what each costs",
        description="The paper's 36 experiments, with what each costs on this machine.",
        epilog="example: rb list",
    )
    command.set_defaults(command=list_experiments)

    command = commands.add_parser(
        "run", help="run one experiment", description="Run all agents of one experiment.",
        epilog="example: rb run small-bernoulli-discounted --sims 20 --out small.png",
    )
    command.add_argument("name", metavar="NAME", help="its name, from `rb list`")
    command.add_argument("--sims", type=number, default=SIMULATIONS, help="simulations (1000)")
    command.add_argument("--rounds", type=number, help="rounds (the paper's)")
    command.add_argument("--seed", type=number, default=0, help="seed (0)")
    command.add_argument("--workers", type=number, default=cores(), help="threads (one a core)")
    command.add_argument("--scheduler", metavar="ADDRESS", help="run on a Dask cluster instead")
    command.add_argument("--agent", metavar="MODULE:CLASS", action="append", default=[],
                         help="an agent of your own, besides; may be repeated")
    command.add_argument("--out", type=Path, metavar="FILE.png", help="draw the three panels")
    command.set_defaults(command=run)

    command = commands.add_parser(
        "reproduce", help="run the paper's evaluation, or what is missing of it",
        description="Run the paper's evaluation: what the store lacks, and nothing else.",
        epilog="example: rb reproduce --tier smoke --only 'small-*' --out smoke",
    )
    command.add_argument("--tier", default="smoke", help="smoke (default), classroom or paper")
    command.add_argument("--only", default="*", metavar="GLOB", help="experiments, by name (all)")
    command.add_argument("--workers", type=number, default=cores(), help="threads (one a core)")
    command.add_argument("--scheduler", metavar="ADDRESS", help="run on a Dask cluster instead")
    command.add_argument("--store", type=Path, help="folder of finished blocks (user cache)")
    command.add_argument("--out", type=Path, help="folder for the results (results-TIER)")
    command.set_defaults(command=reproduce)

    command = commands.add_parser(
        "sweep", help="run agents with parameters of your own",
        description="Run all combinations of agents and parameters in a YAML file, or what is "
                    "missing of them.",
        epilog="example: rb sweep --example > sweep.yml && rb sweep sweep.yml --dry-run",
    )
    command.add_argument("file", type=Path, nargs="?", metavar="SWEEP.yml", help="the file")
    command.add_argument("--example", action="store_true", help="print a file to start from")
    command.add_argument("--dry-run", action="store_true",
                         help="check the file and say what it takes; write nothing")
    command.add_argument("--workers", type=number, default=cores(), help="threads (one a core)")
    command.add_argument("--scheduler", metavar="ADDRESS", help="run on a Dask cluster instead")
    command.add_argument("--store", type=Path, help="folder of finished blocks (user cache)")
    command.add_argument("--out", type=Path, help="folder for the results (results-SWEEP)")
    command.add_argument("--parquet", action="store_true", help="the table as Parquet, not CSV")
    command.set_defaults(command=sweep)

    command = commands.add_parser(
        "notebook", help="run a chapter with other parameters", add_help=False,
        description="Run a chapter, or the experiment notebook, with other parameters.",
        epilog="`rb notebook 07 --help` lists the parameters of chapter 7.\n"
               "example: rb notebook 01 -p horizon=8 -o mine.ipynb",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.add_argument("chapter", nargs="?", help="01 to 14, or experiment")
    command.add_argument("-p", dest="parameters", metavar="NAME=VALUE", action="append", default=[],
                         help="a parameter of the chapter; may be repeated")
    command.add_argument("-o", "--out", type=Path, metavar="OUT.ipynb",
                         help="the executed notebook (CHAPTER-run.ipynb)")
    command.add_argument("--timeout", type=number, default=600, help="seconds for a cell (600)")
    command.add_argument("-h", "--help", action="store_true", help="this, or the parameters")
    command.set_defaults(command=run_notebook, usage=command.format_help)

    command = commands.add_parser(
        "verify", help="recompute a sample of results and compare",
        description="Recompute randomly chosen simulations of files of results, and compare.",
        epilog="example: rb verify smoke --sims 1",
    )
    command.add_argument("folder", type=Path, help="folder with results of `rb reproduce`")
    command.add_argument("--only", default="*", metavar="GLOB", help="experiments, by name (all)")
    command.add_argument("--sims", type=number, default=2, help="simulations of each agent (2)")
    command.set_defaults(command=verify)
    return top


def number(text):
    """A number as people write it: 1000, 1_000, 1e3."""
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number") from None


def list_experiments(options):
    print(f"{'experiment':<45} {'arms':>4} {'s_max':>5} {'rounds':>9} {'core minutes':>13}")
    for name, each in experiments().items():
        minutes = core_seconds(each, SIMULATIONS) / 60
        bandit = each.bandit
        print(f"{name:<45} {bandit.arms:>4} {bandit.s_max:>5} {each.rounds:>9,} {minutes:>13.1f}")
    print(f"\n{SIMULATIONS:,} simulations of each agent. All 36 with `rb reproduce --tier ...`, "
          f"on {cores()} cores:")
    for tier, size in TIERS.items():
        minutes = tier_seconds(tier) / 60 / cores()
        said = f"about {minutes:,.0f} minutes" if minutes > 1 else "under a minute"
        print(f"{tier:<10} {size.sims:>5,} simulations, {size.share:>4.0%} of the rounds: {said}")


def run(options):
    chosen = experiment(options.name)
    if options.rounds is not None:
        chosen = replace(chosen, rounds=whole("rounds", options.rounds, 2))
    sims = whole("sims", options.sims, 1, MOST_SIMS)
    seed = whole("seed", options.seed, 0)
    workers = whole("workers", options.workers, 1)
    _check_picture(options.out)
    agents = chosen.agents() | {
        spec.partition(":")[2]: load_agent(spec, chosen.gamma) for spec in options.agent
    }
    best = optimum(chosen.bandit, chosen.rounds, chosen.gamma)
    with executor(workers, options.scheduler, agents.values()) as crew:
        print(f"{chosen.name}: {sims:,} simulations of {chosen.rounds:,} rounds, seed {seed}")
        results = _raced(chosen, agents, best, sims, seed, crew)
    if options.out:
        from rb_core import figures  # here, because matplotlib takes a second to load

        figures.save(figures.three_panels(results, chosen.name), options.out)
        print(f"{figures.alt_text(results)}\nDrawn in {options.out}.")


def _raced(chosen, agents, best, sims, seed, crew):
    """The summary of each agent, printed as soon as it is there."""
    width = max(map(len, agents))
    print(f"{'agent':<{width}}  {'regret: median [5%, 95%]':>28}  {'optimal [95% interval]':>24}  "
          f"{'seconds':>7}")
    results = {}
    for name, agent in agents.items():
        start = time.perf_counter()
        runs = simulate(chosen.bandit, agent, chosen.rounds, sims, seed, chosen.gamma,
                        executor=crew, progress=True)
        seconds = time.perf_counter() - start
        results[name] = summarise(runs, best)
        low, middle, high = results[name].quantiles[[0, 2, 4], -1]
        rate = results[name].rate
        print(f"{name:<{width}}  {f'{middle:,.0f} [{low:,.0f}, {high:,.0f}]':>28}  "
              f"{f'{rate.value:.1%} [{rate.low:.1%}, {rate.high:.1%}]':>24}  {seconds:>7.1f}")
    return results


def reproduce(options):
    workers = whole("workers", options.workers, 1)
    chosen = _chosen(options.only)
    sized = [at_size(each, options.tier) for each in chosen]
    out = options.out or Path(f"results-{options.tier}")
    store = Store(options.store or _user_store())
    kept = {each.name: kept_in(out / f"{each.name}.npz", each, sims) for each, sims in sized}
    jobs = [job for each, sims in sized for name, agent in each.agents().items()
            if name not in kept[each.name] for job in jobs_of(each, agent, sims)]
    todo = missing(jobs, store)
    print(f"{len(chosen)} experiments, {len(set(jobs))} blocks, {len(todo)} of them to compute.")
    start = time.perf_counter()
    with executor(workers, options.scheduler) as crew:
        _compute(todo, store, crew)
    out.mkdir(parents=True, exist_ok=True)
    for each, sims in sized:
        summaries, seconds = summaries_of(each, sims, store, kept[each.name])
        write_results(out / f"{each.name}.npz", summaries,
                      provenance(each, sims, options.tier, seconds), descriptions(each))
    print(f"Results in {out}, after {time.perf_counter() - start:.0f} seconds.")


def sweep(options):
    from rb_core.sweep import EXAMPLE, read_sweep  # here: with pandas, it takes a second to load
    from rb_core.sweep.table import (
        check_target,
        jobs_of_sweep,
        plan,
        table_of,
        write_provenance,
        write_summary,
        write_table,
    )

    if options.example:
        print(EXAMPLE, end="")
        return
    if options.file is None:
        raise InputError("A sweep file is needed; `rb sweep --example` prints one to start from.")
    workers = whole("workers", options.workers, 1)
    chosen = read_sweep(options.file)
    out = options.out or Path(f"results-{chosen.name}")
    table = out / f"{chosen.name}.{'parquet' if options.parquet else 'csv'}"
    check_target(table)
    folder = options.store or _user_store()
    jobs = jobs_of_sweep(chosen)
    if options.dry_run:
        todo = missing(jobs, Store(folder)) if folder.is_dir() else jobs
        print(plan(chosen, todo).said(workers))
        return
    start = time.perf_counter()
    with executor(workers, options.scheduler, [run.agent for run in chosen.runs]) as crew:
        store = Store(folder)
        todo = missing(jobs, store)
        print(f"{len(chosen.runs)} runs, {len(jobs)} blocks, {len(todo)} of them to compute.")
        _compute(todo, store, crew)
    found, seconds = table_of(chosen, store)
    out.mkdir(parents=True, exist_ok=True)
    write_table(found, table)
    write_provenance(chosen, seconds, out / f"{chosen.name}.json")
    summary = out / f"{chosen.name}-summary.ipynb"
    write_summary(table, summary)
    print(f"{len(found):,} rows in {table}, figures in {summary.name}, "
          f"after {time.perf_counter() - start:.0f} seconds.")


def run_notebook(options):
    if options.help and options.chapter is None:
        print(options.usage(), end="")
        return
    if options.chapter is None:
        raise InputError(f"A chapter is needed: one of {', '.join(notebook.chapters())}.")
    path = notebook.find(options.chapter)
    if options.help:
        print(f"Parameters of {path.stem}, with their defaults:")
        for parameter in notebook.parameters(notebook.read(path)).values():
            print(f"  {parameter}")
        return
    out = options.out or Path(f"{path.stem}-run.ipynb")
    if out.suffix != ".ipynb":
        raise InputError(f"The executed notebook must end in .ipynb, not {out.name!r}.")
    _check_folder(out)
    seconds = whole("timeout", options.timeout, 1)
    notebook.run(path, options.parameters, out, seconds)
    print(f"Executed in {out}.")


def verify(options):
    sims = whole("sims", options.sims, 1)
    paths = sorted(path for path in options.folder.glob("*.npz")
                   if fnmatch(path.stem, options.only))
    if not paths:
        raise InputError(f"There are no results that match {options.only!r} in {options.folder}.")
    compared = sum(recompute(path, sims) for path in paths)
    print(f"{compared} simulations of {len(paths)} experiments recomputed: all the same.")


def _chosen(pattern):
    chosen = [each for name, each in experiments().items() if fnmatch(name, pattern)]
    return chosen or [experiment(pattern)]  # which fails with the closest name


def _user_store():
    return platformdirs.user_cache_path("rb_core") / "blocks"


def _compute(todo, store, crew):
    with tqdm(total=len(todo), unit="block", disable=not sys.stderr.isatty()) as bar:
        for _ in compute(todo, store, crew):
            bar.update()


def _check_picture(path):
    if path is None:
        return
    if path.suffix not in (".png", ".svg", ".pdf"):
        raise InputError(f"The picture must end in .png, .svg or .pdf, not {path.name!r}.")
    _check_folder(path)


def _check_folder(path):
    if not path.parent.is_dir():
        raise InputError(f"There is no folder {str(path.parent)!r} to write {path.name} into.")


if __name__ == "__main__":
    sys.exit(main())
