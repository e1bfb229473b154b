"""The paper's evaluation can be interrupted, continued, and checked."""

import dataclasses
import shutil
import signal
import subprocess
import sys

import numpy as np
import pytest

import rb_core as rb
from rb_core.cli import main
from rb_core.lab.reproduce import TIERS
from rb_core.lab.results import read_results, write_results
from rb_core.simulation import block_name, jobs_of

NAME = "small-normal-discounted"


def reproduced(folder, only="small-*", name="out"):
    call = ["reproduce", "--tier", "smoke", "--only", only, "--store", str(folder / "blocks")]
    assert main([*call, "--out", str(folder / name)]) == 0
    return folder / name


def content(folder):
    """All numbers of a folder of results; seconds are none of them."""
    found = {}
    for path in sorted(folder.glob("*.npz")):
        for agent, each in read_results(path).measured.items():
            found[path.stem, agent] = [np.asarray(field).tolist() for field in each.summary]
    return found


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """The smoke tier of the small setting, in a folder with its store."""
    return reproduced(tmp_path_factory.mktemp("small")).parent


@pytest.mark.slow
def test_the_smoke_tier_covers_all_36_experiments(tmp_path):
    out = reproduced(tmp_path, only="*")
    assert sorted(path.stem for path in out.iterdir()) == sorted(rb.experiments())
    for path in out.iterdir():
        summaries, made = rb.results(path.stem, out)
        assert list(summaries) == list(rb.experiment(path.stem).agents)
        assert made["command"] == f"rb reproduce --tier smoke --only {path.stem}"
        assert all(len(each.regret) == made["simulations"] == 10 for each in summaries.values())


def test_stored_results_are_those_of_simulate(small):
    chosen = TIERS["smoke"].sized(rb.experiment(NAME))
    best = rb.optimum(chosen.bandit, chosen.rounds, chosen.gamma)
    summaries, _ = rb.results(NAME, small / "out")
    for name, agent in chosen.agents.items():
        runs = rb.simulate(chosen.bandit, agent, chosen.rounds, 10, gamma=chosen.gamma)
        for left, right in zip(summaries[name], rb.summarise(runs, best), strict=True):
            assert np.array_equal(left, right)


def test_a_second_call_computes_nothing_and_touches_no_file(small, capsys):
    before = {path: path.stat().st_mtime_ns for path in (small / "out").iterdir()}
    reproduced(small)
    assert "0 of them to compute" in capsys.readouterr().out
    assert before == {path: path.stat().st_mtime_ns for path in (small / "out").iterdir()}


def test_results_that_are_there_are_kept_even_without_their_blocks(small, tmp_path, capsys):
    shutil.copytree(small / "out", tmp_path / "out")
    before = content(tmp_path / "out")
    reproduced(tmp_path)  # its store of blocks is empty
    assert "0 of them to compute" in capsys.readouterr().out
    assert content(tmp_path / "out") == before


def changed(small, tmp_path, change):
    """A folder with one file of results, changed by a function."""
    results = read_results(small / "out" / f"{NAME}.npz")
    (tmp_path / "out").mkdir()
    write_results(tmp_path / "out" / f"{NAME}.npz", change(results) or results)
    return tmp_path


@pytest.mark.parametrize(
    "field", [{"rounds": 999}, {"seed": 1}, {"simulations": 9}, {"bandit": "another"}], ids=str
)
def test_results_made_differently_are_computed_again(small, tmp_path, capsys, field):
    reproduced(changed(small, tmp_path, lambda found: dataclasses.replace(found, **field)), NAME)
    assert "6 of them to compute" in capsys.readouterr().out


def with_other_parameters(results):
    results.agents["SARSA"] = "an older one"


def by_other_code(results):
    each = results.measured["SARSA"]
    results.measured["SARSA"] = each._replace(maker=each.maker._replace(code="other"))


@pytest.mark.parametrize("change", [with_other_parameters, by_other_code])
def test_only_agents_that_have_changed_are_computed_again(small, tmp_path, capsys, change):
    out = reproduced(changed(small, tmp_path, change), NAME)
    assert "1 of them to compute" in capsys.readouterr().out
    assert content(out).items() <= content(small / "out").items()


def test_what_was_kept_is_never_stamped_anew(small, tmp_path, capsys):
    def by_an_older_numpy(results):
        with_other_parameters(results)
        each = results.measured["SS-SARSA"]
        results.measured["SS-SARSA"] = each._replace(maker=each.maker._replace(numpy="1.0"))

    out = reproduced(changed(small, tmp_path, by_an_older_numpy), NAME)
    assert f"{NAME}: kept, but made with numpy 1.0 (here {np.__version__})" in (
        capsys.readouterr().out)
    made = rb.results(NAME, out)[1]["made by"]
    assert made["SS-SARSA"]["numpy"] == "1.0"
    assert made["SARSA"]["numpy"] == np.__version__


def test_an_agent_without_discount_is_simulated_once_for_both_experiments():
    one = rb.experiment("small-bernoulli-discounted")
    jobs = [{block_name(job) for agent in each.agents.values()
             for job in jobs_of(each.problem, agent, 50)} for each in (one, one.twin)]
    assert len(jobs[0] & jobs[1]) == 2  # 1RGP-TS and 2RGP-TS
    assert len(jobs[0] | jobs[1]) == 10


def test_the_classroom_is_part_of_the_paper():
    chosen = rb.experiment("6-homo-peaked-normal-discounted")
    classroom, paper = (
        {block_name(job) for job in jobs_of(TIERS[tier].sized(chosen).problem, rb.SSSarsa(0.9),
                                            TIERS[tier].sims)}
        for tier in ("classroom", "paper")
    )
    assert classroom < paper


def test_beyond_the_paper_are_other_agents_and_seeds_at_the_same_size():
    chosen = rb.experiment("6-homo-peaked-normal-discounted")
    beyond = TIERS["beyond"].sized(chosen)
    assert (beyond.problem, beyond.name) == (chosen.problem, chosen.name)
    assert list(beyond.agents) == ["PlanUCB"]
    assert not set(beyond.agents) & set(chosen.agents)
    used_for_constants = {0, 7, 1000}
    assert beyond.seed not in used_for_constants
    assert TIERS["beyond"].sims == TIERS["paper"].sims


def test_what_goes_beyond_is_verified_like_the_rest(tmp_path, monkeypatch):
    monkeypatch.setitem(TIERS, "beyond", dataclasses.replace(TIERS["smoke"], beyond=True))
    rb.reproduce("beyond", NAME, tmp_path, rb.Store(tmp_path / "blocks"))
    assert rb.verify(tmp_path, sims="all").simulations == TIERS["smoke"].sims
    found = read_results(tmp_path / f"{NAME}.npz")
    assert found.seed == rb.experiment(NAME).beyond.seed
    write_results(tmp_path / f"{NAME}.npz", dataclasses.replace(found, seed=0))
    with pytest.raises(rb.InputError, match="another seed"):
        rb.verify(tmp_path)


def test_a_damaged_block_is_found_and_computed_again(tmp_path):
    before = content(reproduced(tmp_path))
    victim = sorted((tmp_path / "blocks").iterdir())[3]
    victim.write_bytes(victim.read_bytes()[:100])
    assert content(reproduced(tmp_path, name="again")) == before
    assert len(victim.read_bytes()) > 100


# The process kills itself, with no chance to tidy up, as soon as it has kept so many more blocks.
KILLED = """
import os, signal, sys
from rb_core.cli import main
from rb_core.lab.store import Store

put, left = Store.put, [int(sys.argv[1])]

def put_and_die(self, name, block):
    put(self, name, block)
    left[0] -= 1
    if left[0] == 0:
        os.kill(os.getpid(), signal.SIGKILL)

Store.put = put_and_die
main(sys.argv[2:])
"""


def run_until(folder, count, environment):
    """Run the command until it has kept `count` more blocks; how many there are then."""
    call = [
        sys.executable, "-c", KILLED, str(count), "reproduce", "--tier", "smoke",
        "--only", "small-*", "--store", str(folder / "blocks"), "--out", str(folder / "out"),
    ]  # fmt: skip
    done = subprocess.run(call, env=environment, capture_output=True)
    assert done.returncode == -signal.SIGKILL, done.stderr
    return len(list((folder / "blocks").glob("*.block")))


@pytest.mark.slow
def test_killed_again_and_again_it_gets_on_and_gives_what_an_uninterrupted_run_gives(
    tmp_path, small, environment
):
    kept = [0]
    for count in (1, 3, 2, 4, 1):
        kept.append(run_until(tmp_path, count, environment))
        assert kept[-1] == kept[-2] + count  # nothing that was finished is lost
    out = reproduced(tmp_path)
    assert content(out) == content(small / "out")
    assert sorted(path.name for path in out.iterdir()) == sorted(
        path.name for path in (small / "out").iterdir())


@pytest.mark.slow
def test_two_runs_side_by_side_do_not_harm_each_other(tmp_path, small):
    call = [
        sys.executable, "-m", "rb_core.cli", "reproduce", "--tier", "smoke", "--only", "small-*",
        "--store", str(tmp_path / "blocks"), "--out",
    ]  # fmt: skip
    outs = [tmp_path / "one", tmp_path / "two"]
    both = [subprocess.Popen([*call, str(out)], stdout=subprocess.DEVNULL) for out in outs]
    assert [process.wait() for process in both] == [0, 0]
    assert content(outs[0]) == content(outs[1]) == content(small / "out")


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (["reproduce", "--tier", "papre"], "did you mean 'paper'"),
        (["reproduce", "--only", "6-hetero-incresing-bernoulli-discounted"], "increasing"),
        (["reproduce", "--workers", "0"], "workers"),
        (["reproduce", "--store", "file/blocks"], "Nothing can be written"),
        (["reproduce", "--store", "blocks", "--out", "file"], "is no folder"),
        (["verify", "nowhere"], "no results"),
        (["verify", ".", "--sims", "0"], "sims"),
        (["verify", ".", "--sims", "many"], "not a number"),
        (["verify"], "folder"),
    ],
)
def test_bad_calls_get_one_sentence_and_exit_code_2(call, said, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("")
    assert main(call) == 2
    printed = capsys.readouterr()
    assert printed.err.count("\n") == 1
    assert said in printed.err
    assert {path.name for path in tmp_path.iterdir()} <= {"file", "blocks"}


@pytest.mark.parametrize("damage", [b"", b"not a file of results", None])
def test_a_damaged_file_of_results_is_a_sentence(tmp_path, small, damage):
    path = tmp_path / f"{NAME}.npz"
    whole = (small / "out" / path.name).read_bytes()
    path.write_bytes(whole[: len(whole) // 2] if damage is None else damage)
    with pytest.raises(rb.InputError, match="damaged"):
        read_results(path)


def test_a_foreign_file_is_not_taken_for_results(tmp_path):
    path = tmp_path / f"{NAME}.npz"
    np.savez(path, about=np.array("{}"), other=np.zeros(3))
    with pytest.raises(rb.InputError, match="no file of results"):
        read_results(path)


def test_a_field_that_a_file_lacks_has_its_default(small, tmp_path):
    def of_the_first_edition(results):
        for name, each in results.measured.items():
            old = each.summary._replace(curves=None)
            results.measured[name] = each._replace(summary=old)
        results.notes["lacks"] = ["curves"]

    out = changed(small, tmp_path, of_the_first_edition) / "out"
    summary = rb.results(NAME, out)[0]["SARSA"]
    assert summary.curves is None
    assert "lack curves" in rb.verify(out).remarks[0]
