"""Chapters run with and without the tools that build the book."""

import importlib
import sys

import rb_core.glue


def test_with_myst_nb_its_own_glue_is_used():
    import myst_nb

    assert rb_core.glue.glue is myst_nb.glue


def test_without_myst_nb_nothing_is_shown_and_nothing_fails(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "myst_nb", None)
    glue = importlib.reload(rb_core.glue).glue
    assert glue("01-total", "1.25", display=False) is None
    assert glue("01-figure", object()) is None
    assert capsys.readouterr().out == ""
    monkeypatch.undo()
    importlib.reload(rb_core.glue)
