"""Formulas are set when the book is built: as MathML, which browsers draw without a script."""

import re

from docutils import nodes
from sphinx.util import logging
from sphinx.util.math import get_node_equation_number
from tex_to_mathml import TexError, convert

log = logging.getLogger(__name__)


def written(node, display):
    tex = node.astext()
    if display and "\\\\" in tex and "\\begin" not in tex:
        tex = f"\\begin{{aligned}}{tex}\\end{{aligned}}"
    try:
        return convert(tex, display)
    except TexError as wrong:
        log.warning("formula: %s", wrong, location=node)  # an error, as the book is built strictly
        return "<math><merror><mtext>?</mtext></merror></math>"


def keep_ends(app, tree, docname):
    """What closes a sentence or a bracket after a formula stands in its box: no line begins so."""
    for node in list(tree.findall(nodes.math)):
        after = node.next_node(descend=False, siblings=True)
        if isinstance(after, nodes.Text) and (end := re.match(r"[,.;:!?)\]’”]+", after)):
            node["end"] = end[0]
            after.parent.replace(after, nodes.Text(after[end.end():]))


def inline(translator, node):
    end = node.get("end", "")
    translator.body.append(f'<span class="math">{written(node, display=False)}{end}</span>')
    raise nodes.SkipNode


def block(translator, node):
    translator.body.append(translator.starttag(node, "div", CLASS="math"))
    # Where there is no room the formula scrolls, and its number stays in sight.
    translator.body.append(f'<div class="formula">{written(node, display=True)}</div>')
    if node["number"]:
        number = get_node_equation_number(translator, node)
        translator.body.append(f'<span class="eqno">({number})')
        translator.add_permalink_ref(node, "Link to this equation")
        translator.body.append("</span>")
    translator.body.append("</div>\n")
    raise nodes.SkipNode


def setup(app):
    app.add_html_math_renderer("mathml", (inline, None), (block, None))
    app.connect("doctree-resolved", keep_ends)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
