"""Faults in the store, in files of results, and in their verification."""

from tests.mutants.mutant import Mutant
from tests.mutants.of_engine import NAMES

STORE = "tests/lab/test_store.py"
FILES = "tests/lab/test_results_files.py"
AGAIN = "tests/lab/test_reproduce.py"
SWEEP = "tests/lab/test_sweep.py"
FORGED = "tests/lab/test_verify.py::test_forged_results_are_refused_in_one_sentence"
TABLES = "tests/lab/test_verify_tables.py::test_a_forged_race_is_refused_in_one_sentence"

MUTANTS = (
    Mutant("lab/store.py", 'if str(arrays["name"]) != name:', 'if not str(arrays["name"]):',
           f"{STORE}::test_a_damaged_or_foreign_block_counts_as_missing[other block]"),
    Mutant("lab/store.py", "sha256(name.encode())", "sha256(name[:40].encode())",
           NAMES),
    Mutant("simulation.py", "found is not None and job.fits(found.block)", "found is not None",
           f"{STORE}::test_a_block_of_another_shape_or_with_nan_is_computed_again[without_rows]"),
    Mutant("simulation.py", "by {' '.join(maker_of(type(job.agent)))}",
           "by {maker_of(type(job.agent)).code}",
           f"{STORE}::test_a_block_lies_under_the_name_of_all_that_it_follows_from"),
    Mutant("lab/results.py", 'about["digest"] != _digest(arrays)', 'about["digest"] is None',
           f"{FILES}::test_an_array_that_was_exchanged_is_seen"),
    Mutant("lab/results.py", "{array.dtype} {array.shape} ", "{array.dtype} ",
           f"{FILES}::test_an_array_that_was_exchanged_is_seen[other_shape]"),
    Mutant("lab/results.py", "        if arrays:", "        if not about:",
           f"{FILES}::test_arrays_that_nothing_is_said_about_are_refused"),
    Mutant("lab/reproduce.py", "chosen.beyond if self.beyond else chosen", "chosen",
           f"{AGAIN}::test_beyond_the_paper_are_other_agents_and_seeds_at_the_same_size"),
    Mutant("evaluation.py", "replace(self, compared=BEYOND, seed=BEYOND_SEED)",
           "replace(self, compared=BEYOND)",
           f"{AGAIN}::test_beyond_the_paper_are_other_agents_and_seeds_at_the_same_size"),
    Mutant("lab/verify.py", "chosen.beyond if tuple(found.agents) == BEYOND else chosen", "chosen",
           f"{AGAIN}::test_what_goes_beyond_is_verified_like_the_rest"),
    Mutant("lab/race.py", "cell.bandit(suite.seed + table)", "cell.bandit(suite.seed)",
           "tests/lab/test_race.py::"
           "test_a_loss_is_the_share_of_the_best_average_that_is_missing"),
    Mutant("lab/race.py", "            check_agent(agent, *size)\n", "            pass\n",
           "tests/lab/test_race.py::test_agents_are_checked_before_they_enter"),
    Mutant("lab/race.py", "check_agent(agent, *size)", "check_agent(agent)",
           "tests/lab/test_race.py::test_an_agent_is_tried_at_every_size_that_it_will_play"),
    Mutant("lab/race.py", "jobs.setdefault(job, []).append((cell, name, table))",
           "jobs[job] = [(cell, name, table)]",
           "tests/lab/test_race.py::test_equal_agents_keep_their_names"),
    Mutant("lab/verify.py", "if left is None:", 'if left is None or key == "total":',
           f"{FORGED}[another total]"),
    Mutant("lab/verify.py", '("bandit", "seed", "agents")', '("bandit", "agents")',
           f"{FORGED}[another seed]"),
    Mutant("lab/verify_tables.py", "if maker.code != here.code:", "if not maker.code:",
           f"{FORGED}[other code]"),
    Mutant("lab/verify_tables.py", "if row.loss != (again", "if row.loss < (again",
           f"{TABLES}[a loss]"),
    Mutant("lab/verify_tables.py", "each[row.table : row.table + 1]", "each[:1]",
           "tests/lab/test_verify_tables.py::test_a_true_race_is_accepted_and_counted"),
    Mutant("lab/verify.py", "if path.stem != found.experiment:", "if not path.stem:",
           "tests/lab/test_verify.py::test_a_renamed_file_is_refused"),
    Mutant("lab/verify.py", "{key: value[i : i + 1] for", "{key: value[:1] for",
           "tests/lab/test_verify.py::test_a_sample_counts_what_was_compared"),
    Mutant("lab/verify.py", "value is None and key not in lacks", "value is None and not key",
           f"{FORGED}[curves left out]"),
    Mutant("lab/sweep/__init__.py", "for item in items for values in",
           "for item in items[:1] for values in",
           f"{SWEEP}::test_a_list_and_a_grid_are_every_item_with_every_combination"),
    Mutant("lab/sweep/table.py", "*np.quantile(lost, [0.05, 0.5, 0.95])",
           "*np.quantile(lost, [0.1, 0.5, 0.9])",
           f"{SWEEP}::test_a_table_may_have_a_row_for_each_combination"),
    Mutant("lab/sweep/table.py", "half = 1.96 * sd / math.sqrt(sims)", "half = 1.96 * sd / sims",
           f"{SWEEP}::test_a_table_may_have_a_row_for_each_combination"),
)
