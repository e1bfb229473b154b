"""Memory does not grow with the number of simulations."""

from pathlib import Path

import pytest

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not Path("/proc/self/status").exists(), reason="peak memory is read from Linux' /proc"
    ),
]

# Not getrusage: a new process inherits the peak of the one that started it.
PROGRAM = """
from concurrent.futures import ThreadPoolExecutor
import rb_core as rb

with ThreadPoolExecutor(2) as executor:
    rb.simulate(rb.setting("10-homo"), rb.{agent}, 10**6, sims={sims}, executor=executor)
status = dict(line.split(":", 1) for line in open("/proc/self/status"))
print(status["VmHWM"].split()[0])
"""


@pytest.mark.parametrize("agent", ["SSSarsa(0.999999)", "RGPTS(1)"])
def test_peak_memory_is_flat_and_below_400_megabytes(run_program, agent):
    few, many = (
        int(run_program(PROGRAM.format(agent=agent, sims=sims))) / 1024 for sims in (2, 16)
    )
    assert many < 400
    assert many < few + 40


REPRODUCTION = """
from concurrent.futures import ThreadPoolExecutor
import rb_core as rb
from rb_core.simulation import jobs_of, run_jobs

few = [rb.Problem(each.bandit, 1000, each.gamma) for each in rb.experiments().values()
       if each.bandit.arms < 10]
jobs = [job for each in few for job in jobs_of(each, rb.SSSarsa(each.gamma), {sims})]
with ThreadPoolExecutor(1) as executor:
    done = sum(1 for _ in run_jobs(jobs, executor, rb.Store("blocks")))
status = dict(line.split(":", 1) for line in open("/proc/self/status"))
print(done, status["VmHWM"].split()[0])
"""


def test_memory_of_an_evaluation_does_not_grow_with_its_blocks(run_program):
    (few, low), (many, high) = (
        map(int, run_program(REPRODUCTION.format(sims=sims)).split()) for sims in (100, 1000)
    )
    assert many == 10 * few
    assert high / 1024 < low / 1024 + 15  # of the 36 that keeping all of them would take


RUN = """
import rb_core as rb

rb.run("10-homo-increasing-bernoulli-undiscounted", sims={sims}, rounds=50,
       store=rb.Store("blocks"))
status = dict(line.split(":", 1) for line in open("/proc/self/status"))
print(status["VmHWM"].split()[0])
"""


@pytest.mark.slow
def test_a_run_needs_less_than_a_kilobyte_for_one_more_simulation(run_program):
    few, many = (int(run_program(RUN.format(sims=sims))) for sims in (1000, 6000))
    assert (many - few) / 5000 < 1.0  # in kB
