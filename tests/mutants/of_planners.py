"""Faults in the random families, the bound, and the search for schedules."""

from tests.mutants.mutant import Mutant

FAMILIES = "tests/science/test_families.py"
SCHEDULING = "tests/science/test_scheduling.py"
RHYTHMS = "tests/science/test_rhythms.py"
PRICE = f"{SCHEDULING}::test_the_price_of_a_pull_gives_the_least_bound_of_arms_alone"
LOSSES = f"{SCHEDULING}::test_what_rounds_lose_against_the_bound_adds_up_to_the_gap_of_a_cycle"
HOWARD = f"{SCHEDULING}::test_policy_iteration_begun_anywhere_finds_the_optimum"
BOUND = f"{SCHEDULING}::test_no_policy_exceeds_the_bound_and_no_cycle_the_best_policy"
TOGETHER = f"{SCHEDULING}::test_all_arms_taken_together_give_the_optimum_itself"
BEAM = f"{SCHEDULING}::test_a_wide_beam_loses_least_of_all_sequences"
WINDOW = f"{SCHEDULING}::test_the_best_window_earns_most_of_all_windows"
PUBLISHED = "tests/science/test_published.py"
PERIODS = f"{PUBLISHED}::test_the_periods_are_the_best_of_all"
RATES = f"{PUBLISHED}::test_the_rates_solve_the_linear_programme"
INTERLEAVED = f"{PUBLISHED}::test_interleaved_arms_come_in_their_periods_and_the_best_goes_first"
GUARANTEED = f"{PUBLISHED}::test_every_arm_draws_the_period_of_the_lower_price_with_its_share"
FILLED = f"{PUBLISHED}::test_rounds_of_nobodys_go_to_the_best_arm_at_that_moment"
ANNEALING = f"{SCHEDULING}::test_annealing_reports_the_cycle_that_it_keeps"

MUTANTS = (
    # Families.
    Mutant("families.py", "(*name.encode(), arms, s_max)", "(arms, s_max)",
           f"{FAMILIES}::test_a_family_is_the_same_to_the_last_bit_in_every_version"),
    Mutant("families.py", "row[at:] = np.sort(row[at:])[::-1]", "row[at:] = np.sort(row[at:])",
           f"{FAMILIES}::test_peaked_arms_have_their_top_inside_and_fall_from_there"),
    Mutant("families.py", "2 * 2.5**2", "2.5**2",
           f"{FAMILIES}::test_gaussian_arms_have_the_correlations_of_their_kernel"),
    Mutant("families.py", "0.5 ** (np", "0.4 ** (np",
           f"{FAMILIES}::test_exponential_arms_recover_by_the_same_share_in_every_round"),
    Mutant("families.py", ">= delay[:, None]", "> delay[:, None]",
           f"{FAMILIES}::test_blocked_arms_pay_nothing_and_then_always_the_same"),
    Mutant("families.py", "-np.sort(-rng.exponential", "np.sort(rng.exponential",
           f"{FAMILIES}::test_concave_arms_rise_by_smaller_and_smaller_steps"),
    # The price of a pull, and what rounds lose at it.
    Mutant("pricing.py", "(means[a, s] - price) / (s + 1)\n            if",
           "(means[a, s] - price) / (s + 2)\n            if", PRICE),
    Mutant("pricing.py", "slope -= 1.0 / state", "slope -= 2.0 / state", PRICE),
    Mutant("pricing.py", "low = 2 * low - high", "low = low", PRICE),
    Mutant("pricing.py", "table[a, s_max - 1] = gain", "table[a, s_max - 1] = 0.0", LOSSES),
    Mutant("pricing.py", "worth - gain\n", "worth\n", LOSSES),
    Mutant("pricing.py", "table[a, s] = means[a, s] - price", "table[a, s] = means[a, s]", LOSSES),
    # Periods, and the planners that others published.
    Mutant("periods.py", "while length < s_max:", "while 2 * length < s_max:", PERIODS),
    Mutant("periods.py", "if pulls <= c:", "if pulls < c:", PERIODS),
    Mutant("periods.py", "range(length, -1, -1)", "range(length + 1)", PERIODS),
    Mutant("periods.py", "range(1, s_max + 1, 2)", "range(1, 2, 2)", PERIODS),
    Mutant("periods.py", "low = min(low, means[a, s])", "low = 0.0", PERIODS),
    Mutant("periods.py", "left -= length // room.period[a]", "left -= 1", PERIODS),
    Mutant("periods.py", "while room.slots[first] >= 0:", "while room.slots[first] > 0:", PERIODS),
    Mutant("periods.py", "room.period[a] == 0 or everybody == 1", "True",
           f"{PUBLISHED}::test_rounds_of_nobodys_go_to_the_best_arm_at_that_moment"),
    Mutant("interleaving.py", "price - nudge)", "price + 2 * nudge)", RATES),
    Mutant("interleaving.py", "(1 - asked[0]) / more", "asked[0] / more", RATES),
    Mutant("interleaving.py", "< share, many, few)", "< share, few, many)", GUARANTEED),
    Mutant("interleaving.py", "slots[first[arm] :: period[arm]] = arm",
           "slots[:: period[arm]] = arm", INTERLEAVED),
    Mutant("scheduling.py", "state[arms[t]] = 1", "state[arms[t]] = 2", FILLED),
    # Policy iteration.
    Mutant("policy_iteration.py", "min(s + 1, s_max) for s", "min(s + 2, s_max) for s", HOWARD),
    Mutant("policy_iteration.py", "if value > own:", "if value < own:", HOWARD),
    Mutant("policy_iteration.py", "gain = total / count", "gain = total", HOWARD),
    Mutant("policy_iteration.py", "if lead_to_the_best(known, best - tiny):",
           "if lead_to_the_best(known, -np.inf):", HOWARD),
    Mutant("policy_iteration.py", "np.minimum(state + 1, s_max - 1)",
           "np.minimum(state + 1, s_max)", TOGETHER),
    Mutant("policy_iteration.py", "return known.label[node], length", "return 0, length", HOWARD),
    # The bound and the schedules.
    Mutant("policy_iteration.py", "means[known.cell[i, m]] + known.bias[known.after[i, m]]",
           "means[known.cell[i, m]]", HOWARD),
    Mutant("policy_iteration.py", "most = max(most, means", "most = max(0.0, means",
           f"{SCHEDULING}::test_the_certificate_of_a_group_holds_for_any_biases"),
    Mutant("scheduling.py", "float(min([alone, *together]) + slack)",
           "float(min([alone, *together]))", BOUND),
    Mutant("scheduling.py", "bound += most_gain(known, cells)",
           "bound += 0.999 * most_gain(known, cells)", BOUND),
    Mutant("scheduling.py", "(self.means[group] - price).ravel()", "self.means[group].ravel()",
           TOGETHER),
    Mutant("scheduling.py", "last = {arm: i - len(arms)", "last = {arm: i - len(arms) - 1", BOUND),
    Mutant("scheduling.py", "_shortest(search_cycle(bandit.means, bound, round(MOVES * effort)))",
           "search_cycle(bandit.means, bound, round(MOVES * effort))",
           f"{SCHEDULING}::test_a_cycle_repeats_nothing"),
    Mutant("scheduling.py", "if average > best.average + 1e-12:", "if average > 2:",
           f"{SCHEDULING}::test_search_alone_comes_within_half_a_percent_on_fresh_tables"
           "[free-3016]"),
    Mutant("scheduling.py", "islice(nested_cycles(means, 4 * DEPTH * s_max), NESTED)", "()",
           f"{SCHEDULING}::test_large_free_tables_begin_with_nested_cycles"),
    # Nested cycles.
    Mutant("rhythms.py", "range(2, min(turns", "range(3, min(turns",
           f"{RHYTHMS}::test_splits_of_periods_are_all_there_and_once"),
    Mutant("rhythms.py", "first + period * i)", "first + i)",
           f"{RHYTHMS}::test_no_two_turns_meet_and_no_round_is_left_over"),
    Mutant("rhythms.py", "cycle[first::period] = arm", "cycle[first] = arm",
           f"{RHYTHMS}::test_every_arm_of_a_nested_cycle_keeps_its_period"),
    Mutant("rhythms.py", "sorted(hopes, reverse=True)", "sorted(hopes)",
           f"{RHYTHMS}::test_those_that_may_be_best_come_first"),
    Mutant("rhythms.py", "- (cost[i, j] - discount[j])", "",
           f"{RHYTHMS}::test_an_assignment_is_worth_most_of_all"),
    Mutant("rhythms.py", "discount[done] += way[done] - way[j]", "discount[done] += 0",
           f"{RHYTHMS}::test_an_assignment_is_worth_most_of_all"),
    # Beam search, windows, annealing.
    Mutant("search.py", "cost = beam.cost[now, i] + (wanted", "cost = (wanted", BEAM),
    Mutant("search.py", "if a > 0.0:\n                    wanted += a", "wanted += a", BEAM),
    Mutant("search.py", "if beam.cost[new, j] <= cost:", "if beam.cost[new, j] > cost:", BEAM),
    Mutant("search.py", "beam.states[new, j, k] = 1", "beam.states[new, j, k] = 2", BEAM),
    Mutant("search.py", "end - start + beam.first[k] - beam.last[k]",
           "end - start - beam.first[k] + beam.last[k]", WINDOW),
    Mutant("search.py", "average = total / (end - start)", "average = total / (end - start + 1)",
           WINDOW),
    Mutant("search.py", "last[path[i]] = i - length", "last[path[i]] = -length", WINDOW),
    Mutant("search.py", "gap = min(cycle.gaps[i] + cycle.gaps[at], s_max)",
           "gap = min(cycle.gaps[i] + 1, s_max)", ANNEALING),
    Mutant("search.py", "cycle.gaps[at] = own", "cycle.gaps[at] = 1", ANNEALING),
    Mutant("search.py", "            _place(cycle, means, other, arm)\n", "", ANNEALING),
)
