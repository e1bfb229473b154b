"""The command line: `rb list`, `run`, `reproduce`, `sweep`, `race`, `plan`, `notebook`, `verify`.

It only parses and prints; everything it does is a function that a notebook can call. What takes
time to load is loaded by the command that needs it.
"""

import argparse
import os
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from rb_core.checks import InputError, choice, numeral, whole

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from rb_core.lab.store import Store
    from rb_core.summary import Summary


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one sentence."""

    def error(self, message: str) -> NoReturn:
        raise InputError(f"{message[0].upper()}{message[1:]}; see `{self.prog} --help`.")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # where the terminal cannot show a letter
    try:
        options = parser().parse_args(arguments)
        options.command(options)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return failed("stopped.", 130)
    except BrokenPipeError:  # whoever read this has seen enough
        forget_output()
        return 141
    except (InputError, OSError) as error:
        return failed(error, 2)
    except Exception as error:
        if type(error).__name__ != "CellFailed":  # which only `rb notebook` knows
            raise
        return failed(error, 1)
    return 0


def failed(said: object, code: int) -> int:
    """Say why, and return the exit code."""
    print(f"rb: {said}", file=sys.stderr)
    try:
        sys.stdout.flush()
    except OSError:
        forget_output()
    return code


def forget_output() -> None:
    """Python would try once more to write what could not be written, and change the exit code."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def parser() -> Parser:
    top = Parser(prog="rb", description="Experiments with recovering bandits.")
    commands = top.add_subparsers(metavar="COMMAND", required=True)
    where = Parser(add_help=False)
    where.add_argument("--workers", type=amount, help="threads (one a core)")
    where.add_argument("--scheduler", metavar="ADDRESS", help="run on a Dask cluster instead")
    kept = Parser(add_help=False)
    kept.add_argument("--store", type=Path, help="folder of finished blocks (user cache)")
    some = Parser(add_help=False)
    some.add_argument("--only", default="*", metavar="GLOB", help="experiments, by name (all)")

    command = commands.add_parser(
        "list", help="the 36 experiments, with what each costs",
        description="The paper's 36 experiments, with what each costs on this machine.",
        epilog="example: rb list",
    )
    command.set_defaults(command=list_experiments)

    command = commands.add_parser(
        "run", help="run one experiment", description="Run all agents of one experiment.",
        epilog="example: rb run small-bernoulli-discounted --sims 20 --out small.png",
        parents=[where, kept],
    )
    command.add_argument("name", metavar="NAME", help="its name, from `rb list`")
    command.add_argument("--sims", type=amount, default=1000, help="simulations (1000)")
    command.add_argument("--rounds", type=amount, help="rounds (the paper's)")
    command.add_argument("--seed", type=amount, default=0, help="seed (0)")
    command.add_argument("--agent", metavar="MODULE:CLASS", action="append", default=[],
                         help="an agent of your own, besides; may be repeated")
    command.add_argument("--out", type=Path, metavar="FILE.png", help="draw the three panels")
    command.set_defaults(command=run)

    command = commands.add_parser(
        "reproduce", help="run the paper's evaluation, or what is missing of it",
        description="Run the paper's evaluation: what the store lacks, and nothing else.",
        epilog="example: rb reproduce --tier smoke --only 'small-*' --out smoke",
        parents=[where, kept, some],
    )
    command.add_argument("--tier", default="smoke",
                         help="smoke (default), classroom, paper, or beyond (PlanUCB)")
    command.add_argument("--out", type=Path, help="folder for the results (results-TIER)")
    command.set_defaults(command=reproduce)

    command = commands.add_parser(
        "sweep", help="run agents with parameters of your own",
        description="Run all combinations of agents and parameters in a YAML file, or what is "
                    "missing of them.",
        epilog="example: rb sweep --example > sweep.yml && rb sweep sweep.yml --dry-run",
        parents=[where, kept],
    )
    command.add_argument("file", type=Path, nargs="?", metavar="SWEEP.yml", help="the file")
    command.add_argument("--example", action="store_true", help="print a file to start from")
    command.add_argument("--dry-run", action="store_true",
                         help="check the file and say what it takes; write nothing")
    command.add_argument("--out", type=Path, help="folder for the results (results-SWEEP)")
    command.add_argument("--parquet", action="store_true", help="the table as Parquet, not CSV")
    command.set_defaults(command=sweep)

    command = commands.add_parser(
        "race", help="compare agents on a suite of random bandits",
        description="Run the agents of a suite, and your own: what the store lacks, and nothing "
                    "else.",
        epilog="example: rb race --suite classroom --agent mymodule:MyAgent",
        parents=[where, kept],
    )
    command.add_argument("--suite", default="classroom",
                         help="classroom (default), published, small, large, small-long or "
                              "large-long")
    command.add_argument("--agent", metavar="MODULE:CLASS", action="append", default=[],
                         help="an agent of your own, besides; may be repeated")
    command.add_argument("--out", type=Path, help="folder for SUITE.csv and SUITE.json")
    command.set_defaults(command=race)

    command = commands.add_parser(
        "plan", help="a schedule for a table of means",
        description="A cycle of pulls for a table of means, and how far from the best it can be.",
        epilog="example: rb plan table.csv --out timetable.png",
    )
    command.add_argument("table", type=Path, metavar="TABLE.csv",
                         help="a line for each arm, a column for each state")
    command.add_argument("--effort", type=amount, default=1.0,
                         help="how long to search; 1, about five seconds, by default")
    command.add_argument("--out", type=Path, metavar="FILE.png", help="draw the timetable")
    command.set_defaults(command=plan)

    command = commands.add_parser(
        "notebook", help="run a chapter with other parameters", add_help=False,
        description="Run a chapter, or the experiment notebook, with other parameters.",
        epilog="`rb notebook ss_sarsa --help`, or 07, lists the parameters of a chapter.\n"
               "example: rb notebook 01 -p horizon=8 -o mine.ipynb",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.add_argument("chapter", nargs="?", help="its slug or number, or experiment")
    command.add_argument("-p", dest="parameters", metavar="NAME=VALUE", action="append", default=[],
                         help="a parameter of the chapter; may be repeated")
    command.add_argument("-o", "--out", type=Path, metavar="OUT.ipynb",
                         help="the executed notebook (CHAPTER-run.ipynb)")
    command.add_argument("--timeout", type=amount, default=600, help="seconds for a cell (600)")
    command.add_argument("-h", "--help", action="store_true", help="this, or the parameters")
    command.set_defaults(command=run_notebook, usage=command.format_help)

    command = commands.add_parser(
        "verify", help="recompute results and compare",
        description="Recompute simulations of files of results, or of tables of losses, and "
                    "compare every number.",
        epilog="example: rb verify smoke --sims all", parents=[where, some],
    )
    command.add_argument("folder", type=Path,
                         help="folder with results of `rb reproduce`, or of `rb race`")
    command.add_argument("--sims", type=amount_or_all, default=2,
                         help="simulations of each agent, chosen at random, or all (2)")
    command.set_defaults(command=verify)
    return top


def amount(text: str) -> float:
    """A number as people write it: 1000, 1_000, 1e3."""
    try:
        return numeral("it", text)
    except InputError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number") from None


def amount_or_all(text: str) -> float | str:
    """The same, or the word all."""
    return text if text == "all" else amount(text)


def list_experiments(options: argparse.Namespace) -> None:
    from rb_core.evaluation import SIMULATIONS, experiments
    from rb_core.lab.cost import core_seconds, tier_seconds
    from rb_core.lab.reproduce import TIERS
    from rb_core.simulation import cores

    print(f"{'experiment':<45} {'arms':>4} {'s_max':>5} {'rounds':>9} {'core minutes':>13}")
    with saying_what_compiles():
        for name, each in experiments().items():
            minutes, bandit = core_seconds(each, SIMULATIONS) / 60, each.bandit
            print(f"{name:<45} {bandit.arms:>4} {bandit.s_max:>5} {each.rounds:>9,} "
                  f"{minutes:>13.1f}", flush=True)
    print(f"\n{SIMULATIONS:,} simulations of each agent. All {len(experiments())} with "
          f"`rb reproduce --tier ...`, on {cores()} cores:")
    for tier, size in TIERS.items():
        minutes = tier_seconds(tier) / 60 / cores()
        said = f"about {minutes:,.0f} minutes" if minutes > 1 else "under a minute"
        print(f"{tier:<10} {size.sims:>5,} simulations, {size.share:>4.0%} of the rounds: {said}")


@contextmanager
def executor_of(
    options: argparse.Namespace, agents: Iterable[object] = ()
) -> "Iterator[Executor]":
    """Who does the work."""
    from rb_core.lab.executors import executor

    with executor(workers_of(options), options.scheduler, agents) as chosen, saying_what_compiles():
        yield chosen


@contextmanager
def saying_what_compiles() -> Iterator[None]:
    """On a new machine the first command waits for the compiler: says so, and how long it took."""
    from rb_core.engine.cache import compilation

    compilation.tell = lambda: print(
        "Compiling for this machine; later commands will find that on disk.", file=sys.stderr)
    yield
    if compilation.seconds:
        print(f"Compiling took {compilation.seconds:.1f} seconds.", file=sys.stderr)


def workers_of(options: argparse.Namespace) -> int:
    """How many threads."""
    from rb_core.simulation import cores

    return cores() if options.workers is None else whole("workers", options.workers, 1)


def store_of(options: argparse.Namespace) -> "Store":
    """Where finished blocks are kept."""
    from rb_core.lab.store import Store

    return Store(options.store)


def run(options: argparse.Namespace) -> None:
    from rb_core.lab.run import draw, median_regret, run, sized
    from rb_core.lab.user_agents import labels_of, load_user_agent
    from rb_core.simulation import MOST_SIMS

    chosen = sized(options.name, options.rounds)
    sims, seed = whole("sims", options.sims, 1, MOST_SIMS), whole("seed", options.seed, 0)
    check_picture(options.out)
    labels = labels_of(options.agent, chosen.agents)
    agents = {labels[spec]: load_user_agent(spec, chosen.gamma) for spec in options.agent}
    width, start = max(map(len, [*chosen.agents, *agents])), time.perf_counter()

    def show(name: str, summary: "Summary") -> None:
        print(f"{name:<{width}}  {f'{median_regret(summary):,.0f}':>28}  "
              f"{f'{summary.rate:.1%}':>24}  {time.perf_counter() - start:>7.1f}", flush=True)

    with executor_of(options, agents.values()) as executor:
        print(f"{chosen.name}: {sims:,} simulations of {chosen.rounds:,} rounds, seed {seed}")
        print(f"{'agent':<{width}}  {'regret: median [5%, 95%]':>28}  "
              f"{'optimal [95% interval]':>24}  {'after s':>7}")
        found = run(chosen.name, sims, chosen.rounds, seed, agents, executor, store_of(options),
                    progress=True, done=show)
    if options.out:
        print(f"{draw(found, chosen.name, options.out)}\nDrawn in {options.out}.")


def reproduce(options: argparse.Namespace) -> None:
    from rb_core.lab.reproduce import TIERS, reproduce

    choice("tier", options.tier, TIERS)
    start, out = time.perf_counter(), options.out or Path(f"results-{options.tier}")
    with executor_of(options) as executor:
        reproduce(options.tier, options.only, out, store_of(options), executor, True, print)
    print(f"Results in {out}, after {time.perf_counter() - start:.0f} seconds.")


def sweep(options: argparse.Namespace) -> None:
    from rb_core.lab.sweep import EXAMPLE, read_sweep, sweep

    if options.example:
        print(EXAMPLE, end="")
        return
    if options.file is None:
        raise InputError("A sweep file is needed; `rb sweep --example` prints one to start from.")
    workers, chosen = workers_of(options), read_sweep(options.file)
    asked = {"out": options.out, "store": store_of(options), "parquet": options.parquet}
    if options.dry_run:
        planned = sweep(chosen, **asked, dry_run=True)
        print(planned.said(workers))  # type: ignore[union-attr]
        return
    with executor_of(options, [each.agent for each in chosen.combinations]) as executor:
        sweep(chosen, **asked, executor=executor, progress=True, say=print)


def race(options: argparse.Namespace) -> None:
    from rb_core.agents import AGENTS
    from rb_core.lab.race import SUITES, race
    from rb_core.lab.user_agents import labels_of, load_user_agent
    from rb_core.problem import paper_gamma

    suite = SUITES[choice("suite", options.suite, SUITES)]
    labels, gamma = labels_of(options.agent, AGENTS), paper_gamma(suite.rounds[0])
    agents = {labels[spec]: load_user_agent(spec, gamma) for spec in options.agent}
    with executor_of(options, agents.values()) as executor:
        found = race(options.suite, agents, options.out, executor, store_of(options), True, print)
    for cell, board in found.board().items():
        print(f"{cell}: share of the best average lost, with 95% intervals")
        for agent, loss in board.items():
            print(f"  {agent:<20} {f'{loss:.4f}':>26}")
    if options.out:
        print(f"Every run in {options.out / f'{options.suite}.csv'}.")


def plan(options: argparse.Namespace) -> None:
    from rb_core.bandit import RecoveringBandit
    from rb_core.lab.reward_tables import read_means
    from rb_core.lab.run import draw_timetable
    from rb_core.scheduling import schedule

    bandit = RecoveringBandit(read_means(options.table), "normal")  # whose means may be any
    check_picture(options.out)
    found = schedule(bandit, options.effort)
    print(f"A cycle of {len(found.cycle)} rounds with {len({arm for arm, _ in found.cycle})} of "
          f"{bandit.arms} arms, s_max {bandit.s_max}; arms count from 1:")
    print(" ".join(f"{arm + 1}@{state}" for arm, state in found.cycle))
    print(f"average {found.average:.6g}  bound {found.bound:.6g}  gap {found.gap:.2%}")
    if options.out:
        draw_timetable(found, bandit, options.out)
        print(f"Drawn in {options.out}.")


def run_notebook(options: argparse.Namespace) -> None:
    from rb_core.lab import notebooks

    if options.help and options.chapter is None:
        print(options.usage(), end="")
        return
    if options.chapter is None:
        slugs = map(notebooks.slug, notebooks.chapters().values())
        raise InputError(f"A chapter is needed: one of {', '.join(slugs)}.")
    path = notebooks.find(options.chapter)
    out = options.out or Path(f"{path.stem}-run.ipynb")
    if options.help:
        print(f"Parameters of {path.stem}, with their defaults:")
        for parameter in notebooks.parameters(notebooks.read(path)).values():
            print(f"  {parameter}")
        return
    notebooks.run_notebook(options.chapter, out, options.parameters, options.timeout)
    print(f"Executed in {out}.")


def verify(options: argparse.Namespace) -> None:
    from rb_core.lab.verify import verify

    with executor_of(options) as executor:
        print(verify(options.folder, options.only, options.sims, executor))


def check_picture(path: Path | None) -> None:
    from rb_core.engine.files import check_folder

    if path is None:
        return
    if path.is_dir() or path.suffix not in (".png", ".svg", ".pdf"):
        raise InputError(f"The picture must be a file .png, .svg or .pdf, not {path.name!r}.")
    check_folder(path)


if __name__ == "__main__":
    sys.exit(main())
