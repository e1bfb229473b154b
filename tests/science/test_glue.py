"""Chapters run with and without the tools that build the book."""

import sys

import rb_core as rb


def test_with_myst_nb_its_own_glue_is_used(monkeypatch):
    import myst_nb

    taken = []
    monkeypatch.setattr(myst_nb, "glue", lambda *arguments: taken.append(arguments))
    rb.glue("01-total", "1.25", display=False)
    assert taken == [("01-total", "1.25", False)]


def test_without_myst_nb_nothing_is_shown_and_nothing_fails(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "myst_nb", None)
    assert rb.glue("01-total", "1.25", display=False) is None
    assert rb.glue("01-figure", object()) is None
    assert capsys.readouterr().out == ""
