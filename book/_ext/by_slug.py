"""References by slug: what is numbered is numbered in one place only.

    {chapter}`ss_sarsa`        "chapter" and its number, with a link; {Chapter} begins a sentence
    {chapter-number}`ss_sarsa` the number, with a link
    {claim}`six-ss-reaches`    the same of a claim, to the ledger; {Claim} begins a sentence
    {verdict}`six-ss-reaches`  its verdict, and in how many of its cases it held
    {held}`six-ss-reaches`     in how many of its cases it held: 4 of 4

Numbers of chapters come from the table of contents, those of claims and verdicts from claims.json.
"""

import json
import re
import sys
from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from sphinx.util.docutils import SphinxRole
from verdicts import badge

sys.path.append(str(Path(__file__).parents[2]))
from rb_core.lab.notebooks import PROJECT, chapters, slug

CLAIMS = Path(__file__).parents[1] / "claims.json"


def chapter_numbers():
    """Number and page of each chapter, by slug."""
    files = [path for path in chapters().values() if path.stem != "experiment"]
    return {slug(path): (number, path.relative_to(PROJECT).with_suffix("").as_posix())
            for number, path in enumerate(files, 1)}


def claims():
    return {each["slug"]: each for each in json.loads(CLAIMS.read_text())}


def words(role, target):
    """What a role says."""
    if role.lower().startswith("chapter"):
        number = chapter_numbers()[target][0]
        return str(number) if role == "chapter-number" else f"{role} {number}"
    found = claims()[target]
    if role == "held":
        return f"{found['held'] or 'none'}\u00a0of\u00a0{found['cases']}"
    if role != "verdict":
        return f"{role} {found['number']}"
    said, notes = found["verdict"], []
    if found["cases"] > 1 and said == "partly":
        notes.append(f"{found['held']} of {found['cases']} cases")
    if found["undecided"]:
        notes.append(f"{found['undecided']} of {found['cases']} cases undecided")
    if notes:
        said += f" ({', '.join(notes)})"
    if found["separated"] not in (None, found["verdict"]):
        said += f"; with separated visits {found['separated']}"
    return said


class Reference(SphinxRole):
    def run(self):
        try:
            # Names of roles lose their capitals; the text as it was written has them.
            text = words(re.search(r"[\w-]+", self.rawtext)[0], self.text)
        except KeyError:
            return [], [self.inliner.reporter.error(f"There is no {self.name} {self.text!r}.")]
        if self.name == "held":
            return [nodes.strong(self.rawtext, text)], []
        if self.name == "verdict":
            said = claims()[self.text]["verdict"]
            return [badge(said), nodes.Text(text.removeprefix(said))], []
        chapter = self.name.startswith("chapter")
        kind, target = (("doc", "/" + chapter_numbers()[self.text][1]) if chapter
                        else ("ref", f"claim-{self.text}"))
        link = addnodes.pending_xref(
            self.rawtext, nodes.inline("", text), refdomain="std", reftype=kind, reftarget=target,
            refexplicit=True, refwarn=True, refdoc=self.env.docname)
        return [link], []


ROLES = ("chapter", "Chapter", "chapter-number", "claim", "Claim", "verdict", "held")


def setup(app):
    for name in ROLES:
        app.add_role(name, Reference())
    return {"parallel_read_safe": True, "parallel_write_safe": True}
