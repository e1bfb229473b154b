"""Write what the paper says, held against our results: claims.md, errata.md, changes.md.

    .venv/bin/python book/ledger            writes the pages, and claims.json for the chapters
    .venv/bin/python book/ledger --check    fails if one would change
"""

import json
import sys
from collections import Counter
from pathlib import Path

import evaluation
import theory
from changes import added, corrected, moved
from claim import CLAIMS_JSON, OPEN, REPRODUCED, judge, page_and_title, place, verdict
from errata import ERRATA
from formulas import typeset
from rules import WORDS

import rb_core as rb
from rb_core.engine.files import replacing

HERE = Path(__file__).parent
BOOK = HERE.parent
PARTS = {"Theory": theory.CLAIMS, "Experiments": evaluation.CLAIMS}


def judged_claims():
    """All claims in the order of their numbers, by slug."""
    return {claim.slug: judge(claim) for claims in PARTS.values() for claim in claims}


def numbers(judged):
    return {slug: number for number, slug in enumerate(judged, 1)}


def sensitivity(each):
    """What else the verdict could be, as a cell of the table."""
    if each.verdict == OPEN:
        return "–"
    verdicts = {}
    for name, other in each.sensitivity.items():
        verdicts.setdefault(other, []).append(name)
    said = [f"{other} ({', '.join(names)})" for other, names in verdicts.items()]
    return "; ".join(said) or ("none" if each.tried else "not tried")


def overview(number, each):
    claim = each.claim
    return (f"| [{number}](claim-{claim.slug}) | {claim.section} | {claim.says} | {each.said} | "
            f"{sensitivity(each)} |")


def details(number, each):
    claim = each.claim
    shown = "" if each.verdict == OPEN else " Shown in [{1}]({0}).".format(
        *page_and_title(claim.chapter))
    lines = [
        f"(claim-{claim.slug})=",
        f"```{{dropdown}} {number}. {claim.says}",
        f"*{place(claim.section)} of the paper.{shown}* Its name is `{claim.slug}`.",
        "",
        f"**Rule.** {claim.rule}",
        "",
    ]
    for reading, (found, cases) in each.by_reading.items():
        which = f", {reading} visits" if len(each.by_reading) > 1 else ""
        lines += [f"**Verdict{which}: {found}.**", "", *table_of(cases)]
    if each.sensitivity:
        lines += [f"**With other choices:** {sensitivity(each)}.", ""]
    return "\n".join([*lines, "```"])


def table_of(cases, held="holds"):
    if not cases:
        return []
    said = {True: "yes", False: "no", None: "undecided"}
    rows = [f"| {case.where} | {case.measured} | {said[case.held]} |" for case in cases]
    return [f"| case | measured | {held} |", "|---|---|---|", *rows, ""]


def tally(judged):
    """How many claims of a part have which verdict."""
    counts = Counter(each.verdict for each in judged)
    return ", ".join(f"{count} {found}" for found, count in counts.most_common())


def words():
    return ["| words of the paper | what we take them to mean |", "|---|---|",
            *(f"| {paper} | {ours} |" for paper, ours in WORDS.items()), ""]


def claims_page(judged):
    number = numbers(judged)
    lines = ["## All verdicts", ""]
    for part, claims in PARTS.items():
        own = [judged[claim.slug] for claim in claims]
        lines += [
            f"### {part}: {len(own)} claims, {tally(own)}", "",
            "| no. | section | claim | verdict | with other choices |",
            "|---|---|---|---|---|",
            *(overview(number[each.claim.slug], each) for each in own), "",
        ]
    head = (HERE / "claims_head.md").read_text()
    decided = [details(number[slug], each) for slug, each in judged.items()]
    return "\n".join([
        head.replace("WORDS\n", "\n".join(words())).replace("VERDICTS\n", "\n".join(lines)),
        "## What decided each", "", "\n\n".join(decided), ""])


def errata_page(errata):
    parts = [(HERE / "errata_head.md").read_text()]
    for number, each in enumerate(errata, 1):
        cases = list(each.cases())
        if verdict(cases) != REPRODUCED:
            sys.exit(f"The evidence does not bear out erratum {number}: {each.remark} {cases}")
        page, title = page_and_title(each.chapter)
        parts.append("\n".join([
            f"(erratum-{each.slug})=",
            f"## {number}. It says: {each.stands.removesuffix('.')}",
            "",
            f"*{place(each.section)} of the paper.* {each.remark}",
            "",
            *table_of(cases, "confirmed"),
            f"Shown in [{title}]({page}).",
            "",
        ]))
    return "\n".join(parts)


def changes_page(judged):
    number = numbers(judged)

    def link(slug):
        return f"[{number[slug]}](claim-{slug})"

    rows = [f"| {old} | {says} | {was} | " + ", ".join(
        f"{link(slug)} {found}" for slug, found in now.items()) + f" | {why} |"
        for old, says, was, now, why in moved(judged)]
    new = [f"| {link(each.claim.slug)} | {each.claim.says} | {each.said} |"
           for each in added(judged)]
    return "\n".join([
        (HERE / "changes_head.md").read_text(),
        "## Verdicts that moved", "",
        f"{len(rows)} of the first edition's 58 verdicts. The number on the left is the old one.",
        "",
        "| was | claim of the first edition | verdict then | now | why |",
        "|---|---|---|---|---|",
        *rows, "",
        "## Verdicts of this edition that moved", "",
        "Corrected after this edition was first put out.", "",
        "| no. | claim | verdict before | now | why |",
        "|---|---|---|---|---|",
        *(f"| {link(each.claim.slug)} | {each.claim.says} | {was} | {each.said} | {why} |"
          for each, was, why in corrected(judged)), "",
        "## Claims that were missing", "",
        "| no. | claim | verdict |", "|---|---|---|", *new, "",
    ])


def panels(each):
    """The experiments that its cases name, as panels are called."""
    places = {case.where for _, cases in each.by_reading.values() for case in cases}
    return list(dict.fromkeys(
        here.panel for here in rb.experiments().values()
        if any(place.startswith(here.panel) or place == here.short for place in places)))


def for_chapters(judged):
    """What the chapters say of a claim: they take it from here, and type none of it."""
    return json.dumps([{
        "number": number, "slug": slug, "chapter": judged[slug].claim.chapter,
        "says": judged[slug].claim.says, "verdict": judged[slug].verdict,
        "separated": judged[slug].by_reading.get("separated", (None,))[0],
        "held": sum(bool(case.held) for case in judged[slug].cases),
        "undecided": sum(case.held is None for case in judged[slug].cases),
        "cases": len(judged[slug].cases),
        "panels": panels(judged[slug]),
    } for slug, number in numbers(judged).items()], indent=1) + "\n"


def main(check):
    judged = judged_claims()
    pages = {
        BOOK / "claims.md": typeset(claims_page(judged)),
        BOOK / "errata.md": typeset(errata_page(ERRATA)),
        BOOK / "changes.md": typeset(changes_page(judged)),
        CLAIMS_JSON: for_chapters(judged),
    }
    for path, text in pages.items():
        if not check:
            with replacing(path) as part:
                part.write_text(text)
        elif path.read_text() != text:
            sys.exit(f"{path.name} is not what the results say: run `python book/ledger`.")


if __name__ == "__main__":
    main("--check" in sys.argv[1:])
