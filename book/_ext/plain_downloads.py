"""Offer the notebooks for download in plain Markdown.

The chapters are written in MyST, whose directives and roles are raw markup to Jupyter. So the files
behind the download button get what the page shows instead: headings, numbers, names, titles. Code
cells stay as they are. Before them comes one that says what the notebook needs.
"""

import ast
import posixpath
import re
from pathlib import Path
from textwrap import indent

import by_slug
import nbformat
from markdown_it.renderer import RendererHTML
from myst_parser.config.main import MdParserConfig
from myst_parser.parsers.mdit import create_md_parser

SYNTAX = {"amsmath", "colon_fence", "deflist", "dollarmath"}
PARSER = create_md_parser(MdParserConfig(enable_extensions=SYNTAX), RendererHTML)
UNSEEN = ("myst_target", "myst_line_comment", "myst_block_break")
VERBATIM = ("fence", "colon_fence", "code_block", "math_block", "amsmath")
DIRECTIVE = re.compile(r"\{([\w:-]+)\}\s*(.*)")
OPTION = re.compile(r"\s*:([\w-]+):[ ]*(.*)\n?")
ROLE = re.compile(r"\{([\w:-]+)\}`([^`]+)`")
BARE_LINK = re.compile(r"\[\]\(([^)\s]+)\)")
NEEDS = """\
# A page of "{title}".{address}
# It needs the project's package rb_core, and Python 3.11 or newer.
import importlib.util

if importlib.util.find_spec("rb_core") is None:
    raise SystemExit("This notebook needs rb_core. In the project's folder run `make venv`, and "
                     "open the notebook with the Python in .venv; or `pip install .` there.")"""
WITH_TEXT = re.compile(r"(.+?)\s*<(.+)>", re.DOTALL)


class Book:
    """What is known once the pages are built: numbers, titles, glued values, cited works."""

    def __init__(self, env, notebooks):
        self.titles = {page: title.astext() for page, title in env.titles.items()}
        labels = env.get_domain("std").labels
        self.names = {label: title for label, (_, _, title) in labels.items()}
        for kinds in env.toc_fignumbers.values():
            for kind, numbers in kinds.items():
                for label, parts in numbers.items():
                    number = ".".join(map(str, parts))
                    if kind == "displaymath":
                        self.names[label.removeprefix("equation-")] = f"({number})"
                    else:
                        self.names[label] = f"{kind.capitalize()} {number}"
        self.works = {work.key: work for work in env.get_domain("cite").citations}
        self.glued = {}
        for notebook in notebooks:
            for cell in notebook.cells:
                for output in cell.get("outputs", []):
                    name = output.get("metadata", {}).get("scrapbook", {}).get("name")
                    for kind, text in output.get("data", {}).items():
                        if name and kind.endswith("text/plain"):  # the repr of what was glued
                            self.glued[name] = ast.literal_eval(text) if text[0] in "'\"" else text

    def authors_and_year(self, key):
        entry = self.works[key].entry
        people = entry.persons.get("author") or entry.persons["editor"]
        last = [" ".join(map(str, p.rich_prelast_names + p.rich_last_names)) for p in people]
        return f"{last[0]} et al." if len(last) > 2 else " and ".join(last), entry.fields["year"]


class Page:
    """Turns the MyST of one notebook into plain Markdown, and notes what it cites."""

    def __init__(self, book, name):
        self.book, self.name, self.cited = book, name, set()

    def plain(self, text):
        lines, done, at = text.split("\n"), [], 0
        for token in PARSER.parse(text):
            first, end = token.map or (None, None)
            if token.type in UNSEEN:
                lines[first:end] = [""] * (end - first)
            elif token.type == "dt_open":  # plain Markdown has no definition lists
                lines[first] = f"- **{lines[first]}**:"
            elif token.type == "dd_open":
                lines[first] = lines[first].replace(":", " ", 1)
            elif token.type in VERBATIM or token.type == "math_block_label":
                done += [self.roles("\n".join(lines[at:first]))] if first > at else []
                done += [self.block(token, lines[first:end])]
                at = end
        return "\n".join([*done, self.roles("\n".join(lines[at:]))]).strip("\n")

    def block(self, token, lines):
        directive = DIRECTIVE.match(token.info) if "fence" in token.type else None
        if directive:
            new = self.directive(*directive.groups(), token.content)
        elif token.type == "math_block_label":
            new = self.formula(token.content, token.info)
        else:
            return "\n".join(lines)
        return indent(new, re.match(" *", lines[0])[0])  # as deep as the list it is in

    def directive(self, name, argument, text):
        options = {}
        while option := OPTION.match(text):
            options[option[1]] = option[2]
            text = text[option.end() :]
        label, kind = options.get("label"), name.removeprefix("prf:")
        if kind == "math":
            return self.formula(text, label)
        if kind in ("code", "code-block"):
            return f"```{argument}\n{text}```"
        if kind in ("figure", "image"):
            return f"![{options.get('alt', '')}]({argument})\n\n{self.plain(text)}"
        if kind == "interactive":  # needs the scripts of the page
            return f"*(Here the page has a figure to touch.)* {self.plain(text)}".strip()
        if kind == "beside":  # a remark that has no title
            return f"<blockquote>\n\n{self.plain(text)}\n\n</blockquote>"
        if kind == "solution":
            title = f"<summary>Solution to {self.book.names[argument]}</summary>"
            return f"<details>\n{title}\n\n{self.plain(text)}\n\n</details>"
        title = self.book.names.get(label, kind.capitalize())
        if kind == "admonition":
            title = argument
        elif argument and (kind == "exercise" or kind != name):
            title += f" ({argument})"
        else:  # `{note} words` are the first words of the note
            text = argument + "\n" + text
        # As a tag, because the > of Markdown would get into formulas.
        return f"<blockquote>\n\n**{self.roles(title)}**\n\n{self.plain(text)}\n\n</blockquote>"

    def formula(self, text, label):
        number = self.book.names.get(label, "").strip("()")
        tag = f"\n\\tag{{{number}}}" if number else ""
        return f"$$\n{text.strip()}{tag}\n$$"

    def roles(self, text):
        text = ROLE.sub(lambda role: self.role(role[1], role[2]), text)
        return BARE_LINK.sub(lambda link: self.target(link[1]), text)

    def role(self, name, target):
        if name in by_slug.ROLES:
            return by_slug.words(name, target)
        if name.startswith("glue:"):
            return self.book.glued[target]
        if name.startswith("cite:"):
            keys = [key.strip() for key in target.split(",")]
            self.cited.update(keys)
            works = map(self.book.authors_and_year, keys)
            if name == "cite:p":
                return "(" + "; ".join(f"{names}, {year}" for names, year in works) + ")"
            return ", ".join(f"{names} ({year})" for names, year in works)
        if words := WITH_TEXT.fullmatch(target):
            return words[1]
        return self.target(target)

    def target(self, target):
        """What a page or a label is called."""
        path = posixpath.join(posixpath.dirname(self.name), posixpath.splitext(target)[0])
        if title := self.book.titles.get(posixpath.normpath(path)):
            return f"*{title}*"
        return self.book.names.get(target.removeprefix("#"), target)


def needs(config):
    """The first cell, which fails with a sentence where the package is missing."""
    address = getattr(config, "project_address", "")
    where = f" The project is at {address}" if address else ""
    title = config.html_title or config.project
    text = NEEDS.format(title=title, address=where)
    return nbformat.v4.new_code_cell(text, id="what-it-needs")


def write(app, error):
    if error or app.builder.name != "html":
        return
    paths = {page: Path(app.env.doc2path(page)) for page in sorted(app.env.found_docs)}
    notebooks = {
        page: nbformat.read(path, 4) for page, path in paths.items() if path.suffix == ".ipynb"
    }
    book = Book(app.env, notebooks.values())
    for name, notebook in notebooks.items():
        page = Page(book, name)
        if any("rb_core" in cell.source for cell in notebook.cells if cell.cell_type == "code"):
            notebook.cells.insert(0, needs(app.config))
        for cell in notebook.cells:
            if cell.cell_type == "markdown":
                cell.source = page.plain(cell.source)
        if page.cited:
            works = [book.works[key] for key in book.works if key in page.cited]  # in their order
            lines = [
                "- " + " ".join(work.formatted_entry.text.render_as("text").split())
                for work in works
            ]
            text = "\n".join(["**References**", "", *lines])
            notebook.cells.append(nbformat.v4.new_markdown_cell(text, id="references"))
        nbformat.write(notebook, Path(app.outdir, "_sources", f"{name}.ipynb"))


def setup(app):
    app.connect("build-finished", write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
