"""The documentation keeps up with the code."""

import re
from pathlib import Path

import rb_core as rb

TOP = Path(__file__).parents[1]


def test_every_public_name_is_on_the_api_page():
    documented = re.findall(r"auto\w+:: (\w+)", (TOP / "book" / "api.md").read_text())
    of_extras = ["RecoveringBanditEnv"]  # of rb_core.gym, which needs Gymnasium
    assert sorted(documented) == sorted(rb.__all__ + of_extras)


def test_every_public_name_has_a_docstring():
    assert [name for name in rb.__all__ if not getattr(rb, name).__doc__] == []


def test_the_readme_names_only_targets_and_commands_that_exist():
    readme = (TOP / "README.md").read_text()
    targets = re.findall(r"^([a-z]+):", (TOP / "Makefile").read_text(), re.MULTILINE)
    assert set(re.findall(r"make ([a-z]+)", readme)) <= set(targets)
    experiments = re.findall(r"rb run (\S+)", readme)
    assert experiments
    assert set(experiments) <= set(rb.experiments())
