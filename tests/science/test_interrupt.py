"""Ctrl-C ends a long run at once, without leftovers."""

import signal
import subprocess
import sys
import time

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX systems")

# Hours of work, of which the first second is done.
PROGRAM = """
import signal
import rb_core as rb
signal.signal(signal.SIGINT, signal.default_int_handler)  # shells switch it off in the background
bandit, agent = rb.setting("10-homo"), rb.{agent}
rb.simulate(bandit, agent, 100, sims=2)
print("warm", flush=True)
{call}
print("finished")
"""


@pytest.mark.parametrize("agent", ["SSSarsa(0.9)", "RGPTS(2)"])
@pytest.mark.parametrize(
    "call",
    ["rb.simulate(bandit, agent, 10**6, sims=10**5)", "rb.simulate(bandit, agent, 10**9, sims=4)"],
)
@pytest.mark.slow
def test_ctrl_c_ends_a_long_simulation(environment, agent, call):
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM.format(agent=agent, call=call)],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout.readline() == "warm\n"
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        printed, errors = process.communicate(timeout=30)  # it is over in well under a second
    finally:
        process.kill()
    assert process.returncode == -signal.SIGINT
    assert errors.rstrip().endswith("KeyboardInterrupt")
    assert printed == ""
