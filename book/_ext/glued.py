"""Numbers of a chapter on another page.

    {glued}`ss_sarsa 07-same-arms`   what a cell of the chapter glued under this name

They are read from the chapter's committed outputs, which a test holds against its cells.
"""

import ast
import json
import sys
from pathlib import Path

from docutils import nodes
from sphinx.util.docutils import SphinxRole

sys.path.append(str(Path(__file__).parents[2]))
from rb_core.lab.notebooks import chapters, slug

RECORD = "application/papermill.record/text/plain"


def glued(notebook):
    """Name -> text of all that a notebook's cells have glued."""
    found = {}
    for cell in notebook["cells"]:
        for output in cell.get("outputs", ()):
            name = output.get("metadata", {}).get("scrapbook", {}).get("name")
            if name and RECORD in output["data"]:
                found[name] = str(ast.literal_eval("".join(output["data"][RECORD])))
    return found


class Glued(SphinxRole):
    def run(self):
        chapter, _, name = self.text.partition(" ")
        paths = {slug(path): path for path in chapters().values()}
        if chapter not in paths:
            return [], [self.inliner.reporter.error(f"There is no chapter {chapter!r}.")]
        self.env.note_dependency(str(paths[chapter]))
        found = glued(json.loads(paths[chapter].read_text("utf-8")))
        if name not in found:
            message = f"No cell of chapter {chapter!r} glues {name!r}."
            return [], [self.inliner.reporter.error(message)]
        return [nodes.Text(found[name])], []


def setup(app):
    app.add_role("glued", Glued())
    return {"parallel_read_safe": True, "parallel_write_safe": True}
