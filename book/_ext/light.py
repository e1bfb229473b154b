"""Make the built pages light: one style sheet, one script, no icon font, pictures when due.

The theme's style sheets are cut down to what some page or script names. Its scripts are joined and
run after the page is there. What nothing asks for is deleted.
"""

import hashlib
import re
import shutil
from html import escape, unescape
from pathlib import Path

import tinycss2
from PIL import Image
from sphinx.errors import ExtensionError

# In the order in which the pages had them.
STYLES = (
    "basic.css",
    "styles/pydata-sphinx-theme.css",
    "pygments.css",
    "styles/sphinx-book-theme.css",
    "togglebutton.css",
    "copybutton.css",
    "mystnb.*.css",
    "proof.css",
    "exercise.css",
    "sphinx-design.min.css",
    "book.css",
    "icons.css",
)
SCRIPTS = (
    "documentation_options.js",
    "doctools.js",
    "sphinx_highlight.js",
    "clipboard.min.js",
    "copybutton.js",
    "scripts/sphinx-book-theme.js",
    "togglebutton.js",
    "scripts/bootstrap.js",
    "scripts/pydata-sphinx-theme.js",
    "pages.js",
)
# What the pages used to say one by one.
BEFORE = """let toggleHintShow = 'Show', toggleHintHide = 'Hide', toggleOpenOnPrint = 'true';
var togglebuttonSelector = '.toggle, .admonition.dropdown';
"""
AFTER_OPTIONS = (
    "DOCUMENTATION_OPTIONS.pagename = ''; DOCUMENTATION_OPTIONS.search_as_you_type = false;\n"
)
# The theme asks of every line of code whether it scrolls, and so has the whole page laid out at
# once. pages.js asks when a line comes near.
ASKED_AT_ONCE = re.compile(
    r'document\.querySelectorAll\(\["pre",[^\]]*\]\.join\(", "\)\)'
    r"\.forEach\(e=>\{e\.tabIndex=[^}]*\}\)"
)
# The font of formulas is asked for at once. From a disk no browser preloads; it is loaded there.
FONT_SOON = """<script>
{{ const href = "{root}_static/math.woff2", font = new FontFace("Book Math", `url(${{href}})`);
  if (location.protocol === "file:") document.fonts.add(font), font.load();
  else document.head.append(Object.assign(document.createElement("link"), {{
    rel: "preload", as: "font", type: "font/woff2", crossOrigin: "", href }})); }}
</script>"""
CARD = "overview.png"  # the picture of a page where somebody names it; pages do not show it
ONLY_FOR_SEARCH = ("searchtools.js", "language_data.js", "terms.js")
LEFTOVERS = (
    "**/*.map",
    "**/*.LICENSE.txt",
    "locales",
    "mathjax",
    "vendor",
    "scripts",
    "styles",
    "images",
    "sphinx-thebe.*",
    "*macros.html",
    "design-tabs.js",
    "copybutton_funcs.js",
    "*.png",
    "play-solid.svg",
)

NAME = re.compile(r"-?[A-Za-z_][\w-]*")


# ---- style sheets


def words_in(texts):
    """Everything in pages and scripts that could be the name of a class."""
    found = set()
    for text in texts:
        found.update(NAME.findall(text))
    return found


def cut(css, known):
    """A style sheet without rules for classes that nothing names, and without fonts of icons."""
    return "".join(kept(rule, known) for rule in tinycss2.parse_stylesheet(css, True, True))


def kept(rule, known):
    if rule.type == "at-rule":
        keyword = rule.lower_at_keyword
        if keyword in ("import", "charset"):
            return ""
        if keyword in ("media", "supports", "container", "layer") and rule.content is not None:
            inside = "".join(
                kept(each, known) for each in tinycss2.parse_rule_list(rule.content, True, True)
            )
            return f"@{keyword}{tinycss2.serialize(rule.prelude)}{{{inside}}}" if inside else ""
        text = tinycss2.serialize([rule])
        return "" if keyword == "font-face" and "Awesome" in text else text
    if rule.type != "qualified-rule":
        return ""
    selectors = [each for each in split(rule.prelude) if wanted(each, known)]
    if not selectors:
        return ""
    content = ";".join(declarations(rule.content))
    return f"{','.join(selectors)}{{{content}}}" if content else ""


def split(prelude):
    """The selectors of a rule; commas inside :is(...) do not separate."""
    parts, now = [], []
    for token in prelude:
        if token.type == "literal" and token.value == ",":
            parts.append(now)
            now = []
        else:
            now.append(token)
    return [tinycss2.serialize(part).strip() for part in [*parts, now]]


def wanted(selector, known):
    plain = re.sub(r":(?:not|is|where|has)\([^()]*(?:\([^()]*\)[^()]*)*\)", "", selector)
    return known.issuperset(re.findall(r"[.#](-?[A-Za-z_][\w-]*)", plain))


def declarations(content):
    """Those that do not speak of icon fonts: icons.css has its own."""
    for each in tinycss2.parse_declaration_list(content, True, True):
        if each.type != "declaration" or each.lower_name.startswith("--fa-"):
            continue
        value = tinycss2.serialize(each.value).strip()
        if re.search(r"--fa-font|--pst-icon|Awesome", value) or "pst-icon" in each.lower_name:
            continue
        yield f"{each.name}:{value}{'!important' if each.important else ''}"


# ---- pages


def page_text(text):
    """What a page says, without its frame."""
    article = re.search(r'<article class="bd-article".*?</article>', text, re.DOTALL)
    return re.sub(
        r"<(script|style|math)\b.*?</\1>", " ", article[0] if article else "", flags=re.DOTALL
    )


def description(text):
    """The first words of a page, for lists of search results."""
    for paragraph in re.findall(r'<p(?: class="answer")?>(.*?)</p>', page_text(text), re.DOTALL):
        words = " ".join(unescape(re.sub(r"<[^>]*>", "", paragraph)).split())
        if len(words) >= 50:
            if len(words) > 155:
                words = words[:155].rsplit(" ", 1)[0] + " …"
            return words.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")
    return ""


def card(text, page, address):
    """Where a published page is, and how it looks where somebody names it."""
    title = " ".join(unescape(re.search(r"<title>(.*?)</title>", text, re.DOTALL)[1]).split())
    about = {
        "type": "article",
        "title": title,
        "description": unescape(description(text)),
        "url": f"{address}/{page.as_posix()}",
        "image": f"{address}/_static/{CARD}",
    }
    return [
        f'<link rel="canonical" href="{escape(about["url"])}">',
        *(f'<meta property="og:{key}" content="{escape(said)}">' for key, said in about.items()),
    ]


def lighter(text, page, names, address=""):
    """A page with one style sheet and one script; `names` says what they are called."""
    root = "../" * (len(page.parts) - 1)
    head, body = text.split("</head>", 1)
    figures = re.findall(r"<(?:link|script)[^>]*interactive\.(?:css|js)[^>]*>(?:</script>)?", head)
    head = re.sub(r'\s*<link[^>]*rel="(?:stylesheet|preload)"[^>]*>', "", head)
    first = re.search(r"<script data-cfasync.*?</script>", head, re.DOTALL)[0]
    head = re.sub(r"\s*<script\b.*?</script>", "", head, flags=re.DOTALL)
    head = re.sub(r"\s*<!--.*?-->", "", head, flags=re.DOTALL)
    # One statement of the width is enough; the first tag holds the place of the script.
    head = re.sub(r'\s*<meta name="viewport"[^>]*>', "", head)
    head = re.sub(r'\s*<meta name="docsearch[^>]*>', "", head)
    given = [
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        first,
        f'<link rel="stylesheet" href="{root}_static/{names["css"]}">',
        FONT_SOON.format(root=root) if "<math" in body else "",
        f'<script defer src="{root}_static/{names["js"]}"></script>',
        *figures,
    ]
    if says := description(text):
        given.insert(1, f'<meta name="description" content="{says}">')
    if address:
        given += card(text, page, address)
    if page.name == "search.html":
        given += [f'<script defer src="_static/{each}"></script>' for each in ONLY_FOR_SEARCH]
        given += [
            '<script>if (location.protocol === "file:") document.write('
            "'<script defer src=\"_static/search-texts.js\"><\\/script>')</script>",
            '<script defer src="searchindex.js"></script>',
        ]
    first = '<meta charset="utf-8">'
    if first not in head:
        raise ExtensionError(f"{page} has no place for its style sheet.")
    head = head.replace(first, "\n".join([first, *filter(None, given)]), 1)
    body = re.sub(r'\s*<script defer src="[^"]*scripts/[^"]*"></script>', "", body)
    body = re.sub(r'\s*<script type="text/x-thebe-config">.*?</script>', "", body, flags=re.DOTALL)
    body = re.sub(r"\s*<script>kernelName = .*?</script>", "", body, flags=re.DOTALL)
    body = re.sub(r"<!--.*?-->", "", body, flags=re.DOTALL)
    return f"{head}</head>{body}"


def size_of(path):
    """Width and height of a picture in the page's units."""
    if path.suffix == ".svg":  # Matplotlib's are in points
        box = re.search(r'viewBox="\S+ \S+ (\S+) (\S+)"', path.read_text("utf-8"))
        return round(float(box[1]) * 4 / 3), round(float(box[2]) * 4 / 3)
    with Image.open(path) as picture:
        scale = 2 if path.suffix == ".webp" else 1  # still pictures are taken for dense screens
        return picture.width // scale, picture.height // scale


def with_sizes(text, folder):
    """Pictures say how large they are, and come when they are near."""

    def sized(tag):
        source = re.search(r'\bsrc="([^"]*)"', tag[0])[1]
        tag = tag[0].removesuffix(">").removesuffix("/").rstrip()
        path = folder / source
        if not source.startswith("data:") and path.exists() and " width=" not in tag:
            wide, high = size_of(path)
            tag += f' width="{wide}" height="{high}"'
        return f'{tag} loading="lazy" decoding="async">'

    return re.sub(r"<img\b[^>]*>", sized, text)


# ---- the whole folder


def lighten(app, error):
    if error or app.builder.name != "html":
        return
    out, static = Path(app.outdir), Path(app.outdir, "_static")
    pages = [
        path
        for path in out.rglob("*.html")
        if not {"_static", "_sources"} & set(path.relative_to(out).parts)
    ]
    texts = {path: path.read_text("utf-8") for path in pages}
    script = BEFORE + "\n".join(
        f"{(static / name).read_text('utf-8')};\n" + (AFTER_OPTIONS if i == 0 else "")
        for i, name in enumerate(SCRIPTS)
    )
    script = re.sub(r"^//# sourceMappingURL.*$", "", script, flags=re.MULTILINE)
    script, found = ASKED_AT_ONCE.subn("", script)
    if found != 1:
        raise ExtensionError("The theme's script is not as book/_ext/light.py knows it.")
    searching = "".join((static / name).read_text("utf-8") for name in ONLY_FOR_SEARCH)
    touched = (static / "interactive.js").read_text("utf-8")
    known = words_in([*texts.values(), script, searching, touched])
    sheets = [path for pattern in STYLES for path in static.glob(pattern)]
    icons = {
        word for word in known if re.fullmatch(r"fa[srb]?(-.*)?", word)
    }  # icons.css draws them
    css = "\n".join(
        cut(path.read_text("utf-8"), known if path.name == "icons.css" else known - icons)
        for path in sheets
    )
    names = {}
    css = re.sub(
        r"summary>p\.(collapsed|expanded|admonition-title)", r"summary>span.\1", css
    )  # accessible.py
    for kind, content in (("css", css), ("js", script)):
        names[kind] = f"book-{hashlib.sha256(content.encode()).hexdigest()[:8]}.{kind}"
        (static / names[kind]).write_text(content, "utf-8")
    address = app.config.project_address.rstrip("/")
    first = Path(f"{app.config.root_doc}.html")
    if address:  # what leads to the first page has its card
        given = card(texts[out / first], first, address)
        refresh = "<meta http"
        leads = texts[out / "index.html"].replace(refresh, "\n".join([*given, refresh]), 1)
        (out / "index.html").write_text(leads, "utf-8")
    for path, text in texts.items():
        if path.name in ("index.html", "404.html"):
            continue
        text = lighter(text, path.relative_to(out), names, address)
        path.write_text(with_sizes(text, path.parent), "utf-8")
    for path in {*sheets, *(static / name for name in SCRIPTS)}:
        path.unlink(missing_ok=True)
    for pattern in LEFTOVERS:
        for path in static.glob(pattern):
            if address and path.name == CARD:
                continue
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink(missing_ok=True)


def setup(app):
    app.connect("build-finished", lighten, priority=950)  # after accessible.py
    return {"parallel_read_safe": True, "parallel_write_safe": True}
