"""Write book/claims.md and book/errata.md: what the paper says, held against our results.

    .venv/bin/python book/ledger            writes the pages
    .venv/bin/python book/ledger --check    fails if one would change
"""

import sys
from collections import Counter
from pathlib import Path

import evaluation
import theory
from claim import OPEN, REPRODUCED, verdict
from errata import ERRATA
from formulas import typeset

from rb_core.engine.files import replacing

HERE = Path(__file__).parent
BOOK = HERE.parent
READINGS = {"joint": "SS-SARSA", "separated": "SS-SARSA (sep.)"}


def judge(claim):
    """Verdicts by reading, and the cases of each."""
    if claim.cases is None:
        return {"joint": (OPEN, [])}
    if not claim.readings:
        found = list(claim.cases())
        return {"joint": (verdict(found), found)}
    judged = {}
    for reading, agent in READINGS.items():
        found = list(claim.cases(agent))
        judged[reading] = (verdict(found), found)
    return judged


def place(section):
    """Where a claim stands: "A" and "B" are appendices."""
    if section[0] in "AB":
        return f"Appendix {section}"
    return f"Section {section.replace(', B', ' and appendix B')}"


def overview(number, claim, judged):
    said = judged["joint"][0]
    if "separated" in judged and judged["separated"][0] != said:
        said += f" (separated: {judged['separated'][0]})"
    return f"| [{number}](claim-{number}) | {claim.section} | {claim.says} | {said} |"


def details(number, claim, judged):
    shown = f" Shown in [{claim.title}]({claim.page})." if claim.cases else ""
    lines = [
        f"(claim-{number})=",
        f"```{{dropdown}} {number}. {claim.says}",
        f"*{place(claim.section)} of the paper.{shown}*",
        "",
        f"**Rule.** {claim.rule}",
        "",
    ]
    for reading, (said, cases) in judged.items():
        which = f", {reading} visits" if len(judged) > 1 else ""
        lines += [f"**Verdict{which}: {said}.**", "", *table_of(cases)]
    return "\n".join([*lines, "```"])


def table_of(cases, held="holds"):
    if not cases:
        return []
    rows = [f"| {case.where} | {case.measured} | {'yes' if case.held else 'no'} |"
            for case in cases]
    return [f"| case | measured | {held} |", "|---|---|---|", *rows, ""]


def claims_page(claims):
    judged = [judge(claim) for claim in claims]
    counts = Counter(each["joint"][0] for each in judged)
    tally = ", ".join(f"{count} {said}" for said, count in counts.most_common())
    numbered = list(enumerate(zip(claims, judged, strict=True), 1))
    return "\n".join([
        (HERE / "claims_head.md").read_text(),
        "## All verdicts",
        "",
        f"{len(claims)} claims: {tally}.",
        "",
        "| no. | section | claim | verdict |",
        "|---|---|---|---|",
        *(overview(number, *each) for number, each in numbered),
        "",
        "## What decided each",
        "",
        "\n\n".join(details(number, *each) for number, each in numbered),
        "",
    ])


def errata_page(errata):
    parts = [(HERE / "errata_head.md").read_text()]
    for number, each in enumerate(errata, 1):
        cases = list(each.cases())
        if verdict(cases) != REPRODUCED:
            sys.exit(f"The evidence does not bear out erratum {number}: {each.remark} {cases}")
        parts.append("\n".join([
            f"## {number}. {each.stands.removesuffix('.')}",
            "",
            f"*{place(each.section)} of the paper.* {each.remark}",
            "",
            *table_of(cases, "confirmed"),
            f"Shown in [{each.title}]({each.page}).",
            "",
        ]))
    return "\n".join(parts)


def main(check):
    pages = {
        BOOK / "claims.md": claims_page(theory.CLAIMS + evaluation.CLAIMS),
        BOOK / "errata.md": errata_page(ERRATA),
    }
    for path, text in pages.items():
        if not check:
            with replacing(path) as part:
                part.write_text(typeset(text))
        elif path.read_text() != typeset(text):
            sys.exit(f"{path.name} is not what the results say: run `python book/ledger`.")


if __name__ == "__main__":
    main("--check" in sys.argv[1:])
