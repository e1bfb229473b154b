"""Bad calls of `rb`: exit code 2, one sentence, no traceback, nothing printed or written."""

import pytest

from rb_core.cli import main

SMALL = ["run", "small-bernoulli-discounted"]
BAD = [
    ([], "command"),
    (["rnu"], "invalid choice"),
    (["--sims", "3"], "command"),
    (["list", "everything"], "everything"),
    (["list", "--tier", "paper"], "--tier"),
    (["run"], "name"),
    (["run", ""], "there is no experiment ''"),
    (["run", "6-hetro-increasing-bernoulli-discounted"], "'6-hetero-increasing-bernoulli"),
    (["run", "small-bernoulli"], "did you mean 'small-bernoulli-discounted'"),
    (["run", "zzz"], "it is one of"),
    (["run", "small-bernoulli-discounted", "6-homo"], "6-homo"),
    ([*SMALL, "--sims", "0"], "sims must be at least 1"),
    ([*SMALL, "--sims", "1.5"], "sims must be a whole number"),
    ([*SMALL, "--sims", "many"], "not a number"),
    ([*SMALL, "--sims", "1e12"], "sims must be at most"),
    ([*SMALL, "--sims"], "--sims"),
    ([*SMALL, "--rounds", "-3"], "rounds must be at least"),
    ([*SMALL, "--rounds", "nan"], "rounds must be a whole number"),
    ([*SMALL, "--rounds", "inf"], "rounds must be"),
    ([*SMALL, "--rounds", "1e99"], "rounds must be at most"),
    ([*SMALL, "--seed", "-1"], "seed must be at least 0"),
    ([*SMALL, "--seed", "0.5"], "seed must be a whole number"),
    ([*SMALL, "--workers", "0"], "workers must be at least 1"),
    ([*SMALL, "--workers", "two"], "not a number"),
    ([*SMALL, "--out", "picture.txt"], ".png"),
    ([*SMALL, "--out", "picture"], ".png"),
    ([*SMALL, "--out", "no/such/folder/a.png"], "there is no folder"),
    ([*SMALL, "--simz", "3"], "--simz"),
    ([*SMALL, "--agent", "nothing"], "module:class"),
    ([*SMALL, "--agent", "no_such_module:agent"], "there is no module"),
    ([*SMALL, "--agent", "rb_core:SSSarsaa"], "did you mean 'sssarsa'"),
    ([*SMALL, "--agent", "rb_core:optimum"], "is no agent"),
    (["reproduce", "--tier", "papre"], "did you mean 'paper'"),
    (["reproduce", "--tier", ""], "there is no tier"),
    (["reproduce", "--only", "7-*"], "there is no experiment"),
    (["reproduce", "--only", ""], "there is no experiment"),
    (["reproduce", "--workers", "-1"], "workers must be at least 1"),
    (["reproduce", "--sims", "5"], "--sims"),
    (["reproduce", "smoke"], "smoke"),
    (["race", "--suite", "classrooms"], "did you mean 'classroom'"),
    (["race", "--workers", "0"], "workers must be at least 1"),
    (["race", "--scheduler", "nowhere"], "no dask scheduler answers"),
    (["race", "--out", "/dev/null/race"], "nothing can be written into"),
    (["race", "--agent", "tests.own_agents:GlobalRandom"], "globalrandom"),
    (["sweep"], "a sweep file is needed"),
    (["sweep", "nowhere.yml"], "there is no file 'nowhere.yml'"),
    (["sweep", "."], "cannot be read"),
    (["sweep", "a.yml", "--workers", "0"], "workers must be at least 1"),
    (["sweep", "a.yml", "b.yml"], "b.yml"),
    (["verify"], "folder"),
    (["verify", "nowhere"], "there are no results"),
    (["verify", ".", "--only", "6-*"], "there are no results"),
    (["verify", ".", "--sims", "0"], "sims must be at least 1"),
    (["notebook"], "a chapter is needed"),
    (["notebook", "77"], "there is no chapter 77"),
    (["notebook", "ss_sarsas"], "did you mean 'ss_sarsa'"),
    (["notebook", "ss_sarsa", "-p", "gama=0.9"], "did you mean 'gamma'"),
    (["notebook", "ss_sarsa", "-p", "gamma"], "name=value"),
    (["notebook", "ss_sarsa", "-p", "gamma=2"], "gamma must be in (0, 1]"),
    (["notebook", "ss_sarsa", "-p", "gamma=x"], "gamma must be a number"),
    (["notebook", "ss_sarsa", "-p", "sims=2.5"], "sims must be a whole number"),
    (["notebook", "ss_sarsa", "-p", "sims=1e9"], "sims must be in [20, 1,000]"),
    (["notebook", "ss_sarsa", "-p", "visits=join"], "did you mean 'joint'"),
    (["notebook", "ss_sarsa", "-p", "sims=50", "-p", "sims=60"], "given twice"),
    (["notebook", "ss_sarsa", "-o", "mine.txt"], "must end in .ipynb"),
    (["notebook", "ss_sarsa", "-o", "nowhere/mine.ipynb"], "there is no folder"),
    (["notebook", "ss_sarsa", "--timeout", "0"], "timeout must be at least 1"),
]


@pytest.mark.parametrize(("call", "said"), BAD, ids=[" ".join(call) or "-" for call, _ in BAD])
def test_a_bad_call_is_refused_in_one_sentence(call, said, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(call) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("rb: ")
    assert printed.err.count("\n") == 1
    assert said in printed.err.lower()
    assert list(tmp_path.iterdir()) == []


def test_there_are_at_least_40_of_them():
    assert len(BAD) >= 40


# What a sweep file may say, and what each mistake in it is told.
SWEEP = {
    "base": "small-bernoulli-discounted", "agents": "[SS-SARSA, 1RGP-TS]",
    "grid": "{t0: [50, 500]}", "sims": "4", "rounds": "200",
}
SIZED = "{K: 4, s_max: 3}"
BAD_SWEEPS = [
    ({"base": None}, "needs a base"),
    ({"base": "small-bernouli-discounted"}, "did you mean 'small-bernoulli-discounted'"),
    ({"base": "[1, 2]"}, "base must be names with values"),
    ({"base": "{k: 6}"}, "did you mean 'k'"),
    ({"base": "{s_max: 3}"}, "k is missing"),
    ({"base": "{K: 0, s_max: 3}"}, "k must be at least 1"),
    ({"base": "{K: 4.5, s_max: 3}"}, "k must be a whole number"),
    ({"base": "{K: 4, s_max: [3, 4]}"}, "s_max must have one value"),
    ({"base": "{K: 4, s_max: 2, shape: peaked}"}, "s_max must be at least 3"),
    ({"base": "{K: 4, s_max: 3, best_arms: 5}"}, "best_arms must be at most 4"),
    ({"base": "{K: 4, s_max: 3, shape: peeked}"}, "did you mean 'peaked'"),
    ({"base": "{K: 4, s_max: 3, reward: poisson}"}, "reward law"),
    ({"base": "{K: 4, s_max: 3, reward: normal, variance: -1}"}, "variance must be in"),
    ({"base": "{K: 40, s_max: 40}"}, "states"),
    ({"base": "{table: nowhere.csv}"}, "there is no table"),
    ({"base": "{table: nowhere.txt}"}, "kind of table"),
    ({"base": "{table: nowhere.csv, K: 3}"}, "k does not apply"),
    ({"base": SIZED, "rounds": None}, "rounds are needed"),
    ({"rounds": "1"}, "rounds must be at least 2"),
    ({"rounds": "1e5x"}, "rounds must be a number"),
    ({"sims": "0"}, "sims must be at least 1"),
    ({"sims": "[3, 4]"}, "sims must be a number"),
    ({"sims": ""}, "sims must be a number"),
    ({"sims": "1e7"}, "rows"),
    ({"seed": "-1"}, "seed must be at least 0"),
    ({"gamma": "1.5"}, "gamma must be in (0, 1]"),
    ({"gama": "0.9"}, "did you mean 'gamma'"),
    ({"agents": "[SS-SARSSA]"}, "did you mean 'ss-sarsa'"),
    ({"agents": "[]"}, "agents is empty"),
    ({"agents": "[[SS-SARSA]]"}, "agents must have one value"),
    ({"agents": "['nowhere:Agent']"}, "there is no module 'nowhere'"),
    ({"agents": "[1RGP-TS]"}, "t0 applies to none of the agents"),
    ({"grid": "{T0: [50]}"}, "did you mean 't0'"),
    ({"grid": "{t0: []}"}, "t0 is empty"),
    ({"grid": "{t0: [fast]}"}, "t0 must be a number"),
    ({"grid": "{t0: [[1], 2]}"}, "t0 must have one value"),
    ({"grid": "{t0: [-1]}"}, "t0 must be in"),
    ({"grid": "{explore: [0.1, 1.1]}"}, "explore must be in [0, 1]"),
    ({"grid": "{gamma: [0]}"}, "gamma must be in (0, 1]"),
    ({"grid": "{visits: [joined]}"}, "did you mean 'joint'"),
    ({"grid": "{lookahead: [1, 2]}"}, "lookahead applies to none"),
    ({"grid": "{K: [3, 4]}"}, "k does not apply"),
    ({"grid": "{agents: [SARSA]}"}, "name them under agents"),
    ({"grid": "t0"}, "the grid must be names with values"),
    ({"grid": "{t0: [1], t0: [2]}"}, "t0 is given twice"),
    ({"grid": f"{{t0: {list(range(101))}, explore: {[i / 200 for i in range(101)]}}}"}, "10,201"),
    ({"list": "[{t0: 1}]"}, "t0 is in the grid and in the list"),
    ({"rows": "runs"}, "kind of rows"),
    ({"grid": None, "list": "[t0]"}, "an item of the list must be"),
    ({"grid": None, "list": "[{t0: [1, 2]}]"}, "t0 must have one value"),
    ({"grid": None, "list": "[{agent: SARSA, t0: 1}]"}, "not both"),
    ({"grid": "{t0: [1, 2"}, "no sweep file"),
    ({"grid": "&a {t0: [1]}", "list": "*a"}, "aliases"),
    ({"grid": "{? [1] : 2}"}, "is no name"),
]


@pytest.mark.parametrize(("changes", "said"), BAD_SWEEPS, ids=[str(c)[:60] for c, _ in BAD_SWEEPS])
@pytest.mark.parametrize("extra", [[], ["--dry-run"]], ids=["run", "dry run"])
def test_a_bad_sweep_is_refused_before_anything_runs(
    changes, said, extra, capsys, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    lines = [f"{key}: {value}" for key, value in (SWEEP | changes).items() if value is not None]
    (tmp_path / "bad.yml").write_text("\n".join(lines))
    assert main(["sweep", "bad.yml", "--store", "blocks", *extra]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("rb: ")
    assert printed.err.count("\n") == 1
    assert said in printed.err.lower()
    assert [path.name for path in tmp_path.iterdir()] == ["bad.yml"]


NO_SWEEPS = ["", "- a", "base", "a: b: c", "\t", "base: !!python/name:os", "\0"]


@pytest.mark.parametrize("text", NO_SWEEPS)
def test_what_is_no_sweep_at_all_is_refused(text, capsys, tmp_path):
    (tmp_path / "bad.yml").write_text(text)
    assert main(["sweep", str(tmp_path / "bad.yml"), "--dry-run"]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1
