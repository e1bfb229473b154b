"""Mend what the theme's pages lack: names for those who listen, and HTML that is valid.

axe-core and an outside validator check the outcome.
"""

import re
from html import unescape
from pathlib import Path

REPAIRS = [
    # The arrow that unfolds a part of the side bar has no name.
    (r"<summary>(?=<span class=\"toctree-toggle)", '<summary aria-label="Pages in this part">'),
    # Names that are not what is written there: what is written will do.
    (r'(<summary) aria-label="Toggle hidden content"', r"\1"),
    (r'(<button class="btn search-button-field[^>]*) aria-label="Search"', r"\1"),
    (r'(<i class="theme-switch [^>]*) title="[^"]*"', r"\1"),
    # A list needs items.
    (r'(<div class="citation"[^>]*) role="doc-biblioentry"', r'\1 role="listitem"'),
    # The same id many times over, which nothing uses.
    (r' id="(?:exercise|solution|proof)-content"', ""),
    (r'(<div class="proof admonition") id="proof"', r"\1"),
    # No paragraphs in a summary (the style sheet is changed alike), nor lists in a paragraph.
    (
        r'<p class="(collapsed|expanded) admonition-title">(.*?)</p>',
        r'<span class="\1 admonition-title">\2</span>',
    ),
    (r"<p>(<ul\b(?:(?!<ul|</ul).)*</ul>)\s*</p>", r"\1"),
    # How tables look is for the style sheet, once.
    (r"<style scoped>.*?</style>\s*", ""),
    (r'(<table) border="1"', r"\1"),
    (r'(<th\b[^>]*) halign="\w+"', r"\1"),
    # Tables that pandas styles have no class, and look like no other.
    (r'<table id="T_\w+"(?=>)', '<table class="dataframe"'),
    (r'<(t[hrd]) style="text-align: (?:left|right|center);"', r"<\1"),
    # Pictures of icons say nothing.
    (
        r'<(i|span) class="((?:theme-switch )?(?:fas|fa-solid) [^"]*)"',
        r'<\1 aria-hidden="true" class="\2"',
    ),
    # No such attributes; and a button inside a form field's dialog.
    (r'\s+autocorrect="off"', ""),
    # What HTML has no need of.
    (r"(<(?:link|meta|img|br|hr|input)\b[^>]*?)\s*/>", r"\1>"),
    (r'(<t[hrd]\b[^>]*)\s+valign="\w+"', r"\1"),
]
# Where nobody said where the book is: at the top of the folder that pages lie in.
TO_THE_START = """<script>
const home = location.pathname.split(/(?:book|notebooks)\\//)[0].replace(/[^/]*$/, "");
const start = document.createElement("a");
Object.assign(start, {href: home, textContent: "start of the book"});
document.getElementById("way").replaceChildren("Go back, or to the ", start, ".");
</script>
"""
# A head without words is none; those who listen would hear of an empty one.
NO_HEAD = re.compile(r"<th\b([^>]*)>((?:\s|&nbsp;)*)</th>")
LONG = 40  # characters of a cell that may be broken into lines
NUMBERS = 20  # characters, the same in tables of numbers
MANY = 4  # columns that a table of numbers shows at full size
WIDE = 4  # columns of words that no phone has room for
INTERVAL = re.compile(r"(?<=\S) (\[[-+]?[\d.,]+%?, [-+]?[\d.,]+%?\])")
SHARE = re.compile(r"^([-+]?[\d.,]+) (\([\d.]+%\))$")
FIRST_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>{title}</title>
<link rel="icon" href="_static/favicon.svg">
<meta http-equiv="refresh" content="0; url={page}">
<p>The book begins <a href="{page}">here</a>.</p>
</html>
"""
NOT_FOUND = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>No such page: {title}</title>
<meta name="description" content="The way back to the start of {title}.">
<link rel="icon" href="data:,">
<style>
:root {{ color-scheme: light dark }}
body {{ font: 1.1rem/1.5 "DejaVu Sans", sans-serif }}
body {{ max-width: 36rem; margin: 15vh auto; padding: 0 1rem }}
h1 {{ font-family: Georgia, "Times New Roman", serif }}
a {{ color: inherit }}
</style>
<main>
<h1>There is no such page</h1>
<p>It may have another name now. <span id="way">{way}</span></p>
</main>
{script}</html>
"""


def name_tables(text):
    """Every table without a caption is called after the section it stands in."""
    heading, count = "", 0
    parts = re.split(
        r"(<h[1-4][^>]*>.*?</h[1-4]>|<table\b[^>]*>(?:\s*<caption)?)", text, flags=re.DOTALL
    )
    for i, part in enumerate(parts):
        if part.startswith("<h"):
            words = re.sub(r'<a class="headerlink".*?</a>|<[^>]*>', "", part, flags=re.DOTALL)
            heading, count = " ".join(unescape(words).split()), 0
        elif part.startswith("<table") and "<caption" not in part and "aria-label" not in part:
            count += 1
            name = f"{heading}, table {count}" if count > 1 else heading
            name = name.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")
            parts[i] = part.replace("<table", f'<table aria-label="{name}"', 1)
    return "".join(parts)


def sort_tables(text):
    """Says which tables open a chapter, and which have only short cells, which need no breaks."""

    def classed(table):
        cells = re.findall(r"<t[hd]\b[^>]*>(.*?)</t[hd]>", table[0], re.DOTALL)
        plain = [unescape(re.sub(r"<[^>]*>", "", cell)).strip() for cell in cells]
        kind = "opener" if plain[:1] == ["What you’ll do"] else ""
        if all(len(cell) <= LONG for cell in plain):
            kind = "short"
        return table[0].replace('class="', f'class="{kind} ', 1) if kind else table[0]

    return re.sub(r'<table\b[^>]* class="[^>]*>.*?</table>', classed, text, flags=re.DOTALL)


def align_words(text):
    """In tables that pandas wrote, columns of words and their heads begin at the left."""

    def aligned(table):
        rows = re.findall(r"<tr\b.*?</tr>", table[0], re.DOTALL)
        bodies = [re.findall(r"<td>(.*?)</td>", row, re.DOTALL) for row in rows]
        columns = list(zip(*[cells for cells in bodies if cells], strict=False))
        plain = [[re.sub(r"<[^>]*>", "", cell).strip() for cell in column] for column in columns]
        words = [all(re.search(r"[^\W\d_]{3}", cell) for cell in column) for column in plain]

        def marked(row):
            cells = re.findall(r"<td>|<th>", row[0])
            ours = "<td>" if "<td>" in cells else "<th>"
            left = iter(words if ours == "<td>" else [True] * (len(cells) - len(words)) + words)
            said = f'{ours[:3]} class="words">'
            return re.sub(ours, lambda _: said if next(left, False) else ours, row[0])

        return re.sub(r"<tr\b.*?</tr>", marked, table[0], flags=re.DOTALL)

    ours = r'<table\b[^>]*class="[^"]*dataframe[^>]*>.*?</table>'
    return re.sub(ours, aligned, text, flags=re.DOTALL)


def break_cells(text):
    """In tables that pandas wrote, an interval or a share stands below its value, as small print.

    So numbers are aligned, and the table is as wide as they are. What is long may break elsewhere.
    """

    def broken(cell):
        start, inside, end = cell.groups()
        inside = INTERVAL.sub(r" <small>\1</small>", inside)
        inside = SHARE.sub(r"\1 <small>\2</small>", inside)
        plain = unescape(re.sub(r"<small>.*?</small>|<[^>]*>", "", inside)).strip()
        if len(plain) > NUMBERS:
            start = start.replace('class="', 'class="long ')
            start = start if "class=" in start else f'{start[:3]} class="long"{start[3:]}'
        return start + inside + end

    def table(found):
        columns = max(len(re.findall(r"<t[hd]\b", row)) for row in found[0].split("</tr>"))
        cells = re.sub(r"(<t[hd]\b[^>]*>)(.*?)(</t[hd]>)", broken, found[0], flags=re.DOTALL)
        return cells.replace('class="', 'class="many ', 1) if columns > MANY + 1 else cells

    ours = r'<table\b[^>]*class="[^"]*dataframe[^>]*>.*?</table>'
    return re.sub(ours, table, text, flags=re.DOTALL)


def name_cells(text):
    """In a wide table of words every cell names its column: phones show a card a row."""

    def named(table):
        rows = re.findall(r"<tr\b.*?</tr>", table[0], re.DOTALL)
        heads = re.findall(r"<th\b[^>]*>(.*?)</th>", rows[0], re.DOTALL)
        heads = [" ".join(re.sub(r"<[^>]*>", "", head).split()) for head in heads]
        kind = re.search(r'class="([^"]*)', table[0])[1].split()
        if len(heads) < WIDE or {"dataframe", "opener", "short", "verdicts"} & set(kind):
            return table[0]

        def row(found):
            names = iter(head.replace('"', "&quot;") for head in heads)
            return re.sub(r"<td\b", lambda _: f'<td data-head="{next(names, "")}"', found[0])

        cards = re.sub(r"<tr\b.*?</tr>", row, table[0], flags=re.DOTALL)
        return cards.replace('class="', 'class="cards ', 1)

    return re.sub(r'<table\b[^>]* class="[^>]*>.*?</table>', named, text, flags=re.DOTALL)


def mend(app, error):
    if error or app.builder.name not in ("html", "singlehtml"):
        return
    out, title = Path(app.outdir), app.config.html_title or app.config.project
    for path in out.rglob("*.html"):
        before = path.read_text(encoding="utf-8")
        after = before
        for pattern, replacement in REPAIRS:
            after = re.sub(pattern, replacement, after, flags=re.DOTALL)
        after = break_cells(align_words(name_cells(sort_tables(name_tables(after)))))
        after = NO_HEAD.sub(r"<td\1>\2</td>", after)
        if after != before:
            path.write_text(after, encoding="utf-8")
    if app.builder.name != "html":
        return
    first = f"{app.config.root_doc}.html"
    (out / "index.html").write_text(FIRST_PAGE.format(title=title, page=first), encoding="utf-8")
    address = app.config.project_address.rstrip("/")
    way = (
        f'<a href="{address}/">The book begins here.</a>'
        if address
        else "Go back, or to the start of the book."
    )
    script = "" if address else TO_THE_START
    lost = NOT_FOUND.format(title=title, way=way, script=script)
    (out / "404.html").write_text(lost, encoding="utf-8")


def setup(app):
    # Where the book is to be found, without which no link pretends one.
    app.add_config_value("project_address", "", "html")
    app.connect("build-finished", mend, priority=900)  # after all others
    return {"parallel_read_safe": True, "parallel_write_safe": True}
