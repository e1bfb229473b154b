"""Numbers of figures on pages that are no numbered chapter: they begin with 1 on each page.

Sphinx counts such figures through the whole book, so that the first one of a page may be Fig. 52.
"""


def begin_anew(app, env):
    for numbers in env.toc_fignumbers.values():
        for figures in numbers.values():
            if all(len(number) == 1 for number in figures.values()):
                in_order = sorted(figures, key=figures.get)
                figures.update({name: (at,) for at, name in enumerate(in_order, 1)})


def setup(app):
    app.connect("env-check-consistency", begin_anew)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
