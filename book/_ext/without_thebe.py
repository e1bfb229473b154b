"""Leave out thebe's scripts, which Jupyter Book adds to every page.

They run cells on a server elsewhere. The book has none, and should carry neither its address nor
the console error of declaring it twice.
"""


def setup(app):
    for listener in list(app.events.listeners["env-before-read-docs"]):
        if listener.handler.__module__ == "sphinx_thebe" and "core" in listener.handler.__name__:
            app.disconnect(listener.id)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
