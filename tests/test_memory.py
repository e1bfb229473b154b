"""Memory does not grow with the number of simulations."""

from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/status").exists(), reason="peak memory is read from Linux' /proc"
)

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
