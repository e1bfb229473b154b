"""Numbers for the text of a chapter: `glue` of MyST-NB where the book is built, nothing elsewhere.

So a chapter that was downloaded runs without the tools that build the book.
"""

try:
    from myst_nb import glue
except ImportError:

    def glue(name, variable, display=True):
        """Takes what the book's text would show, and shows nothing."""


__all__ = ["glue"]
