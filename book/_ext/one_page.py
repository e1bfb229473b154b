"""Make the whole book one page that prints well: `make pdf`.

A cover comes first and a table of contents follows the introduction, chapters are marked so that
they start on a new sheet, and the solutions, folded away on the web, are gathered at the end.
"""

from docutils import nodes
from sphinx import addnodes
from sphinx.environment.adapters.toctree import global_toctree_for_doc
from sphinx_exercise.nodes import solution_node


class part_of_file(nodes.Element):
    """Something moved out of its chapter; equations are still numbered by that chapter."""


def enter(translator, node):
    translator.docnames.append(node["docname"])


def leave(translator, node):
    translator.docnames.pop()


def know_all_nodes(app):
    # Sphinx asks the handlers for singlehtml or else for html; extensions register some with each.
    handlers = app.registry.translation_handlers
    handlers["singlehtml"] = handlers["html"] | handlers["singlehtml"]


def arrange(app, tree, _):
    if app.builder.name != "singlehtml":
        return
    root = next(tree.findall(nodes.section))
    root["ids"].append(f"document-{app.config.root_doc}")  # the other pages have such a place
    root.insert(0, cover(app))
    chapters = list(tree.findall(addnodes.start_of_file))
    root.insert(root.index(chapters[0].parent), contents(app))
    root += gathered_solutions(app, chapters)
    for chapter in chapters:
        next(chapter.findall(nodes.section))["classes"].append("chapter")
    for link in tree.findall(nodes.reference):
        page, _, place = link.get("refuri", "").rpartition("#")
        if page.startswith("#"):  # a place on another page is a place on this one
            link["refuri"] = f"#{place}"


def style(app):
    # book/_ext/light.py joins the sheets of the many pages only.
    if app.builder.name == "singlehtml":
        for sheet in ("book.css", "icons.css"):
            app.add_css_file(sheet)


def cover(app):
    page = nodes.container(classes=["cover"])
    page += nodes.paragraph("", app.config.html_title or app.config.project, classes=["title"])
    page += nodes.image(
        uri="_static/overview.png",
        alt="How six agents fare in one of the 36 experiments, round by round and at the end",
        candidates={"?": ""},
    )
    return page


def contents(app):
    section = nodes.section(ids=["contents"], classes=["chapter"])
    section += nodes.title("", "Contents")
    section += global_toctree_for_doc(
        app.env, app.config.root_doc, app.builder,
        collapse=False, includehidden=True, titles_only=True,
    )  # fmt: skip
    section += nodes.paragraph("", "", nodes.reference("", "Solutions", refid="solutions"))
    return section


def gathered_solutions(app, chapters):
    section = nodes.section(ids=["solutions"], classes=["chapter"])
    section += nodes.title("", "Solutions")
    for chapter in chapters:
        name = chapter["docname"]
        part = nodes.section(ids=[f"solutions-{name}"])
        part += nodes.title("", app.env.titles[name].astext())
        for solution in list(chapter.findall(solution_node)):
            solution.parent.remove(solution)
            solution["classes"].remove("dropdown")
            part += solution
        if len(part) > 1:
            section += part_of_file("", part, docname=name)
    return section


def setup(app):
    app.add_node(part_of_file, singlehtml=(enter, leave))
    app.connect("builder-inited", know_all_nodes)
    app.connect("builder-inited", style)
    app.connect("doctree-resolved", arrange)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
