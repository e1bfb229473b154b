"""The settings are those of the paper's table."""

import numpy as np
import pytest

import rb_core as rb

# Name, K, s_max, T, best arms, and what a round of rest adds for best and other arms:
# with increasing rewards, and with increasing-then-decreasing ones.
TABLE = [
    ("6-hetero", 6, 3, 10**5, 3, (1 / 4, 1 / 5), (1 / 2, 2 / 5)),
    ("6-homo", 6, 6, 10**5, 6, (1 / 10, None), (1 / 8, None)),
    ("10-hetero", 10, 5, 10**6, 5, (1 / 8, 1 / 10), (1 / 6, 2 / 15)),
    ("10-homo", 10, 10, 10**6, 10, (1 / 18, None), (1 / 16, None)),
]


@pytest.mark.parametrize("law", ["bernoulli", "normal"])
@pytest.mark.parametrize(("name", "arms", "s_max", "_rounds", "best", "rise", "_peaked"), TABLE)
def test_increasing_rewards_rise_to_the_top_at_s_max(
    name, arms, s_max, _rounds, best, rise, _peaked, law
):
    bandit = rb.setting(name, reward=law)
    assert bandit.means.shape == (arms, s_max)
    assert bandit.reward == law
    np.testing.assert_allclose(bandit.means[:, 0], 0.1)
    np.testing.assert_allclose(np.diff(bandit.means[:best]), rise[0])
    np.testing.assert_allclose(bandit.means[:best, -1], 0.6)
    if best < arms:
        np.testing.assert_allclose(np.diff(bandit.means[best:]), rise[1])
        np.testing.assert_allclose(bandit.means[best:, -1], 0.5)


@pytest.mark.parametrize(("name", "arms", "s_max", "_rounds", "best", "_rise", "peaked"), TABLE)
def test_peaked_rewards_have_their_top_one_state_earlier(
    name, arms, s_max, _rounds, best, _rise, peaked
):
    bandit = rb.setting(name, shape="peaked")
    assert bandit.means.shape == (arms, s_max)
    signs = np.append(np.ones(s_max - 2), -1)
    np.testing.assert_allclose(bandit.means[:, 0], 0.1)
    np.testing.assert_allclose(np.diff(bandit.means[:best]), np.tile(peaked[0] * signs, (best, 1)))
    np.testing.assert_allclose(bandit.means[:best].max(axis=1), 0.6)
    if best < arms:
        others = np.diff(bandit.means[best:])
        np.testing.assert_allclose(others, np.tile(peaked[1] * signs, (arms - best, 1)))
        np.testing.assert_allclose(bandit.means[best:].max(axis=1), 0.5)


def test_small_setting():
    bandit = rb.setting("small", reward="normal")
    assert bandit.means.tolist() == [[0.1, 0.1, 0.3], [0.2, 0.2, 0.2], [0.2, 0.2, 0.2]]
    assert bandit.variance == 0.5


def test_the_36_experiments_have_the_names_of_the_contract():
    names = {
        f"{setting}-{law}-{kind}"
        for setting in [
            "small",
            *(f"{row[0]}-{shape}" for row in TABLE for shape in ("increasing", "peaked")),
        ]
        for law in ("bernoulli", "normal")
        for kind in ("discounted", "undiscounted")
    }
    assert len(names) == 36
    assert set(rb.experiments()) == names
    assert all(name == experiment.name for name, experiment in rb.experiments().items())


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row[0])
def test_experiments_have_the_rounds_and_discounts_of_the_paper(row):
    name, rounds = row[0], row[3]
    discounted = rb.experiment(f"{name}-peaked-normal-discounted")
    assert discounted.rounds == rounds
    assert discounted.gamma == {10**5: 0.99999, 10**6: 0.999999}[rounds]  # as in the captions
    assert discounted.bandit == rb.setting(name, "peaked", "normal")
    undiscounted = rb.experiment(f"{name}-increasing-bernoulli-undiscounted")
    assert undiscounted.gamma == 1
    assert undiscounted.bandit == rb.setting(name)
    assert rb.experiment("small-normal-discounted").gamma == 0.99999


def test_agents_have_the_parameters_of_the_paper():
    agents = rb.experiment("6-homo-peaked-normal-discounted").agents
    learners = {"SS-SARSA": rb.SSSarsa, "SARSA": rb.Sarsa, "Q-learning": rb.QLearning}
    for name, kind in learners.items():
        assert agents[name] == kind(0.99999, t0=5000, explore=0.1, ties="random", visits="joint")
    assert agents["SS-SARSA (sep.)"] == rb.SSSarsa(0.99999, visits="separated")
    assert list(agents) == ["SS-SARSA", "SS-SARSA (sep.)", "SARSA", "Q-learning", "1RGP-TS",
                            "2RGP-TS"]
    for d in (1, 2):
        assert agents[f"{d}RGP-TS"] == rb.RGPTS(d, sigma=1.0, length_scale=2.5)


@pytest.mark.parametrize(
    ("call", "hint"),
    [
        (lambda: rb.setting("6-Hetero"), "'6-hetero'"),
        (lambda: rb.setting("10homo"), "'10-homo'"),
        (lambda: rb.setting("6-homo", "peeked"), "'peaked'"),
        (lambda: rb.setting("6-homo", reward="gaussian normal"), "'normal'"),
        (
            lambda: rb.experiment("6-hetero-increasing-bernouli-discounted"),
            "'6-hetero-increasing-bernoulli-discounted'",
        ),
        (lambda: rb.experiment("small-normal"), "'small-normal-discounted'"),
        (lambda: rb.SSSarsa(0.9, ties="randomly"), "'random'"),
        (lambda: rb.RGPTS(samples="share"), "'shared'"),
    ],
)
def test_a_wrong_name_is_answered_with_the_closest(call, hint):
    with pytest.raises(rb.InputError, match=f"did you mean {hint}"):
        call()


def test_whoever_changes_the_table_of_experiments_changes_a_copy():
    rb.experiments().clear()
    assert len(rb.experiments()) == 36


@pytest.mark.parametrize(
    ("chosen", "how_many"),
    [
        ({}, 36),
        ({"setting": "small"}, 4),
        ({"setting": "6-homo", "reward": "normal"}, 4),
        ({"shape": "peaked", "discounted": True}, 8),
        ({"shape": "increasing"}, 20),
        ({"discounted": False}, 18),
    ],
)
def test_experiments_of_a_kind(chosen, how_many):
    found = rb.experiments(**chosen)
    assert len(found) == how_many
    assert all(getattr(each, key) == value for each in found.values()
               for key, value in chosen.items())


def test_a_twin_has_the_other_discounting_and_nothing_else():
    for each in rb.experiments().values():
        assert each.twin.discounted != each.discounted
        assert each.twin.bandit == each.bandit
        assert each.twin.twin == each
        assert rb.experiments()[each.twin.name] == each.twin


def test_titles_tell_experiments_apart():
    assert len({each.title for each in rb.experiments().values()}) == 36
    title = "6-Hetero, increasing-then-decreasing rewards: Normal, discounted"
    assert rb.experiment("6-hetero-peaked-normal-discounted").title == title


@pytest.mark.parametrize("name", ["small-normal-discounted", "10-homo-peaked-normal-undiscounted"])
def test_the_problem_of_an_experiment(name):
    each = rb.experiment(name)
    assert each.problem == rb.Problem(each.bandit, each.rounds, each.gamma)
    assert each.problem.discount == 1 - 1 / each.rounds
    assert rb.Problem(each.bandit, 10, 0.5).discount == 0.5


def test_a_setting_is_data_and_the_papers_36_experiments_are_a_closed_list(monkeypatch):
    from rb_core import evaluation, settings

    row = settings.Row(arms=4, s_max=3, rounds=1000, best_arms=2)
    monkeypatch.setitem(settings.SETTINGS, "4-hetero", row)
    evaluation._paper.cache_clear()
    assert rb.setting("4-hetero", "peaked").means.shape == (4, 3)
    assert len(rb.experiments()) == 36


def test_a_kind_of_discounting_that_is_none_is_refused():
    with pytest.raises(rb.InputError, match="True or False"):
        rb.experiments(discounted="no")
