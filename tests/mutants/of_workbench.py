"""Faults in the workbench: switches that do a little less, or more, than they say."""

from tests.mutants.mutant import Mutant

SWITCHES = "workbench/switches.py"
SLIPS = "workbench/slips.py"
TESTS = "tests/agents/test_workbench.py"
COMMON = "5, 0.4"


def switched(*positions):
    named = ", ".join((COMMON, *positions))
    return f"{TESTS}::test_a_switch_does_what_its_plain_witness_does[{named}-bernoulli]"


def slipped(slip):
    return f"{TESTS}::test_a_slip_does_what_its_plain_witness_does[{slip}-normal]"


MUTANTS = (
    Mutant(SWITCHES, "1.0 / (t + memory.t0)", "1.0 / (t + 1 + memory.t0)",
           f"{TESTS}::test_with_its_switches_off_the_workbench_is_ss_sarsa[{{}}]"),
    Mutant(SWITCHES, "1 < t <= self.learns_until + 1", "1 < t <= self.learns_until",
           switched("even", "exploring")),
    Mutant(SWITCHES, "(2.0 * memory.explorer.until + 1.0)", "memory.explorer.until",
           switched("separated", "fading")),
    Mutant(SWITCHES, "1.0 * (t <= memory.explorer.until)", "1.0 * (t < memory.explorer.until)",
           switched("separated", "random")),
    Mutant(SWITCHES, "return memory.share", "return 0.5 * memory.share",
           switched("separated", "steady")),
    Mutant(SWITCHES, "t / n / (t + memory.t0)", "t / (n + 1) / (t + memory.t0)", switched("even")),
    Mutant(SWITCHES, "1.0 / (n + memory.t0)", "1.0 / (n - 1 + memory.t0)", switched("entry")),
    Mutant(SWITCHES, "memory.scores[0, a] > memory.scores[0, arm]",
           "memory.scores[0, a] < memory.scores[0, arm]", switched("average")),
    Mutant(SWITCHES, "value = max(value,", "value = min(value,", switched("table")),
    Mutant(SWITCHES, "        return 0.0\n", "        return 1.0\n", switched("none")),
    Mutant(SLIPS, "state[arm] if memory.slip == 1", "1 if memory.slip == 1", slipped("stale plan")),
    Mutant(SLIPS, "memory.slip != 2", "memory.slip != 0", slipped("no reset")),
    Mutant(SLIPS, "s = self.planned_at[arm]", "s = state[arm]", slipped("stale update")),
    Mutant(SLIPS, "s = next_state[arm]", "s = state[arm]", slipped("late update")),
    Mutant(SLIPS, "0 if self.slip == 5 else", "1 if self.slip == 5 else", slipped("replans")),
)
