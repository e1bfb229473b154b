"""Numbers for the text of a chapter: `glue` of MyST-NB where the book is built, nothing elsewhere.

So a chapter that was downloaded runs without the tools that build the book.
"""


def glue(name: str, variable: object, display: bool = True) -> None:
    """Keep a value for the text of a chapter, which shows it where it says `name`.

    Parameters
    ----------
    name : str
    variable : object
    display : bool
        Show it below the cell, too.

    Examples
    --------
    >>> import rb_core as rb
    >>> rb.glue("09-fine", "99.7%", display=False)  # doctest: +SKIP
    """
    try:
        import myst_nb  # here, because it takes a moment to load, and readers may not have it
    except ImportError:
        return
    myst_nb.glue(name, variable, display)
