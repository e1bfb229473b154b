"""Faults in the agents: slips that pull nearly the same arms and learn other tables."""

from tests.mutants.mutant import Mutant

TABLES = "tests/agents/test_tables.py::test_an_agent_learns_the_tables_of_its_witness"
PARAMETERS = "tests/science/test_settings.py::test_agents_have_the_parameters_of_the_paper"
PAUSES = "tests/engine/test_interpreted.py::test_a_run_does_not_depend_on_where_the_loop_pauses"
GROWN = (f"{PAUSES}[QLearning(gamma=0.9, t0=5000, explore=0.3, ties='random', "
         "visits='separated')-7-False]")


def tables(agent, law="bernoulli"):
    return f"{TABLES}[{agent}-{law}]"


Q = "agents/q_learning.py"
SARSA = "agents/sarsa.py"
SS = "agents/ss_sarsa.py"
RGP = "agents/rgp_ts.py"
PLAN = "agents/plan_ucb.py"
RGP_UCB = "agents/rgp_ucb.py"
PERIODIC = "agents/periodic_ucb.py"
PLAN_UCB = "tests/agents/test_plan_ucb.py"
ELEMENTARY = "tests/science/test_elementary.py"
SEARCHED = ("tests/agents/test_plan_ucb.py::test_it_learns_and_plans_what_its_witness_does"
            "[searched-bernoulli-peaked]")
PLAYS = "tests/science/test_player.py::test_it_chooses_as_the_agent_does_in_a_simulation"
EXPLORE = "agents/shared/explore_first.py"
STATES = "agents/shared/joint_states.py"

MUTANTS = (
    # The update of Q-learning.
    Mutant(Q, "self.gamma * best", "0.9 * self.gamma * best", tables("Q-learning")),
    Mutant(Q, "(reward + self.gamma * best)", "reward", tables("Q-learning")),
    Mutant(Q, "1.0 / (t + self.t0)", "1.0 / (t + 1 + self.t0)", tables("Q-learning")),
    Mutant(Q, "t0=float(self.t0)", "t0=1.1 * float(self.t0)", tables("Q-learning")),
    Mutant(Q, "best = max(best,", "best = min(best,", tables("Q-learning")),
    Mutant(Q, "range(1, len(state))", "range(2, len(state))", tables("Q-learning")),
    Mutant(Q, "t0: float = 5000", "t0: float = 5500", PARAMETERS),
    # The update of SARSA.
    Mutant(SARSA, "self.gamma * self.q[row, arm]", "0.9 * self.gamma * self.q[row, arm]",
           tables("SARSA")),
    Mutant(SARSA, " + self.gamma * self.q[row, arm]", "", tables("SARSA")),
    # Only exploration takes another arm than the best: of 300 rounds it must be more than a tenth.
    Mutant(SARSA, "self.gamma * self.q[row, arm]", "self.gamma * self.q[row].max()",
           tables("SARSA, short")),
    Mutant(SARSA, "1.0 / (t - 1 + self.t0)", "1.0 / (t + self.t0)", tables("SARSA")),
    Mutant(SARSA, "t0=float(self.t0)", "t0=1.1 * float(self.t0)", tables("SARSA")),
    Mutant(SARSA, "if t > 1:", "if t > 2:", tables("SARSA", "normal")),
    # The update of SS-SARSA.
    Mutant(SS, "self.gamma * self.q[next_cell,", "0.999 * self.gamma * self.q[next_cell,",
           tables("SS-SARSA")),
    Mutant(SS, " + self.gamma * self.q[next_cell, self.cells[k]]", "", tables("SS-SARSA")),
    Mutant(SS, "self.q[next_cell, self.cells[k]]", "self.q[self.cells, self.cells[k]].max()",
           tables("SS-SARSA")),
    Mutant(SS, "1.0 / (t - 1 + self.t0)", "1.0 / (t + self.t0)", tables("SS-SARSA")),
    Mutant(SS, "t0=float(self.t0)", "t0=1.1 * float(self.t0)", tables("SS-SARSA")),
    # One error for all tables, that of the last arm: a different algorithm.
    Mutant(SS, "q = self.q[cell, self.last_cells[k]]", "q = self.q[cell, self.last_cells[-1]]",
           tables("SS-SARSA")),
    Mutant(SS, 'visits="separated")', 'visits="joint")', PARAMETERS),
    # Exploration, ties and joint states.
    Mutant(EXPLORE, "round(agent.explore * rounds)", "round(agent.explore * rounds) + 1",
           tables("SS-SARSA")),
    Mutant(EXPLORE, "explorer.joint_counts[row, arm] -= 1", "explorer.joint_counts[row, arm] -= 2",
           tables("SS-SARSA")),
    Mutant(EXPLORE, "separated_counts[cells[arm], cells[k]] -= 1",
           "separated_counts[cells[k], cells[arm]] -= 1", tables("SS-SARSA (sep.)")),
    Mutant(EXPLORE, "if table[row, a] >= top:", "if table[row, a] > top:", tables("SS-SARSA")),
    Mutant(EXPLORE, "best = best if table[row, a] == top else a", "best = a",
           tables("SS-SARSA, first of ties")),
    Mutant(EXPLORE, "tied + 1 if table[row, a] == top else 1",
           "tied + 1 if table[row, a] == top else 2", tables("SS-SARSA")),
    Mutant(EXPLORE, "tied == skip", "tied == skip + 1", tables("SS-SARSA")),
    Mutant(EXPLORE, "rng.random() * tied", "rng.random() * (tied - 1)", tables("SS-SARSA")),
    Mutant(EXPLORE, "sum_b += table[cells[b], cells[k]]", "sum_b += table[cells[a], cells[k]]",
           tables("SS-SARSA, short")),
    Mutant(EXPLORE, "cells[k] = k * s_max +", "cells[k] = k * (s_max - 1) +",
           tables("SS-SARSA, short")),
    Mutant(STATES, "return s_max ** np.arange(arms)", "return (s_max - 1) ** np.arange(arms)",
           tables("Q-learning")),
    Mutant(STATES, "table.keys[row])] = row", "table.keys[row])] = row - 1", GROWN),
    Mutant(STATES, "larger[: len(array)] = array", "larger[: len(array)] = 0", GROWN),
    Mutant(STATES, "* table.weights[k]", "+ table.weights[k]", tables("Q-learning")),
    # The posterior of dRGP-TS, and its plans.
    Mutant(RGP, "1.0 / (self.noise + self.cov[arm, s, s])", "1.0 / (1.0 + self.cov[arm, s, s])",
           tables("3RGP-TS, to the letter")),
    Mutant(RGP, "/ (2 * self.length_scale**2)", "/ self.length_scale**2", tables("1RGP-TS")),
    Mutant(RGP, "self.var[arm, i] -= gain", "self.var[arm, i] += gain", tables("1RGP-TS")),
    Mutant(RGP, "self.cov[arm, i, j] -= gain * self.column[j]",
           "self.cov[arm, i, j] -= gain * self.cov[arm, s, j]", tables("1RGP-TS")),
    Mutant(RGP, "self.seen_mean[arm, s] = self.mean[arm, s]",
           "self.seen_mean[arm, s - 1] = self.mean[arm, s]", tables("3RGP-TS, to the letter")),
    Mutant(RGP, "step = (t - 1) % len(self.plan)", "step = t % len(self.plan)", tables("2RGP-TS")),
    Mutant(RGP, "min(state[arm] + step, s_max)", "min(state[arm], s_max)", tables("2RGP-TS")),
    Mutant(RGP, "return since if since < memory.mean.shape[1] else 0",
           "return since if since <= memory.mean.shape[1] else 0",
           tables("3RGP-TS, to the letter", "normal")),
    Mutant(RGP, "RGPTS(lookahead=2)", "RGPTS(lookahead=1)", PARAMETERS),
    # dRGP-UCB: when it plans, and what a sequence is worth.
    Mutant(RGP_UCB, "played = t - 1 - len(state)", "played = t - 1", tables("2RGP-UCB")),
    Mutant(RGP_UCB, "step = played % len(self.gp.plan)", "step = (t - 1) % len(self.gp.plan)",
           tables("2RGP-UCB", "normal")),
    Mutant(RGP_UCB, "2.0 * math.log(t + steps - 2.0)", "2.0 * math.log(t + steps - 1.0)",
           "tests/agents/test_rgp_ucb.py::test_its_width_is_that_of_its_authors_program[1]"),
    Mutant(RGP_UCB, "steps * math.log(1.0 * arms)", "math.log(1.0 * arms)", tables("2RGP-UCB")),
    Mutant(RGP_UCB, "+ math.log(1.0 * s_max)", "", tables("1RGP-UCB")),
    Mutant(RGP_UCB, "variance += 2.0 * gp.cov", "variance += gp.cov", tables("2RGP-UCB")),
    Mutant(RGP_UCB, "if sequence[i] == arm:\n                s =",
           "if sequence[0] == arm:\n                s =", tables("3RGP-UCB")),
    Mutant(RGP_UCB, "s = min(step - i, s_max) - 1", "s = step - i - 1",
           "tests/agents/test_rgp_ucb.py::test_sequences_may_be_longer_than_a_recovery"),
    Mutant(RGP_UCB, "min(state[arm] + step, s_max)", "min(state[arm], s_max)", tables("2RGP-UCB")),
    Mutant(RGP_UCB, "if value > best + TINY:", "if value > best:", tables("1RGP-UCB")),
    Mutant(RGP_UCB, "self._posterior().init(", "RGPTS(self.lookahead).init(", tables("3RGP-UCB")),
    # PeriodicUCB: its table and its phases.
    Mutant(PERIODIC, "(reward - self.means[arm, s]) / n", "(reward - self.means[arm, s]) / (n + 1)",
           tables("PeriodicUCB")),
    Mutant(PERIODIC, "(reward - self.moments[0]) / t", "(reward - self.moments[0]) / (t + 1)",
           tables("PeriodicUCB")),
    Mutant(PERIODIC, "self.means[arm, s] + math.sqrt(self.moments[1] / n)", "self.means[arm, s]",
           tables("PeriodicUCB")),
    Mutant(PERIODIC, "2.0 * memory.variance * math.log", "memory.variance * math.log",
           tables("PeriodicUCB")),
    Mutant(PERIODIC, "if n > 0 else memory.moments[0]", "if n > 0 else 0.0", tables("PeriodicUCB")),
    Mutant(PERIODIC, "n + 1 + n // 10", "n + 1 + n // 5", tables("PeriodicUCB", "normal")),
    Mutant(PERIODIC, "if self.place[0] == 0 and self.place[2] == 1:", "if self.place[2] == 1:",
           "tests/agents/test_periodic_ucb.py::test_a_phase_ends_with_its_timetable_once_a_count_"
           "has_grown_by_a_tenth"),
    Mutant(PERIODIC, "% self.place[1]", "% (self.place[1] + 1)", tables("PeriodicUCB")),
    # PlanUCB: its table, when it plans, and what it follows.
    Mutant(PLAN, "self.means[arm, s] += surprise / n", "self.means[arm, s] += surprise / (n + 1)",
           tables("PlanUCB")),
    Mutant(PLAN, "self.moments[0] += surprise / t", "self.moments[0] += surprise / (t + 1)",
           tables("PlanUCB")),
    Mutant(PLAN, "(played - visited + 1)", "played", tables("PlanUCB", "normal")),
    Mutant(PLAN, "max(1.0, rounds / (arms * s_max))", "64.0", tables("PlanUCB")),
    Mutant(PLAN, "share * memory.weight[s] / (share + memory.weight[s])", "share",
           tables("PlanUCB")),
    Mutant(PLAN, "if memory.counts[a, s] > 0 else max(spread, noise)", "", tables("PlanUCB")),
    Mutant(PLAN, "2.0 * variance * logarithm", "variance * logarithm", tables("PlanUCB")),
    Mutant(PLAN, "left / (arms * s_max * n)", "left / (arms * n)", tables("PlanUCB")),
    Mutant(PLAN, "variance = 1.0 / share + 1.0 / n", "variance = 1.0 / share", tables("PlanUCB")),
    Mutant(PLAN, "sum_ratio += likely / share", "sum_ratio += likely", tables("PlanUCB")),
    Mutant(PLAN, "part = n * share / (n + share)", "part = n", tables("PlanUCB")),
    Mutant(PLAN, "n + 1 + n // 10", "n + 1 + n // 5", tables("PlanUCB", "normal")),
    Mutant(PLAN, "0, t + s_max\n", "0, t + 1\n",
           "tests/agents/test_plan_ucb.py::test_a_plan_lasts_at_least_s_max_rounds_and_until_a_"
           "count_has_grown_by_a_tenth"),
    Mutant(PLAN, "(rounds - t) // 2", "(rounds - t)", tables("PlanUCB")),
    Mutant(PLAN, "if average > own + tiny:", "if average > own - 1:", SEARCHED),
    Mutant(PLAN, "if at + 1 < self.place[2] else self.place[1]",
           "if at + 1 < self.place[2] else 0", SEARCHED),
    Mutant(PLAN, "memory.moments[1] / played, 1.0", "memory.moments[1] / played, 0.0",
           "tests/agents/test_plan_ucb.py::test_equal_rewards_are_no_reason_to_stay"),
    Mutant(PLAN, "PATIENCE * states])", "2 * PATIENCE * states])",
           f"{PLAN_UCB}::test_it_plans_exactly_once_plans_are_rare_as_its_witness_does"),
    Mutant(PLAN, "0 < rounds <= PATIENCE * states", "False",
           f"{PLAN_UCB}::test_it_plans_exactly_once_plans_are_rare_as_its_witness_does"),
    Mutant(PLAN, "memory.spare[:depth]", "memory.spare",
           f"{PLAN_UCB}::test_with_more_arms_than_it_looks_ahead_its_plan_is_its_search_alone"),
    Mutant(PLAN, "min(reachable_states(arms, s_max), LATER + 1)", "reachable_states(arms, s_max)",
           f"{PLAN_UCB}::test_it_plays_where_joint_states_can_hardly_be_counted"),
    Mutant("elementary.py", "LOG_TERMS, EXP_TERMS = 13, 14", "LOG_TERMS, EXP_TERMS = 8, 14",
           f"{ELEMENTARY}::test_the_logarithm_is_that_of_the_library_but_for_the_last_bits"),
    Mutant("elementary.py", "LOG_TERMS, EXP_TERMS = 13, 14", "LOG_TERMS, EXP_TERMS = 13, 8",
           f"{ELEMENTARY}::test_so_is_the_exponential"),
    Mutant("player.py", "            _arrays(self._memory)\n", "",
           "tests/science/test_player.py::test_a_memory_that_would_not_be_saved_is_refused"),
    Mutant("player.py", "getattr(agent, \"open_end\", False)", "True",
           "tests/science/test_player.py::"
           "test_an_agent_of_ones_own_says_that_it_needs_no_number_of_rounds"),
    Mutant("engine/files.py", "    path = path.resolve()\n", "",
           "tests/science/test_player.py::test_a_link_stays_a_link_and_what_is_no_file_stays"),
    Mutant(PLAN, "2 * max(t - 1, arms * s_max)", "10**6",
           "tests/science/test_player.py::test_with_an_open_end_it_assumes_as_much_again"),
    Mutant("player.py", "self._next[arm] = 1", "self._next[arm] = 2", PLAYS),
    Mutant("player.py", "np.minimum(self._next, self.s_max, out=self._next)", "pass", PLAYS),
    Mutant("player.py", "said[\"pending\"], -1, player.arms - 1)", "-1, -1)",
           "tests/science/test_player.py::test_a_saved_player_goes_on_as_if_nothing_had_happened"
           "[True-PlanUCB()]"),
    Mutant("player.py", "player._rng.bit_generator.state = said[\"random\"]", "pass",
           "tests/science/test_player.py::test_a_saved_player_goes_on_as_if_nothing_had_happened"
           "[False-RandomPull()]"),
    Mutant("player.py", "if code != said[\"code\"]:", "if code < \"\":",
           "tests/science/test_player.py::test_another_version_or_agent_is_refused"),
    Mutant("player.py", "        memory[...] = array\n        return memory",
           "        return array",
           "tests/science/test_player.py::test_a_saved_player_goes_on_as_if_nothing_had_happened"
           "[False-PlanUCB()]"),
    Mutant("player.py", "-MOST_REWARD, MOST_REWARD)", "-1e308, 1e308)",
           "tests/science/test_player.py::test_misuse_is_one_sentence"),
    Mutant("player.py", "except Exception as error:", "except KeyError as error:",
           "tests/science/test_player.py::test_a_whole_file_with_other_content_is_refused[text]"),
    Mutant("agents/random_pull.py", "rng.random() * self.arms", "rng.random() * (self.arms - 1)",
           tables("RandomPull")),
)
