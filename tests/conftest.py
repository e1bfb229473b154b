"""What all tests share: how hypothesis runs, and programs in processes of their own."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import platformdirs
import pytest
from hypothesis import HealthCheck, settings

import rb_core

# Tests leave the user's store of blocks alone, and find nothing there; compiled code is shared.
os.environ.setdefault("NUMBA_CACHE_DIR", platformdirs.user_cache_dir("rb_core"))
os.environ["XDG_CACHE_HOME"] = tempfile.mkdtemp(prefix="rb-tests-")

PACKAGE = Path(rb_core.__file__).parent
TOP = Path(__file__).parents[1]

# The same examples in every run, so that a failure is never luck. To look for new ones:
# pytest --hypothesis-profile=search
QUIET = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("steady", max_examples=200, derandomize=True, **QUIET)
settings.register_profile("search", max_examples=2000, print_blob=True, **QUIET)
settings.load_profile("steady")


@pytest.hookimpl(tryfirst=True, optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    from tests.schedule import Schedule

    return Schedule(config, log)


@pytest.fixture
def environment():
    """The variables of a new process that is to import the package under test."""
    return os.environ | {"PYTHONPATH": str(PACKAGE.parent)}


@pytest.fixture
def run_program(tmp_path, environment):
    """Runs a program in a new process, in an empty folder, and returns what it printed."""

    def run(program, **variables):
        done = subprocess.run(
            [sys.executable, "-c", program],
            cwd=tmp_path,
            env=environment | variables,
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run
