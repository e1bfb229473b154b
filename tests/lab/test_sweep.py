"""`rb sweep`: what a file asks for is what runs, once, and what comes out of it can be read."""

import math
import random
import re
import subprocess
import sys
from collections import Counter
from itertools import islice, product

import nbformat
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rb_core as rb
from rb_core.cli import main
from rb_core.engine.blocks import maker_of, simulate_block
from rb_core.lab.store import Store
from rb_core.lab.sweep import EXAMPLE, read_sweep, read_swept, sweep
from rb_core.lab.sweep.table import column as key_of
from rb_core.lab.sweep.table import jobs_of_sweep, table_of
from rb_core.lab.sweep.texts import Loader
from rb_core.settings import SETTINGS, Row
from rb_core.simulation import one_job, run_jobs
from tests.conftest import TOP
from tests.lab.test_cluster import Cluster

OWN = (TOP / "tests" / "own_agents.py").read_text()
SWEEP = """
base: small-bernoulli-discounted
agents: [SS-SARSA, 1RGP-TS]
grid: {t0: [50, 5000], explore: [0.1, 0.2]}
sims: 60
rounds: 500
"""


@pytest.fixture
def read(tmp_path):
    """Reads a sweep from its text."""

    def read(text):
        (tmp_path / "mine.yml").write_text(text)
        return read_sweep(tmp_path / "mine.yml")

    return read


@pytest.fixture
def call(tmp_path, capsys):
    """Runs `rb sweep` on a text, with a store of its own, and returns what it printed."""

    def call(text, *options, store="blocks"):
        (tmp_path / "mine.yml").write_text(text)
        folders = ["--store", str(tmp_path / store), "--out", str(tmp_path / "out")]
        assert main(["sweep", str(tmp_path / "mine.yml"), *folders, *options]) == 0
        return capsys.readouterr().out

    return call


def values(sweep):
    return [(run.name, dict(run.values)) for run in sweep.combinations]


def table(sweep, folder):
    return table_of(sweep, Store(folder)).rows


def test_an_agent_without_a_parameter_runs_once_for_all_its_values(read):
    found = values(read(SWEEP))
    assert found == [
        *(("SS-SARSA", {"t0": t0, "explore": share}) for t0 in (50, 5000) for share in (0.1, 0.2)),
        ("1RGP-TS", {}),
    ]


def test_a_part_of_a_table_has_what_a_summary_has(read, tmp_path):
    asked = read(SWEEP)
    found = table_of(asked, Store(tmp_path)).where(agent="SS-SARSA", t0=50, explore=0.2)
    runs = rb.simulate(rb.setting("small"), rb.SSSarsa(rb.paper_gamma(500), 50, 0.2), 500, 60,
                       gamma=rb.paper_gamma(500))
    summary = rb.summarise(runs, rb.optimum(rb.setting("small"), 500, rb.paper_gamma(500)))
    assert np.array_equal(found.regret, summary.regret)
    assert np.array_equal(found.optimal, summary.optimal)
    assert found.endings == summary.endings
    assert found.rate == summary.rate
    assert len(found.rows) == 60
    assert found.made["runs"] == 5


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"shapes": "peaked"}, "There is no column 'shapes': did you mean 'shape'?"),
        ({"t0": 50, "s_max": 4}, "No simulation of this table has t0=50, s_max=4."),
    ],
)
def test_a_part_that_is_not_there_is_refused(values, said):
    with pytest.raises(rb.InputError, match=f"^{re.escape(said)}$"):
        rb.read_swept("steps").where(**values)


def test_a_list_of_all_combinations_is_the_grid(read):
    items = [f"{{t0: {t0}, explore: {share}}}" for t0 in (50, 5000) for share in (0.1, 0.2)]
    listed = SWEEP.replace("grid: {t0: [50, 5000], explore: [0.1, 0.2]}",
                           f"list: [{', '.join(items)}]")
    assert read(listed).combinations == read(SWEEP).combinations


def test_a_list_and_a_grid_are_every_item_with_every_combination(read):
    both = SWEEP.replace("grid: {t0: [50, 5000], explore: [0.1, 0.2]}",
                         "list: [{t0: 50}, {t0: 5000}]\ngrid: {explore: [0.1, 0.2]}")
    assert read(both).combinations == read(SWEEP).combinations


def test_a_table_may_have_a_row_for_each_combination(call, tmp_path):
    assert "240 rows" in call(SWEEP.replace("[SS-SARSA, 1RGP-TS]", "SS-SARSA"))
    whole = read_swept(tmp_path / "out" / "mine.csv")
    condensed = SWEEP.replace("[SS-SARSA, 1RGP-TS]", "SS-SARSA") + "rows: combinations\n"
    assert "about 0.0 MB for a table of 4 rows" in call(condensed, "--dry-run")
    assert call(condensed).endswith("4 rows in " + str(tmp_path / "out" / "mine.csv") + ".\n")
    found = read_swept(tmp_path / "out" / "mine.csv")
    assert len(found.rows) == 4
    for t0, explore in product((50, 5000), (0.1, 0.2)):
        one, many = (each.where(t0=t0, explore=explore) for each in (found, whole))
        row = one.rows.iloc[0]
        assert row.simulations == len(many.rows) == 60
        assert one.rate == many.rate
        assert one.mean_regret.value == pytest.approx(many.regret.mean())
        half = 1.96 * many.regret.std() / math.sqrt(60)
        for each in (one, many):
            assert each.mean_regret.low == pytest.approx(many.regret.mean() - half)
        assert list(row[["5% of regret", "50% of regret", "95% of regret"]]) == pytest.approx(
            list(np.quantile(many.regret, [0.05, 0.5, 0.95])))
        assert (row.ending, row["ended so"]) == many.endings[0]
    (tmp_path / "out" / "mine.csv").write_text("agent,simulations\nSS-SARSA,60\n")
    with pytest.raises(rb.InputError, match="damaged"):
        read_swept(tmp_path / "out" / "mine.csv")


def test_items_of_a_list_name_agents_and_leave_the_rest_at_its_default(read):
    found = read("base: small-normal-discounted\n"
                 "list: [{agent: SARSA, t0: 1}, {agent: RGP-TS, lookahead: 2}, {agent: SARSA}]")
    assert values(found) == [("SARSA", {"t0": 1}), ("SARSA", {"t0": 5000}),
                             ("RGP-TS", {"lookahead": 2})]
    assert found.combinations[2].agent == rb.RGPTS(2)


def test_numbers_are_read_as_people_write_them(read):
    found = read(SWEEP.replace("[50, 5000]", "[1e-3, 1_000, '5e3', .5]").replace("500\n", "5e2\n"))
    assert {run.agent.t0 for run in found.combinations[:-1]} == {0.001, 1000, 5000, 0.5}
    assert {run.problem.rounds for run in found.combinations} == {500}


def test_large_whole_numbers_stay_what_they_are(read, tmp_path):
    own = OWN.replace("epsilon: float = 0.1\n\n    def init", "size: int = 1\n\n    def init")
    own = own.replace("GreedyMemory(self.epsilon", "GreedyMemory(0.1")
    (tmp_path / "sized_agents.py").write_text(own)
    found = read("base: small-bernoulli-discounted\nagents: 'sized_agents:Greedy'\nrounds: 50\n"
                 f"seed: {2**60 + 1}\ngrid: {{size: [{2**53}, {2**53 + 1}]}}")
    assert found.seed == 2**60 + 1
    assert [run.agent.size for run in found.combinations] == [2**53, 2**53 + 1]


def test_a_name_is_compared_with_few_others_however_many_there_are(read, monkeypatch):
    class Counted(str):
        compared = 0

        def __eq__(self, other):
            Counted.compared += 1
            return str.__eq__(self, other)

        __hash__ = str.__hash__

    monkeypatch.setattr(Loader, "construct_scalar", lambda self, node: Counted(node.value))
    with pytest.raises(rb.InputError, match=r"no key in mine\.yml 'k0'"):
        read("\n".join(f"k{i}: 1" for i in range(2000)))
    assert Counted.compared < 10 * 2000


def test_what_is_not_said_is_as_in_the_experiment(read):
    (run, *others) = read("base: 10-homo-peaked-normal-undiscounted").combinations
    experiment = rb.experiment("10-homo-peaked-normal-undiscounted")
    assert [run.name, *(other.name for other in others)] == list(experiment.agents)
    assert run.agent == experiment.agents["SS-SARSA"]
    assert run.problem == experiment.problem


@pytest.mark.parametrize("name", [name for name, row in SETTINGS.items() if isinstance(row, Row)])
@pytest.mark.parametrize("shape", ["increasing", "peaked"])
def test_a_bandit_of_the_papers_sizes_is_the_papers(read, name, shape):
    row = SETTINGS[name]
    base = f"{{K: {row.arms}, s_max: {row.s_max}, best_arms: {row.best_arms}, shape: {shape}}}"
    (run,) = read(f"base: {base}\nagents: RandomPull\nrounds: 50").combinations
    assert run.problem.bandit == rb.setting(name, shape)


def test_sizes_tables_and_laws_can_be_varied(read, tmp_path):
    grid = "{K: [3, 4], shape: [peaked, increasing], reward: [bernoulli, normal]}"
    base = "base: {s_max: 3}\nagents: RandomPull\nsims: 3\nrounds: 50\n"
    found = table(read(f"{base}grid: {grid}"), tmp_path / "blocks")
    assert len(found) == 8 * 3
    assert list(found.columns) == ["agent", "K", "shape", "reward (given)", "simulation", "reward",
                                   "regret", "optimal", "ending"]
    (tmp_path / "one.csv").write_text("0.1,0.5\n0.2,0.2\n")
    np.save(tmp_path / "two.npy", [[0.3, 0.4], [0.1, 0.9]])
    found = read("base: {}\nagents: RandomPull\ngrid: {table: [one.csv, two.npy]}\nrounds: 9")
    assert [each.problem.bandit for each in found.combinations] == [
        rb.RecoveringBandit([[0.1, 0.5], [0.2, 0.2]]), rb.RecoveringBandit([[0.3, 0.4], [0.1, 0.9]])
    ]


@pytest.mark.parametrize("discount", ["", "gamma: 1", "gamma: 0.9", "seed: 3"])
def test_the_table_holds_what_simulate_gives(read, tmp_path, discount):
    sweep = read(f"{SWEEP}\n{discount}")
    found = table(sweep, tmp_path / "blocks")
    gamma = {"": 1 - 1 / 500, "gamma: 1": 1.0, "gamma: 0.9": 0.9}.get(discount, 1 - 1 / 500)
    best = rb.optimum(rb.setting("small"), 500, gamma)
    for agent, rows in ((rb.SSSarsa(gamma, t0=50.0, explore=0.2), (found.t0 == 50)
                         & (found.explore == 0.2)), (rb.RGPTS(), found.agent == "1RGP-TS")):
        runs = rb.simulate(rb.setting("small"), agent, 500, 60, sweep.seed, gamma)
        part = found[rows]
        assert part.simulation.tolist() == list(range(60))
        assert part.reward.tolist() == runs.cumulative[:, -1].tolist()
        assert part.regret.tolist() == rb.regret(runs, best)[:, -1].tolist()
        assert part.optimal.tolist() == rb.is_optimal(runs, best).tolist()
        assert Counter(part.ending) == dict(rb.summarise(runs, best).endings)


def test_a_gamma_in_the_grid_is_the_agents_and_not_the_evaluations(read):
    found = read("base: small-bernoulli-undiscounted\nagents: [SARSA, RandomPull]\nrounds: 50\n"
                 "grid: {gamma: [0.5, 0.9]}").combinations
    assert [getattr(run.agent, "gamma", None) for run in found] == [0.5, 0.9, None]
    assert {run.problem.gamma for run in found} == {1}


def test_the_papers_parameters_find_the_papers_blocks(call, tmp_path):
    only = "small-normal-discounted"
    assert main(["reproduce", "--only", only, "--store", str(tmp_path / "blocks"),
                 "--out", str(tmp_path / "paper")]) == 0
    text = (f"base: {only}\nagents: [SS-SARSA, SS-SARSA (sep.), SARSA, 2RGP-TS]\n"
            "grid: {t0: [5000, 7]}\nsims: 10\nrounds: 1000")
    printed = call(text, "--dry-run")
    assert "7 combinations, 7 blocks, 3 of them to compute" in printed  # t0 = 7, where it applies


@pytest.mark.slow
def test_a_dry_run_writes_nothing_and_tells_what_then_happens(call, tmp_path):
    printed = call(SWEEP, "--dry-run")
    assert [path.name for path in tmp_path.iterdir()] == ["mine.yml"]
    said = re.match(r"(\d+) combinations, (\d+) blocks, (\d+) of", printed)
    assert said.groups() == ("5", "10", "10")
    most, rows = re.search(r"up to ([\d.]+) MB .* (\d+) rows", printed).groups()
    assert "10 blocks, 10 of them to compute" in call(SWEEP)
    files = list((tmp_path / "blocks").iterdir())
    assert len(files) == 10
    written = sum(path.stat().st_size for path in files)
    assert written <= float(most) * 1e6 + 5e4  # which is rounded
    assert written >= float(most) * 1e6 / 5
    assert len(pd.read_csv(tmp_path / "out" / "mine.csv")) == int(rows) == 300
    assert "10 blocks, 0 of them to compute" in call(SWEEP, "--dry-run")


@pytest.mark.slow
def test_an_interrupted_sweep_goes_on_where_it_stopped(call, read, tmp_path):
    sweep, store = read(SWEEP), Store(tmp_path / "blocks")
    done = run_jobs(jobs_of_sweep(sweep), None, store)
    assert len(list(islice(done, 3))) == 3
    done.close()
    kept = {path: path.stat().st_mtime_ns for path in store.folder.iterdir()}
    assert len(kept) == 3
    assert "10 blocks, 7 of them to compute" in call(SWEEP)
    assert all(path.stat().st_mtime_ns == time for path, time in kept.items())
    written = pd.read_csv(tmp_path / "out" / "mine.csv")
    pd.testing.assert_frame_equal(written, table(sweep, tmp_path / "afresh"), check_exact=True)


@pytest.mark.slow
def test_the_summary_is_an_executed_notebook_with_figures(call, tmp_path):
    call(SWEEP)
    found = nbformat.read(tmp_path / "out" / "mine-summary.ipynb", 4)
    nbformat.validate(found)
    assert "made_from" not in found.metadata
    cells = [cell for cell in found.cells if cell.cell_type == "code"]
    assert all(cell.execution_count for cell in cells)
    outputs = [output for cell in cells for output in cell.outputs]
    assert not [output for output in outputs if output.get("name") == "stderr"]
    assert sum("image/svg+xml" in output.get("data", {}) for output in outputs) == 3
    for cell in cells:
        if any("image/svg+xml" in output.get("data", {}) for output in cell.outputs):
            assert len(cell.metadata["mystnb"]["image"]["alt"]) >= 20, cell.id


@pytest.mark.slow
@pytest.mark.parametrize(
    "grid",
    ["grid: {t0: [50, 500]}", "grid: {visits: [joint, separated]}", "grid: {t0: [50]}", "",
     "grid: {t0: [1, 2], explore: [0.1, 0.2], gamma: [0.5, 0.6], ties: [random, first]}"],
)  # fmt: skip
@pytest.mark.slow
def test_the_summary_draws_whatever_varies(call, tmp_path, grid):
    call(re.sub("grid: .*", grid, SWEEP.replace("sims: 60", "sims: 4")))
    found = nbformat.read(tmp_path / "out" / "mine-summary.ipynb", 4)
    outputs = [output for cell in found.cells for output in cell.get("outputs", [])]
    assert not [output for output in outputs if output.get("name") == "stderr"]
    assert any("image/svg+xml" in output.get("data", {}) for output in outputs)


@pytest.mark.slow
def test_the_table_can_be_parquet(call, tmp_path):
    pytest.importorskip("pyarrow")
    call(SWEEP, "--parquet")
    call(SWEEP)
    one, other = pd.read_parquet(tmp_path / "out" / "mine.parquet"), tmp_path / "out" / "mine.csv"
    pd.testing.assert_frame_equal(one, pd.read_csv(other), check_exact=True, check_dtype=False)


def test_without_pyarrow_parquet_is_refused(tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.yml").write_text(SWEEP)
    assert main(["sweep", "mine.yml", "--parquet"]) == 2
    assert "Parquet needs pyarrow" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["mine.yml"]


def test_results_that_cannot_be_written_are_refused_at_once(tmp_path, capsys):
    (tmp_path / "mine.yml").write_text(SWEEP)
    call = ["sweep", str(tmp_path / "mine.yml"), "--store", str(tmp_path / "blocks")]
    assert main([*call, "--out", str(tmp_path / "mine.yml" / "out")]) == 2
    assert "Nothing can be written into" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["mine.yml"]


@pytest.mark.parametrize("dry", [["--dry-run"], []])
@pytest.mark.parametrize("option", ["--store", "--out"])
def test_a_folder_that_cannot_be_written_into_is_refused_at_once(tmp_path, capsys, option, dry):
    (tmp_path / "mine.yml").write_text(SWEEP)
    (tmp_path / "file").write_text("")
    folders = {"--store": str(tmp_path / "blocks"), "--out": str(tmp_path / "out"),
               option: str(tmp_path / "file" / "below")}
    words = [word for pair in folders.items() for word in pair]
    assert main(["sweep", str(tmp_path / "mine.yml"), *words, *dry]) == 2
    assert "Nothing can be written into" in capsys.readouterr().err
    assert {path.name for path in tmp_path.iterdir()} == {"mine.yml", "file"}


@pytest.mark.parametrize("dry", [["--dry-run"], []])
@pytest.mark.parametrize(
    ("name", "base", "written"),
    [
        ("mine.yml", "{table: mine.csv}", {"mine.csv": "0.1,0.5\n0.2,0.2\n"}),
        ("mine.json", "small-bernoulli-discounted", {}),  # the sweep's own file
        ("mine.yml", "small-bernoulli-discounted", {"mine.csv": "somebody,else\n"}),
        ("mine.yml", "small-bernoulli-discounted", {"mine.json": '{"a": 1}'}),
        ("mine.yml", "small-bernoulli-discounted", {"mine.csv": "", "mine.json": "[1]"}),
    ],
)
def test_nothing_is_overwritten_that_no_sweep_has_made(
    tmp_path, monkeypatch, capsys, name, base, written, dry
):
    monkeypatch.chdir(tmp_path)
    written |= {name: f"base: {base}\nagents: RandomPull\nrounds: 50\nsims: 2\n"}
    for file, text in written.items():
        (tmp_path / file).write_text(text)
    assert main(["sweep", name, "--out", ".", "--store", "blocks", *dry]) == 2
    assert "was not made by a sweep" in capsys.readouterr().err
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == written


@pytest.mark.slow
def test_a_sweep_may_be_run_again_into_the_same_folder(call, tmp_path):
    text = "base: small-bernoulli-discounted\nagents: RandomPull\nrounds: 50\nsims: "
    call(f"{text}2")
    call(f"{text}3")
    assert len(read_swept(tmp_path / "out" / "mine.csv").rows) == 3


@pytest.mark.slow
def test_a_notebook_can_sweep_from_a_file_or_a_text(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rewards.csv").write_text("0.1,0.5\n0.2,0.2\n")
    text = "base: {table: rewards.csv}\nagents: RandomPull\nrounds: 50\nsims: 4\n"
    (tmp_path / "mine.yml").write_text(text)
    said = []
    found = sweep(text, store=Store(tmp_path / "blocks"), say=said.append)
    assert said == ["1 combinations, 1 blocks, 1 of them to compute.",
                    "4 rows in results-sweep/sweep.csv, figures in sweep-summary.ipynb."]
    kept = read_swept("results-sweep/sweep.csv")
    pd.testing.assert_frame_equal(kept.rows, found.rows, check_exact=True)
    assert kept.made == found.made
    assert kept.made["sweep"] == text.splitlines()
    for asked in ("mine.yml", tmp_path / "mine.yml", read_sweep("mine.yml")):
        assert sweep(asked, store=Store(tmp_path / "blocks"), dry_run=True).todo == []


@pytest.mark.parametrize(
    ("table", "made"),
    [
        (None, None), ("agent\n", None), (None, '{"sweep": []}'), ("a,b\n1,2\n", '{"sweep": []}'),
        ("", '{"sweep": []}'), ("\0\n", '{"sweep": []}'), ("a\n", "no json"), ("a\n", "[]"),
    ],
)  # fmt: skip
def test_what_is_no_table_of_a_sweep_is_refused_in_one_sentence(tmp_path, table, made):
    for name, text in (("mine.csv", table), ("mine.json", made)):
        if text is not None:
            (tmp_path / name).write_text(text)
    with pytest.raises(rb.InputError, match=r"csv' is no table of a sweep, or it is damaged\.$"):
        read_swept(tmp_path / "mine.csv")


def test_a_table_that_lacks_rows_is_refused(tmp_path):
    for ending in ("csv", "json"):
        committed = TOP / "notebooks" / "sweeps" / f"little.{ending}"
        (tmp_path / committed.name).write_text(committed.read_text())
    assert len(read_swept(str(tmp_path / "little.csv")).rows) > 1
    lines = (tmp_path / "little.csv").read_text().splitlines(keepends=True)
    (tmp_path / "little.csv").write_text("".join(lines[:-1]))
    with pytest.raises(rb.InputError, match="damaged"):
        read_swept(tmp_path / "little.csv")


@pytest.mark.slow
def test_an_agent_of_the_users_is_recomputed_when_its_code_changes_and_only_then(tmp_path):
    (tmp_path / "helping.py").write_text("FIRST = 1.0\n")
    own = OWN.replace("if count > 0 else 1.0", "if count > 0 else helping.FIRST")
    (tmp_path / "my_agents.py").write_text("import helping\n" + own)
    (tmp_path / "mine.yml").write_text(
        "base: small-bernoulli-discounted\nagents: ['my_agents:Greedy', SARSA]\n"
        "grid: {epsilon: [0.1, 0.2]}\nsims: 4\nrounds: 100")

    def to_compute(*options):
        done = subprocess.run(
            [sys.executable, "-m", "rb_core.cli", "sweep", "mine.yml", "--store", "blocks",
             *options], cwd=tmp_path, capture_output=True, text=True, timeout=300,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return int(re.search(r"3 blocks, (\d+) of them to compute", done.stdout).group(1))

    assert to_compute() == 3
    assert to_compute("--dry-run") == 0
    (tmp_path / "my_agents.py").write_text(f"# a remark\nimport helping\n{own}")
    assert to_compute("--dry-run") == 0
    (tmp_path / "helping.py").write_text("FIRST = 2.0\n")
    assert to_compute("--dry-run") == 2
    rows = pd.read_csv(tmp_path / "results-mine" / "mine.csv")
    assert rows.groupby("agent").size().to_dict() == {"Greedy": 8, "SARSA": 4}


@pytest.mark.slow
def test_an_agent_that_is_called_like_one_of_ours_is_not_taken_for_it(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    source = (TOP / "rb_core" / "agents" / "random_pull.py").read_text()
    (tmp_path / "namesakes.py").write_text(source.replace("self.arms)", "(self.arms - 1))"))
    (tmp_path / "mine.yml").write_text(
        "base: small-bernoulli-discounted\nagents: [RandomPull, 'namesakes:RandomPull']\n"
        "sims: 2\nrounds: 100")
    ours, theirs = read_sweep(tmp_path / "mine.yml").combinations
    assert (ours.name, theirs.name) == ("RandomPull", "namesakes:RandomPull")
    found = table(read_sweep(tmp_path / "mine.yml"), tmp_path / "blocks")
    assert found.groupby("agent").reward.first().nunique() == 2


@pytest.mark.cluster
@pytest.mark.timeout(300)
def test_on_a_cluster_the_table_is_the_same(call, tmp_path, monkeypatch):
    (tmp_path / "elsewhere").mkdir()
    dask = Cluster(tmp_path / "elsewhere")  # whose workers do not find the user's module
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "cluster_agents.py").write_text(OWN)
    text = SWEEP.replace("1RGP-TS", "'cluster_agents:Greedy'")
    try:
        dask.worker(), dask.worker()
        dask.wait_for_workers(2)
        call(text, "--scheduler", dask.address, store="there")
        there = (tmp_path / "out" / "mine.csv").read_bytes()
        call(text)
        assert (tmp_path / "out" / "mine.csv").read_bytes() == there
    finally:
        dask.close()


@given(st.text() | st.lists(st.sampled_from(EXAMPLE.split("\n"))).map("\n".join)
       | st.permutations(re.findall(r"\w+|\W", EXAMPLE)).map("".join))
@settings(max_examples=60)
@pytest.mark.slow
def test_whatever_a_file_says_it_is_a_sweep_or_refused(tmp_path_factory, text):
    path = tmp_path_factory.mktemp("any") / "any.yml"
    path.write_text(text, encoding="utf-8")
    try:
        said = f"{len(read_sweep(path).combinations)} combinations"
    except rb.InputError as error:
        said = str(error)
    assert "\n" not in said


COMMITTED = sorted((TOP / "notebooks" / "sweeps").glob("*.yml"))


def committed(rows):
    """Those committed sweeps whose tables have such rows."""
    found = [path for path in COMMITTED if read_sweep(path).rows == rows]
    return pytest.mark.parametrize("path", found, ids=lambda path: path.stem)


def fresh(path):
    """A committed sweep and its table, if the table was made by this code for this file."""
    sweep = read_sweep(path)
    rows, made = read_swept(path.with_suffix(".csv"))
    assert made["sweep"] == sweep.text.splitlines()
    assert made["made by"] == {
        run.name: made["made by"][run.name] | {"code": maker_of(type(run.agent)).code}
        for run in sweep.combinations
    }, f"Stale: run `rb sweep {path.name} --out .` beside it."
    return sweep, rows


def assert_says(row, run, sweep):
    said = {key: row[key_of(key)] for key in sweep.parameters if not pd.isna(row[key_of(key)])}
    assert (row.agent, said) == (run.name, dict(run.values))


@committed("simulations")
def test_a_committed_sweep_is_what_its_file_asks_for(path):
    sweep, rows = fresh(path)
    assert len(rows) == len(sweep.combinations) * sweep.sims
    for at in random.sample(range(len(rows)), 4):
        row, run = rows.iloc[at], sweep.combinations[at // sweep.sims]
        simulation = int(row.simulation)
        block = simulate_block(one_job(run.problem, run.agent, sweep.seed, simulation, 1))
        assert_says(row, run, sweep)
        assert row.reward == block.discounted[0, -1]
    row, run = rows.iloc[at - at % sweep.sims], sweep.combinations[at // sweep.sims]
    bandit, rounds, gamma = run.problem.bandit, run.problem.rounds, run.problem.gamma
    runs = rb.simulate(bandit, run.agent, rounds, 1, sweep.seed, gamma)
    found = rb.summarise(runs, rb.optimum(bandit, rounds, gamma))
    assert row.regret == pytest.approx(found.regret[0])
    assert (row.optimal, row.ending) == (found.optimal[0], found.endings[0][0])


@committed("combinations")
def test_a_condensed_sweep_is_what_its_file_asks_for(path):
    """One combination, whole if that takes seconds; else its first runs lie where it says."""
    sweep, rows = fresh(path)
    assert len(rows) == len(sweep.combinations)
    for row, run in zip(rows.iloc, sweep.combinations, strict=True):
        assert_says(row, run, sweep)
    at = random.randrange(len(rows))
    row, run = rows.iloc[at], sweep.combinations[at]
    bandit, rounds, gamma = run.problem.bandit, run.problem.rounds, run.problem.gamma
    few = min(sweep.sims, 10**7 // rounds)
    runs = rb.simulate(bandit, run.agent, rounds, few, sweep.seed, gamma)
    found = rb.summarise(runs, rb.optimum(bandit, rounds, gamma))
    if few == sweep.sims:
        assert row["mean regret"] == pytest.approx(found.regret.mean())
        assert row["sd of regret"] == pytest.approx(found.regret.std(), abs=1e-6)
        assert row["50% of regret"] == pytest.approx(np.median(found.regret))
        assert (row.simulations, row.optimal) == (few, found.optimal.sum())
        assert (row.ending, row["ended so"]) == found.endings[0]
    else:
        near = 5 * row["sd of regret"] / math.sqrt(few) + 1e-6
        assert row["mean regret"] == pytest.approx(found.regret.mean(), abs=near)
