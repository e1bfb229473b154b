"""The command line in the places where it is used: pipes, full disks, poor terminals, Ctrl-C."""

import os
import signal
import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX systems")
RB = [sys.executable, "-m", "rb_core.cli"]
HELP = [*RB, "sweep", "--example"]


def test_a_reader_that_has_seen_enough_is_no_error(environment):
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(HELP, env=environment, stdout=writing, stderr=subprocess.PIPE)
    os.close(writing)
    assert (done.returncode, done.stderr) == (141, b"")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a device of Linux")
def test_output_onto_a_full_disk_is_one_sentence(environment):
    with open("/dev/full", "w") as full:
        done = subprocess.run(HELP, env=environment, stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 2
    assert done.stderr.decode().startswith("rb: ")
    assert done.stderr.count(b"\n") == 1


def test_a_terminal_without_unicode_gets_what_it_can_show(environment, tmp_path):
    (tmp_path / "größe.yml").write_text("base: none\n", encoding="utf-8")
    call = [*RB, "sweep", "größe.yml"]
    done = subprocess.run(call, cwd=tmp_path, capture_output=True,
                          env=environment | {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"})
    assert done.returncode == 2
    assert done.stderr.count(b"\n") == 1


def test_in_a_folder_that_is_gone_a_command_says_so(environment, tmp_path):
    program = """
import os
os.mkdir("x")
os.chdir("x")
os.rmdir("../x")
from rb_core.cli import main
raise SystemExit(main(["run", "small-normal-discounted", "--agent", "a:B"]))
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, env=environment,
                          capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1


def test_ctrl_c_while_packages_are_loaded_is_no_traceback(environment, tmp_path):
    """The signal comes when numba is being imported, from the process itself."""
    (tmp_path / "numba").mkdir()
    (tmp_path / "numba" / "__init__.py").write_text("import os, signal, time\n"
                                                    "os.kill(os.getpid(), signal.SIGINT)\n"
                                                    "time.sleep(60)\n")
    paths = os.pathsep.join([str(tmp_path), environment["PYTHONPATH"]])
    done = subprocess.run([*RB, "list"], env=environment | {"PYTHONPATH": paths},
                          capture_output=True, text=True,
                          preexec_fn=lambda: signal.signal(signal.SIGINT,
                                                           signal.default_int_handler))
    assert (done.returncode, done.stderr) == (130, "rb: stopped.\n")


def test_a_picture_that_is_a_folder_is_refused_before_anything_runs(tmp_path, capsys):
    from rb_core.cli import main

    (tmp_path / "a.png").mkdir()
    call = ["run", "small-bernoulli-discounted", "--out", str(tmp_path / "a.png")]
    assert main(call) == 2
    assert capsys.readouterr().out == ""


def test_help_loads_nothing_that_takes_time(run_program):
    """Whoever asks for help or makes a mistake need not wait for compilers and tables."""
    program = """
import sys
from rb_core.cli import main
try:
    main(["--help"])
except SystemExit:
    pass
print([name for name in ("numba", "numpy", "pandas", "matplotlib") if name in sys.modules])
"""
    assert run_program(program).endswith("[]\n")
