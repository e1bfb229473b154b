"""Faults in the loop, in blocks, in random streams, in the compiler and in what is kept on disk."""

from tests.mutants.mutant import Mutant
from tests.mutants.of_agents import PAUSES, tables

LOOP = "engine/loop.py"
BLOCKS = "engine/blocks.py"
STREAMS = "engine/streams.py"
COMPILED = "engine/compiled.py"
STAMP = "engine/stamp.py"

SIMULATION = "tests/science/test_simulation.py"
WEIGHTS = f"{SIMULATION}::test_first_round_has_weight_one_and_the_second_gamma"
TRACES = f"{SIMULATION}::test_simulations_are_the_traces_of_their_numbers[bernoulli]"
SHORT = f"{SIMULATION}::test_a_run_shorter_than_the_tail_is_kept_whole"
CHECKPOINTS = (f"{SIMULATION}::test_checkpoints_are_every_hundredth_and_closer_together_at_the_"
               "beginning")
NAMES = f"{SIMULATION}::test_blocks_that_differ_in_anything_have_different_names_and_files"
PAUSE = f"{PAUSES}[RandomPull()-7-True]"
ARITHMETIC = ("tests/engine/test_interpreted.py::"
              "test_the_compiler_keeps_to_the_arithmetic_as_it_is_written")
OTHER_STREAMS = ("tests/engine/test_streams.py::"
                 "test_bandits_agents_seeds_and_simulations_have_different_streams")
PINNED = ("tests/engine/test_streams.py::"
          "test_the_streams_of_the_36_experiments_do_not_move[small-bernoulli-discounted]")
IN_BLOCKS = f"{SIMULATION}::test_blocks_and_their_order_make_no_difference[forwards-2]"
BAD_BLOCK = f"{SIMULATION}::test_what_is_not_the_block_of_a_job_does_not_fit"
STAMPS = "tests/engine/test_stamp.py"
CACHE = "tests/engine/test_compile_cache.py"

MUTANTS = (
    # The rounds.
    Mutant(LOOP, "weight *= gamma", "weight *= gamma * gamma", TRACES),
    Mutant(LOOP, "np.array([1.0, 0.0, 0.0])", "np.array([gamma, 0.0, 0.0])", WEIGHTS),
    Mutant(LOOP, "tail_from = rounds - len(log.tail)", "tail_from = rounds - len(log.tail) + 1",
           TRACES),
    Mutant(LOOP, "if t == tail_from + 1:", "if t == tail_from + 2:", TRACES),
    Mutant(LOOP, "min(state[k] + 1, s_max)", "min(state[k] + 2, s_max)", tables("RandomPull")),
    Mutant(LOOP, "next_state[k] = 1 if k == arm", "next_state[k] = 2 if k == arm",
           tables("RandomPull")),
    Mutant(LOOP, "rng.random() < mean", "rng.random() < 1 - mean", tables("RandomPull")),
    Mutant(LOOP, "bandit.sd * rng", "bandit.sd * bandit.sd * rng", tables("RandomPull", "normal")),
    Mutant(LOOP, "if (last - first) % 2 == 0:", "if (last - first) % 2 == 1:", PAUSE),
    Mutant(LOOP, "position.checkpoint[0] = mark", "position.checkpoint[0] = 0", PAUSE),
    Mutant(LOOP, "position.sums[0] = weight", "position.sums[0] = 1.0", PAUSE),
    Mutant(LOOP, "last = min(first + STRETCH - 1, rounds)", "last = min(first + STRETCH, rounds)",
           PAUSE),
    Mutant(LOOP, "_user_loop(*_tuple_classes(memory))", "_user_loop(type(memory).__name__)",
           "tests/agents/test_conformance.py::test_an_edited_cell_takes_effect_at_once"),
    # What the compiler may do.
    Mutant(COMPILED, '{"nogil": True, "_nrt"', '{"fastmath": True, "nogil": True, "_nrt"',
           f"{ARITHMETIC}[rounded-lean_kernel]"),
    Mutant(COMPILED, '{"nogil": True}', '{"nogil": True, "fastmath": True}',
           f"{ARITHMETIC}[rounded-kernel]"),
    Mutant(COMPILED, 'INLINE = {"forceinline": True}',
           'INLINE = {"forceinline": True, "fastmath": True}',
           f"{ARITHMETIC}[with_helper-lean_kernel]"),
    # Blocks and checkpoints.
    Mutant(BLOCKS, "np.arange(1, 101) * rounds", "np.arange(1, 100, 2) * rounds",
           CHECKPOINTS),
    Mutant(BLOCKS, "np.geomspace(1, rounds, 40)", "np.geomspace(1, rounds, 41)", CHECKPOINTS),
    Mutant(BLOCKS, "3 * self.bandit.s_max", "2 * self.bandit.s_max", TRACES),
    Mutant(BLOCKS, "min(3 * self", "max(3 * self", SHORT),
    Mutant(BLOCKS, "stream_at(place, job.seed, job.first + i)",
           "stream_at(place, job.seed, job.first)", IN_BLOCKS),
    Mutant(BLOCKS, "stream_at(place, job.seed, job.first + i)",
           "stream_at(place, job.first + i, job.seed)", TRACES),
    Mutant(BLOCKS, " and np.isfinite(found).all()", "", BAD_BLOCK),
    Mutant(BLOCKS, " and found.dtype == room.dtype", "", BAD_BLOCK),
    Mutant(BLOCKS, "discount {self.discount!r}", "discounted", NAMES),
    Mutant(BLOCKS, "seed {self.seed}", "seeded", NAMES),
    Mutant(BLOCKS, "stamp(simulate_block, Job, kind,", "stamp(simulate_block, Job,",
           f"{STAMPS}::test_the_stamp_of_a_users_agent_follows_its_helpers"),
    # Random streams.
    Mutant(STREAMS, "spawn_key=(*place, simulation)", "spawn_key=(*place, 0)",
           "tests/engine/test_streams.py::test_thousands_of_simulations_never_share_a_stream"),
    Mutant(STREAMS, "SeedSequence(seed,", "SeedSequence(0,", OTHER_STREAMS),
    Mutant(STREAMS, "{canonical_text(agent)} on {canonical_text(bandit)}",
           "{canonical_text(agent)} on a bandit", OTHER_STREAMS),
    Mutant(STREAMS, '"<u4"', '">u4"', PINNED),
    Mutant(STREAMS, "!= canonical_text(field.default)", "== canonical_text(field.default)", PINNED),
    Mutant(STREAMS, "repr(float(thing)) if", "repr(thing) if",
           "tests/engine/test_streams.py::"
           "test_equal_parameters_give_the_same_stream_whatever_their_type"),
    # Stamps of code.
    Mutant(STAMP, "compiled with {sorted(options.items())}", "compiled",
           "tests/engine/test_stamp_of_options.py::"
           "test_the_stamp_of_compiled_code_follows_its_options"),
    Mutant(STAMP, "isinstance(node.value, ast.Constant)", "isinstance(node.value, ast.Name)",
           f"{STAMPS}::test_what_cannot_change_a_result_changes_no_stamp"),
    Mutant(STAMP, "        if code in codes:", "        if code.co_name:",
           f"{STAMPS}::test_a_file_that_was_edited_since_it_was_loaded_cannot_be_stamped"),
    # What is kept on disk.
    Mutant("engine/cache.py", ", *tuple_classes(signature)),", "),",
           f"{CACHE}::test_an_edit_in_any_file_of_the_package_takes_effect"
           "[RandomPull()-agents/random_pull.py-rng.random() * self.arms-rng.random() * 2]"),
    Mutant("engine/cache.py", "secrets.randbits(64)", "secrets.randbits(0)",
           f"{CACHE}::test_a_loop_from_disk_is_not_linked_to_an_agent_called_like_ours"),
    Mutant("engine/cache.py", "except Exception:", "except OSError:",
           f"{CACHE}::test_a_cache_of_foreign_files_costs_time_and_not_the_run"),
    Mutant("engine/cache.py", "> FORGOTTEN", "< FORGOTTEN",
           f"{CACHE}::test_what_nobody_used_for_a_month_is_removed"),
    Mutant("engine/sealed.py", ".digest() == content[:32] else None", ".digest() else None",
           f"{CACHE}::test_a_damaged_cache_is_not_read[flip_bits]"),
    Mutant("engine/sealed.py", "with replacing(path) as part:\n        part.write_bytes(",
           "if True:\n        path.write_bytes(",
           "tests/science/test_player.py::"
           "test_a_player_that_is_killed_while_it_is_saved_is_as_it_was_saved_before"),
    Mutant("engine/sealed.py", "hashlib.sha256(content[32:])", "hashlib.sha256(content[33:])",
           f"{CACHE}::test_a_damaged_cache_is_not_read[cut]"),
    Mutant("engine/files.py", "st_mtime > OLD", "st_mtime < OLD",
           "tests/engine/test_files.py::"
           "test_what_a_kill_left_long_ago_is_cleaned_away_and_what_is_in_use_is_not"),
)
