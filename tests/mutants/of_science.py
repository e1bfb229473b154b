"""Faults in the bandits, the plans, the simulations and in what is made of them."""

from tests.mutants.mutant import Mutant
from tests.mutants.of_agents import PARAMETERS, tables
from tests.mutants.of_engine import SIMULATION, TRACES, WEIGHTS

FIGURES = "tests/science/test_figures.py"
METRICS = "tests/science/test_metrics.py"
SUMMARY = "tests/science/test_summary.py"
SETTINGS = "tests/science/test_settings.py"
PLANNING = "tests/science/test_planning_average.py"
VALUE = "tests/science/test_planning_value.py"

TRANSITION = "tests/science/test_bandit.py::test_pulled_arm_goes_to_one_and_others_age_up_to_s_max"
ROUNDS = f"{SETTINGS}::test_experiments_have_the_rounds_and_discounts_of_the_paper"
OF_A_KIND = f"{SETTINGS}::test_experiments_of_a_kind"
STATES = f"{SIMULATION}::test_states_of_a_sequence_of_arms"
ENDS = f"{METRICS}::test_bootstrap_intervals_end_at_the_quantiles_of_their_level"
WHOLE = f"{SUMMARY}::test_a_summary_has_what_the_runs_have"
PIECES = f"{SUMMARY}::test_runs_may_come_in_pieces_and_in_any_order"
SMALL = f"{PLANNING}::test_small_setting_pulls_the_first_arm_whenever_it_is_rested"
ONE_WRONG = f"{PLANNING}::test_one_wrong_pull_in_an_optimal_cycle_loses"
BELLMAN = f"{VALUE}::test_action_values_solve_bellmans_equation_on_the_joint_states"

MUTANTS = (
    # Bandits, settings, experiments.
    Mutant("bandit.py", "np.minimum(np.asarray(state) + 1, self.s_max)",
           "np.minimum(np.asarray(state) + 2, self.s_max)", TRANSITION),
    Mutant("bandit.py", "self.arms - 1)] = 1", "self.arms - 1)] = 2", TRANSITION),
    Mutant("bandit.py", "np.full(self.arms, self.s_max)", "np.full(self.arms, 1)",
           "tests/science/test_bandit.py::test_every_arm_starts_rested"),
    Mutant("settings.py", "else s_max - 2", "else s_max - 1",
           f"{SETTINGS}::test_peaked_rewards_have_their_top_one_state_earlier"),
    Mutant("settings.py", "best_arms=3", "best_arms=2",
           f"{SETTINGS}::test_increasing_rewards_rise_to_the_top_at_s_max"),
    Mutant("settings.py", "rounds=1_000_000", "rounds=100_000", ROUNDS, nth=2),
    Mutant("settings.py", "(0.1, 0.1, 0.3)", "(0.1, 0.1, 0.4)", f"{SETTINGS}::test_small_setting"),
    Mutant("evaluation.py", "if self.discounted else 1.0", "if not self.discounted else 1.0",
           ROUNDS),
    Mutant("evaluation.py", "AGENTS[name].make(self.gamma)", "AGENTS[name].make(1.0)", PARAMETERS),
    Mutant("evaluation.py", "value in (None, getattr(each, key))", "value in (None, key)",
           OF_A_KIND),
    Mutant("evaluation.py", "discounted=not self.discounted", "discounted=self.discounted",
           f"{SETTINGS}::test_a_twin_has_the_other_discounting_and_nothing_else"),
    Mutant("problem.py", "return 1 - 1 / rounds", "return 1 - 10.0 ** -rounds", ROUNDS),
    Mutant("problem.py", "self.gamma if self.gamma < 1", "self.gamma if self.gamma <= 1",
           f"{SIMULATION}::"
           "test_an_agent_without_a_discount_is_simulated_once_for_both_evaluations"),
    Mutant("reachable.py", "comb(s_max - 2, m - 1)", "comb(s_max - 1, m - 1)",
           "tests/science/test_reachable.py::test_the_papers_settings"),
    # Simulations.
    Mutant("simulation.py", "if problem.gamma == 1", "if problem.gamma != 1", WEIGHTS),
    Mutant("simulation.py", "prepend=-int(start[arm])", "prepend=-int(start[arm]) - 1", STATES),
    Mutant("simulation.py", "np.full((len(now), bandit.arms), -bandit.s_max)",
           "np.full((len(now), bandit.arms), -1)", STATES),
    Mutant("simulation.py", "min(size, sims - first)", "size",
           f"{SIMULATION}::test_blocks_cover_every_simulation_once"),
    Mutant("simulation.py", "rng = stream(bandit, agent, seed, simulation)",
           "rng = stream(bandit, agent, simulation, seed)", TRACES),
    Mutant("simulation.py", "part[job.first : job.first + job.count] = rows",
           "part[: job.count] = rows", TRACES),
    Mutant("simulation.py", "if theirs != ours:", "if theirs < ours:",
           f"{SIMULATION}::test_what_a_worker_with_other_versions_computed_is_refused"),
    Mutant("by_hand.py", "min(s + 1, bandit.s_max)", "min(s + 2, bandit.s_max)",
           tables("RandomPull")),
    Mutant("by_hand.py", "range(bandit.arms):", "range(bandit.arms + 1):",
           "tests/agents/test_by_hand.py::test_what_is_no_arm_is_refused"),
    Mutant("conformance.py", "for part in _arrays(field)", "for part in ()",
           "tests/agents/test_conformance.py::"
           "test_agents_that_break_a_rule_are_told_which[SharedInside-str]"),
    # Plans.
    Mutant("planning.py", "TINY = 1e-11", "TINY = 1e-4",
           f"{VALUE}::test_value_without_end_is_exact_where_the_future_weighs_most[4-0.99999]"),
    Mutant("planning.py", "for m in range(1, moves):", "for m in range(2, moves):", BELLMAN),
    Mutant("planning.py", "values[old, after[i, m]]", "values[new, after[i, m]]", SMALL),
    Mutant("planning.py", "np.mean(reward[cycle])", "np.max(reward[cycle])", SMALL),
    Mutant("planning.py", "return level / (1 - gamma) + relative", "return level / (1 - gamma)",
           BELLMAN),
    Mutant("planning.py", "reward + gamma * values[after],", "reward + values[after],", BELLMAN),
    Mutant("planning.py", "states[i, arm] = s", "states[i, arm] = s - 1", BELLMAN),
    Mutant("planning.py", "                state[arm] = 1", "                state[arm] = 2",
           ONE_WRONG),
    Mutant("planning.py", "recovered[kind] > 0", "recovered[kind] >= 0", BELLMAN),
    Mutant("planning.py", "gamma * values[old, after[i, 0]]", "values[old, after[i, 0]]", BELLMAN),
    # Regret, intervals, comparisons.
    Mutant("metrics.py", "[tail, 1 - tail]", "[tail, 1 - tail / 2]", ENDS),
    Mutant("metrics.py", "[tail, 1 - tail]", "[tail / 2, 1 - tail]", ENDS),
    Mutant("metrics.py", "size=len(sampled))", "size=len(sampled) - 1)", ENDS),
    Mutant("metrics.py", "freedom = len(sampled) - 1", "freedom = len(sampled)",
           f"{METRICS}::test_an_interval_of_few_samples_reaches_as_far_as_the_tables_of_student_say"),
    Mutant("metrics.py", "np.cos(angle) ** (freedom - 1)", "np.cos(angle) ** freedom",
           f"{METRICS}::test_an_interval_of_few_samples_reaches_as_far_as_the_tables_of_student_say"),
    Mutant("metrics.py", "4 * trials**2", "2 * trials**2",
           f"{METRICS}::test_wilson_interval_is_scipys"),
    Mutant("metrics.py", "best.curve[runs.checkpoints]", "best.curve[runs.checkpoints - 1]",
           f"{METRICS}::test_regret_is_that_of_expected_not_of_received_rewards"),
    Mutant("metrics.py", "runs.tail.shape[1] * best.average", "runs.rounds * best.average",
           f"{METRICS}::test_regret_of_the_last_rounds_is_what_they_lack_to_the_average"),
    Mutant("metrics.py", "runs.tail_arms) == 0", "runs.tail_arms) < 0.2",
           f"{METRICS}::test_one_wrong_pull_in_the_last_rounds_is_not_optimal"),
    Mutant("metrics.py", "tail_regret < 1e-9", "tail_regret < 0.2",
           f"{METRICS}::test_a_cycle_of_four_can_have_no_regret_in_sum_without_being_optimal"),
    Mutant("metrics.py", "int(which.sum()), len(which), level)", "int(which.sum()), len(which))",
           f"{METRICS}::test_rate_is_the_share_of_optimal_simulations"),
    Mutant("figures.py", "rounds[-1] / 100)", "rounds[-1] / 10)",
           f"{FIGURES}::test_a_logarithmic_scale_begins_after_a_hundredth_of_the_rounds[curves]"),
    Mutant("figures.py", "lines[0].set_label(name)", "lines[0].set_label('')",
           f"{FIGURES}::test_single_runs_are_drawn_one_by_one_and_named_once"),
    Mutant("metrics.py", "difference == 0, 0.5,", "difference == 0, 1.0,",
           f"{METRICS}::test_comparison_is_pairwise_and_ties_count_half"),
    Mutant("metrics.py", "np.hypot(low, other_high)", "low + other_high",
           f"{METRICS}::test_two_rates_are_compared_by_the_interval_of_their_difference"),
    Mutant("metrics.py", "each.var(ddof=1)", "each.var(ddof=0)",
           f"{METRICS}::test_the_interval_of_a_difference_is_the_normal_one"),
    Mutant("metrics.py", "if runs.bandit != best.bandit:", "if runs.bandit is None:",
           f"{METRICS}::test_rate_against_the_optimum_of_another_bandit_is_refused"),
    # Summaries.
    Mutant("summary.py", "LEVELS = (0.05, 0.25,", "LEVELS = (0.05, 0.2,", WHOLE),
    Mutant("summary.py", "CURVES = 50", "CURVES = 49", WHOLE),
    Mutant("summary.py", "(i * self.sims + first)", "(i * self.sims)", PIECES),
    Mutant("summary.py", "lost[: CURVES - first]", "lost[:CURVES]", PIECES),
    Mutant("summary.py", "len(pulls) // 2 + 1", "len(pulls) // 2",
           f"{SUMMARY}::test_a_cycle_is_seen_if_it_is_there_twice"),
    Mutant("summary.py", "min(cycle[i:] + cycle[:i]", "max(cycle[i:] + cycle[:i]",
           f"{SUMMARY}::test_endings_name_kinds_and_states_and_begin_at_the_least"),
    Mutant("summary.py", "(-item[1], item[0])", "(item[1], item[0])",
           f"{SUMMARY}::test_endings_are_counted_and_the_most_frequent_comes_first"),
)
