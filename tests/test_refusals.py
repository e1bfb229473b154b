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
    (["verify"], "folder"),
    (["verify", "nowhere"], "there are no results"),
    (["verify", ".", "--only", "6-*"], "there are no results"),
    (["verify", ".", "--sims", "0"], "sims must be at least 1"),
    (["notebook"], "a chapter is needed"),
    (["notebook", "77"], "there is no chapter 77"),
    (["notebook", "ss_sarsa"], "did you mean '07_ss_sarsa'"),
    (["notebook", "07", "-p", "gama=0.9"], "did you mean 'gamma'"),
    (["notebook", "07", "-p", "gamma"], "name=value"),
    (["notebook", "07", "-p", "gamma=2"], "gamma must be in (0, 1)"),
    (["notebook", "07", "-p", "gamma=x"], "gamma must be a number"),
    (["notebook", "07", "-p", "sims=2.5"], "sims must be a whole number"),
    (["notebook", "07", "-p", "sims=1e9"], "sims must be in [20, 1,000]"),
    (["notebook", "07", "-p", "visits=join"], "did you mean 'joint'"),
    (["notebook", "07", "-p", "sims=50", "-p", "sims=60"], "given twice"),
    (["notebook", "07", "-o", "mine.txt"], "must end in .ipynb"),
    (["notebook", "07", "-o", "nowhere/mine.ipynb"], "there is no folder"),
    (["notebook", "07", "--timeout", "0"], "timeout must be at least 1"),
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
