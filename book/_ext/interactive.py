"""The directive `{interactive} NAME`: a figure of book/interactive that readers can touch.

Until its script has run, without JavaScript, in print and in the PDF, a still picture stands in
its place. Scripts are loaded by the pages that have such a figure, after everything else.
With a caption it is numbered among the other figures, and `:name:` lets text refer to its number.
"""

import sys
from pathlib import Path
from typing import ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util.docutils import SphinxDirective

ROOM = Path(__file__).parents[1] / "interactive"
sys.path.append(str(ROOM))
import about  # noqa: E402


class interactive(nodes.figure):
    """A figure; its children are the still picture and the caption."""


class Interactive(SphinxDirective):
    """`{interactive} NAME`, with a caption as its text; `:bandit:` says with which one begins."""

    required_arguments = 1
    has_content = True
    option_spec: ClassVar = {"bandit": directives.unchanged, "name": directives.unchanged}

    def run(self):
        name = self.arguments[0]
        if name not in about.ALT:
            raise self.error(f"There is no figure {name!r}; there are {', '.join(about.ALT)}.")
        bandit = self.options.get("bandit")
        known = [each["name"] for each in about.bandits()]
        if bandit and bandit not in known:
            raise self.error(f"There is no bandit {bandit!r}; there are {', '.join(known)}.")
        for path in ROOM.rglob("*"):
            if path.suffix in (".js", ".py", ".css"):
                self.env.note_dependency(str(path))
        figure = interactive(figure=name, given={"bandit": bandit} if bandit else {})
        figure += nodes.image(
            uri=f"/book/interactive/posters/{name}.webp",
            alt=about.ALT[name],
            candidates={},
            classes=["rb-poster"],
        )
        if self.content:
            text = nodes.Element()
            self.state.nested_parse(self.content, self.content_offset, text)
            if len(text) != 1 or not isinstance(text[0], nodes.paragraph):
                raise self.error("The caption of a figure is one paragraph.")
            figure += nodes.caption(text[0].rawsource, "", *text[0].children)
        self.add_name(figure)
        return [figure]


def enter(translator, node):
    still = translator.builder.name == "singlehtml"
    anchor = f' id="{node["ids"][0]}"' if node["ids"] else ""
    translator.body.append(
        f'<figure class="rb-figure rb-printed"{anchor}>'
        if still
        else f'<figure class="rb-figure"{anchor} aria-label="Interactive figure: {node["figure"]}" '
        f'data-figure="{node["figure"]}">'
    )
    if not still:
        given = about.compact(about.data(node["figure"]) | node["given"])
        given = given.replace("<", "\\u003c")  # no end of a script inside a script
        translator.body.append(
            f'<div class="rb-place"></div>'
            f'<script type="application/json" class="rb-data">{given}</script>'
        )


def leave(translator, node):
    translator.body.append("</figcaption>" if len(node) > 1 else "")  # which the caption opened
    translator.body.append("</figure>")


def skip(translator, node):
    raise nodes.SkipNode


def write_scripts(app):
    if app.builder.format != "html":
        return
    static = Path(app.outdir, "_static")
    static.mkdir(parents=True, exist_ok=True)
    (static / "interactive.js").write_text(about.scripts(), "utf-8")
    (static / "interactive.css").write_text(about.styles(), "utf-8")


def load_scripts(app, pagename, templatename, context, doctree):
    if doctree is not None and next(doctree.findall(interactive), None) is not None:
        app.add_css_file("interactive.css")
        if app.builder.name == "html":
            app.add_js_file("interactive.js", loading_method="defer")


def setup(app):
    views = {"html": (enter, leave), "singlehtml": (enter, leave), "text": (skip, None)}
    app.add_enumerable_node(interactive, "figure", **views)
    app.add_directive("interactive", Interactive)
    app.connect("builder-inited", write_scripts)
    app.connect("html-page-context", load_scripts)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
