"""Runs tests against a copy of the package, with or without a fault in it."""

import os
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.mutants.mutant import Mutant

PASSED, FAILED = "passed", "failed"
COPIED = ("rb_core", "tests", "pyproject.toml")
LINKED = ("notebooks", "book")  # read by tests, and larger
PLUGINS = ("pytest_timeout", "_hypothesis_pytestplugin")  # all others would take two seconds
PATIENCE = 300  # seconds


def copied(top: Path, folder: Path) -> Path:
    """A copy of the project in `folder`, as far as its tests need it."""
    folder.mkdir(parents=True)
    for name in COPIED:
        if (top / name).is_dir():
            shutil.copytree(top / name, folder / name,
                            ignore=shutil.ignore_patterns("__pycache__", ".*"))
        else:
            shutil.copy(top / name, folder / name)
    for name in LINKED:
        if (top / name).exists():
            (folder / name).symlink_to(top / name)
    return folder


@contextmanager
def faulty(folder: Path, mutant: Mutant):
    """The copy with a fault, which is gone again afterwards."""
    path = folder / "rb_core" / mutant.file
    text = path.read_text()
    path.write_text(mutant.applied(text))
    try:
        yield
    finally:
        path.write_text(text)


def outcome(folder: Path, tests: Sequence[str], cache: Path) -> str:
    """What tests say of the copy in `folder`: PASSED, FAILED, or why it says nothing.

    Only an assertion or an error *in a test* is a failure; a package that cannot be imported, a
    test that is skipped, cannot be found or does not end says nothing.

    Compiled code is kept in `cache` under the stamp of its source: what a fault does not touch is
    compiled once for all.
    """
    report = folder / "report.xml"
    report.unlink(missing_ok=True)
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider",
               *(f"-p{plugin}" for plugin in PLUGINS),
               "--hypothesis-profile=steady", f"--junit-xml={report}", *tests]
    variables = {"PYTHONPATH": str(folder), "NUMBA_CACHE_DIR": str(cache),
                 "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
                 # A fault can leave date and size of a file as they were.
                 "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(command, cwd=folder, env=os.environ | variables, timeout=PATIENCE,
                              capture_output=True, text=True)
    except subprocess.TimeoutExpired:
        return f"did not end within {PATIENCE} seconds"
    last = (done.stdout.strip() or done.stderr.strip()).splitlines()[-1:]
    if done.returncode not in (0, 1) or not report.exists():
        return f"pytest ended with {done.returncode}: {' '.join(last)}"
    suite = ElementTree.parse(report).getroot().find("testsuite")
    failures, errors, skipped = (
        int(suite.get(name)) for name in ("failures", "errors", "skipped"))
    if skipped or errors:
        return f"no verdict: {' '.join(last)}"
    return FAILED if failures else PASSED
