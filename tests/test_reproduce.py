"""The paper's evaluation can be interrupted, continued, and checked."""

import json
import random
import shutil
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import rb_core as rb
from rb_core import reproduce
from rb_core.cli import main
from rb_core.reproduce import (
    at_size,
    descriptions,
    jobs_of,
    missing,
    read_results,
    results,
    write_results,
)
from rb_core.store import Store


def reproduced(tmp_path, only="small-*", name="out"):
    call = ["reproduce", "--tier", "smoke", "--only", only, "--store", str(tmp_path / "blocks")]
    assert main([*call, "--out", str(tmp_path / name)]) == 0
    return tmp_path / name


def content(folder):
    """All numbers of a folder of results; seconds are none of them."""
    found = {}
    for path in sorted(folder.glob("*.npz")):
        summaries, _ = read_results(path)
        for agent, summary in summaries.items():
            found[path.stem, agent] = [np.asarray(field).tolist() for field in summary]
    return found


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """The smoke tier of the small setting, in a folder with its store."""
    return reproduced(tmp_path_factory.mktemp("small")).parent


def test_the_smoke_tier_covers_all_36_experiments(tmp_path):
    out = reproduced(tmp_path, only="*")
    assert sorted(path.stem for path in out.iterdir()) == sorted(rb.experiments())
    for path in out.iterdir():
        summaries, made = read_results(path)
        assert list(summaries) == list(rb.experiment(path.stem).agents())
        assert made["command"] == f"rb reproduce --tier smoke --only {path.stem}"
        assert all(len(each.regret) == made["simulations"] == 10 for each in summaries.values())


def test_stored_results_are_those_of_simulate(small):
    experiment, sims = at_size(rb.experiment("small-normal-discounted"), "smoke")
    best = rb.optimum(experiment.bandit, experiment.rounds, experiment.gamma)
    summaries, _ = results(experiment.name, small / "out")
    for name, agent in experiment.agents().items():
        runs = rb.simulate(
            experiment.bandit, agent, experiment.rounds, sims, reproduce.SEED, experiment.gamma
        )
        expected = rb.summarise(runs, best)
        for left, right in zip(summaries[name], expected, strict=True):
            assert np.array_equal(left, right)


def test_a_second_call_computes_nothing(small, capsys):
    reproduced(small)
    assert "0 of them to compute" in capsys.readouterr().out


def test_results_that_are_there_are_kept_even_without_their_blocks(small, tmp_path, capsys):
    shutil.copytree(small / "out", tmp_path / "out")
    before = content(tmp_path / "out")
    reproduced(tmp_path)  # its store of blocks is empty
    assert "0 of them to compute" in capsys.readouterr().out
    assert content(tmp_path / "out") == before


@pytest.mark.parametrize("key", ["core", "rounds", "seed", "simulations"])
def test_results_made_differently_are_computed_again(small, tmp_path, capsys, key):
    name = "small-normal-discounted"
    summaries, made = results(name, small / "out")
    (tmp_path / "out").mkdir()
    experiment, _ = at_size(rb.experiment(name), "smoke")
    agents = descriptions(experiment)
    write_results(tmp_path / "out" / f"{name}.npz", summaries, made | {key: {}}, agents)
    reproduced(tmp_path, only=name)
    assert "6 of them to compute" in capsys.readouterr().out


def test_only_agents_with_other_parameters_are_computed_again(small, tmp_path, capsys):
    name = "small-normal-discounted"
    summaries, made = results(name, small / "out")
    (tmp_path / "out").mkdir()
    experiment, _ = at_size(rb.experiment(name), "smoke")
    agents = descriptions(experiment) | {"SARSA": "an older one"}
    write_results(tmp_path / "out" / f"{name}.npz", summaries, made, agents)
    reproduced(tmp_path, only=name)
    assert "1 of them to compute" in capsys.readouterr().out


def test_an_agent_without_discount_is_simulated_once_for_both_experiments():
    pair = [rb.experiment(f"small-bernoulli-{kind}") for kind in ("discounted", "undiscounted")]
    jobs = [
        {job.name for agent in each.agents().values() for job in jobs_of(each, agent, 50)}
        for each in pair
    ]
    assert len(jobs[0] & jobs[1]) == 2  # 1RGP-TS and 2RGP-TS
    assert len(jobs[0] | jobs[1]) == 10


def test_the_classroom_is_part_of_the_paper():
    experiment = rb.experiment("6-homo-peaked-normal-discounted")
    agent = experiment.agents()["SS-SARSA"]
    classroom, paper = (
        {job.name for job in jobs_of(*at_size_of(experiment, agent, tier))}
        for tier in ("classroom", "paper")
    )
    assert classroom < paper


def at_size_of(experiment, agent, tier):
    sized, sims = at_size(experiment, tier)
    return sized, agent, sims


def test_a_damaged_block_is_found_and_computed_again(tmp_path, capsys):
    before = content(reproduced(tmp_path))
    victim = sorted((tmp_path / "blocks").iterdir())[3]
    victim.write_bytes(victim.read_bytes()[:100])
    capsys.readouterr()
    after = content(reproduced(tmp_path, name="again"))
    assert "1 of them to compute" in capsys.readouterr().out
    assert before == after


def test_other_code_makes_other_blocks(monkeypatch, tmp_path):
    experiment, sims = at_size(rb.experiment("small-normal-discounted"), "smoke")
    jobs = jobs_of(experiment, rb.RGPTS(), sims)
    store = Store(tmp_path)
    list(reproduce.compute(jobs, store))
    assert missing(jobs, store) == []
    monkeypatch.setattr(reproduce, "CORE", "an edited core")
    assert missing(jobs, store) == jobs


def test_the_core_hash_sees_code_and_no_comments(tmp_path):
    file = tmp_path / "agent.py"

    def hashed(text):
        file.write_text(text)
        return reproduce.core_hash(("agent.py",), root=tmp_path)

    first = hashed('def f():\n    """Says."""\n    return 1\n')
    assert first == hashed('# why\ndef f():\n    """Says it otherwise."""\n    return 1  # one\n')
    assert first == hashed("def f():\n    return 1\n")
    assert first != hashed('def f():\n    """Says."""\n    return 2\n')


@pytest.mark.slow
def test_killed_at_ten_random_moments_the_result_is_that_of_an_uninterrupted_run(tmp_path, small):
    moments = random.Random(5)
    call = [
        sys.executable, "-m", "rb_core.cli", "reproduce", "--tier", "smoke", "--only", "small-*",
        "--store", str(tmp_path / "blocks"), "--out", str(tmp_path / "out"),
    ]  # fmt: skip
    kept = []
    for _ in range(10):
        process = subprocess.Popen(call, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(moments.uniform(0.5, 1.6))
        process.send_signal(signal.SIGKILL)
        process.wait()
        kept.append(len(list((tmp_path / "blocks").glob("[0-9a-f]*.npz"))))
    assert kept == sorted(kept)  # nothing that was finished is lost
    assert main(call[3:]) == 0
    assert content(tmp_path / "out") == content(small / "out")


def test_two_runs_side_by_side_do_not_harm_each_other(tmp_path, small):
    call = [
        sys.executable, "-m", "rb_core.cli", "reproduce", "--tier", "smoke", "--only", "small-*",
        "--store", str(tmp_path / "blocks"), "--out",
    ]  # fmt: skip
    outs = [tmp_path / "one", tmp_path / "two"]
    both = [subprocess.Popen([*call, str(out)], stdout=subprocess.DEVNULL) for out in outs]
    assert [process.wait() for process in both] == [0, 0]
    assert content(outs[0]) == content(outs[1]) == content(small / "out")


def test_verify_accepts_true_results_and_names_a_false_one(small, tmp_path, capsys):
    assert main(["verify", str(small / "out"), "--sims", "2"]) == 0
    assert "48 simulations of 4 experiments" in capsys.readouterr().out
    summaries, made = read_results(small / "out" / "small-normal-discounted.npz")
    wrong = summaries["SARSA"].reward + 1e-9
    summaries["SARSA"] = summaries["SARSA"]._replace(reward=wrong)
    write_results(tmp_path / "small-normal-discounted.npz", summaries, made)
    assert main(["verify", str(tmp_path), "--sims", "1"]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "of SARSA gives" in said


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (["reproduce", "--tier", "papre"], "did you mean 'paper'"),
        (["reproduce", "--only", "6-hetero-incresing-bernoulli-discounted"], "increasing"),
        (["reproduce", "--workers", "0"], "workers"),
        (["reproduce", "--store", "file/blocks"], "Nothing can be kept"),
        (["verify", "nowhere"], "no results"),
        (["verify", ".", "--sims", "0"], "sims"),
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
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize("damage", [b"", b"not a file of results", None])
def test_a_damaged_file_of_results_is_a_sentence(tmp_path, small, damage):
    path = tmp_path / "small-normal-discounted.npz"
    whole = (small / "out" / path.name).read_bytes()
    path.write_bytes(whole[: len(whole) // 2] if damage is None else damage)
    with pytest.raises(rb.InputError, match="damaged"):
        read_results(path)


def test_a_foreign_file_is_not_taken_for_results(tmp_path):
    path = tmp_path / "small-normal-discounted.npz"
    np.savez(path, provenance=np.array(json.dumps({})), other=np.zeros(3))
    with pytest.raises(rb.InputError, match="no file of results"):
        read_results(path)
