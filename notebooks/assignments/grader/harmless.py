"""Students' text as HTML that does nothing: no scripts, no pictures from elsewhere, no forms.

nbgrader's pages put it into the teacher's browser as it is; nbgrader_config.py puts this before.
"""

import re

import bleach
from jinja2 import pass_context
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

TAGS = {*bleach.ALLOWED_TAGS, "br", "dd", "del", "details", "div", "dl", "dt", "h1", "h2", "h3",
        "h4", "h5", "h6", "hr", "img", "p", "pre", "s", "span", "sub", "summary", "sup", "table",
        "tbody", "td", "th", "thead", "tr"}
SCHEMES = {"http", "https", "mailto", "data"}
ACTIVE = re.compile(r"\\(href|require|class|cssId|style|unicode|html|data|includegraphics)\b")
PICTURE = re.compile(r"data:image/(png|jpeg|gif);base64,[A-Za-z0-9+/=\s]*")


@pass_context
def markdown(context, source):
    """The filter by which nbgrader's templates turn a cell of text into HTML."""
    attached = (context.get("cell") or {}).get("attachments", {})
    # formulas are set in the browser, by a program with commands for links and the like
    text = ACTIVE.sub(r"\1", source)
    renderer = IPythonRenderer(escape=False, attachments=attached)
    html = MarkdownWithMath(renderer=renderer).render(text)
    return bleach.clean(html, tags=TAGS, attributes=_allowed, protocols=SCHEMES)


def _allowed(tag, name, value):
    if (tag, name) == ("img", "src"):
        return PICTURE.fullmatch(value) is not None
    if (tag, name) == ("a", "href"):
        return value.startswith(("#", "http://", "https://", "mailto:"))
    return name in {"alt", "title", "align", "colspan", "rowspan", "start"}
