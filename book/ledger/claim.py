"""What a claim is, and how cases make a verdict."""

import json
from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from rules import OURS, VIEWS, View

from rb_core.lab.notebooks import PROJECT, find

REPRODUCED, PARTLY, FAILED, OPEN = "reproduced", "partly", "not reproduced", "not checkable"
READINGS = {"joint": "SS-SARSA", "separated": "SS-SARSA (sep.)"}


class Case(NamedTuple):
    """One place where a claim is put to the test: what was measured there, and whether it held.

    `held` is None where the runs are too few to say. `beyond` is True where the paper has no such
    setting: sizes and rewards of our own.
    """

    where: str
    measured: str
    held: bool | None
    beyond: bool = False


class Claim(NamedTuple):
    """A sentence of the paper, in our words, with what decides it.

    Attributes
    ----------
    slug : what chapters, tests and links call it
    section : where it stands in the paper
    says : the claim
    rule : what is measured in each case, and when the claim holds there
    chapter : slug of the chapter that shows it
    cases : makes the cases, from a view. A claim about SS-SARSA (`readings` True) takes the
        agent's name, too, and is judged for both readings of the visit counts. None: not
        checkable, and `rule` says why.
    also : other measures, by what they are called, whose verdicts count for the sensitivity
    """

    slug: str
    section: str
    says: str
    rule: str
    chapter: str
    cases: Callable[..., Iterable[Case]] | None
    readings: bool = False
    also: Mapping[str, Callable[..., Iterable[Case]]] = MappingProxyType({})


class Judged(NamedTuple):
    """A claim with its verdicts.

    Attributes
    ----------
    claim : Claim
    by_reading : verdict and cases, by reading of the visits; "joint" also where there is one only
    sensitivity : what the verdict (of the text's reading) would be otherwise, where it differs
    tried : whether any of those other choices touches its cases
    """

    claim: Claim
    by_reading: dict[str, tuple[str, list[Case]]]
    sensitivity: dict[str, str]
    tried: bool

    @property
    def verdict(self) -> str:
        """That of the text's reading."""
        return self.by_reading["joint"][0]

    @property
    def cases(self) -> list[Case]:
        """Those of the text's reading."""
        return self.by_reading["joint"][1]

    @property
    def said(self) -> str:
        """The verdict in a table: with the other reading's where it differs."""
        other = self.by_reading.get("separated", (self.verdict, []))[0]
        return self.verdict if other == self.verdict else f"{self.verdict} (separated: {other})"


def verdict(cases):
    """Reproduced where it held in every case, not reproduced where in none, else partly.

    Cases that could not be decided count neither way.
    """
    held = [case.held for case in cases if case.held is not None]
    if not held:
        raise ValueError("A verdict needs at least one case that is decided.")
    return REPRODUCED if all(held) else PARTLY if any(held) else FAILED


def found(claim: Claim, view: View, agent=None, cases=None) -> list[Case]:
    """The cases of a claim in a view; none where the view leaves none."""
    made = (cases or claim.cases)(view, agent) if claim.readings else (cases or claim.cases)(view)
    return [case for case in made if not (view.own and case.beyond)]


def judge(claim: Claim) -> Judged:
    """Verdicts by reading, and what they depend on."""
    if claim.cases is None:
        return Judged(claim, {"joint": (OPEN, [])}, {}, False)
    readings = READINGS if claim.readings else {"joint": None}
    by_reading = {}
    for reading, agent in readings.items():
        cases = found(claim, OURS, agent)
        by_reading[reading] = verdict(cases), cases
    others = {name: found(claim, view, readings["joint"]) for name, view in VIEWS.items()}
    others |= {name: found(claim, OURS, readings["joint"], cases)
               for name, cases in claim.also.items()}
    ours, own = by_reading["joint"]
    others = {name: cases for name, cases in others.items()
              if any(case.held is not None for case in cases)}
    differs = {name: verdict(cases) for name, cases in others.items() if verdict(cases) != ours}
    tried = any(cases != own for cases in others.values())
    return Judged(claim, by_reading, differs, tried)


def once(cases):
    """Decorates cases that look the same in every view: they are made once."""
    made = {}

    @wraps(cases)
    def kept(view=OURS, *agent):
        if agent not in made:
            made[agent] = list(cases(view, *agent))
        return made[agent]

    return kept


def page_and_title(slug):
    """A chapter's page, seen from the ledger's, and its title."""
    if slug == "status":
        return "status.md", "Status"
    path = find(slug)
    first = json.loads(path.read_text())["cells"][0]["source"]
    return f"../{path.relative_to(PROJECT).as_posix()}", first[0].strip().removeprefix("# ")


def place(section):
    """Where a claim stands, in words: "4.2, remark", "1, 4.2", "abstract, 1", "A, Algorithm 2"."""
    named, within = [], ""
    for each in section.split(", "):
        if each == "abstract":
            named.append(each)
        elif each in "AB":
            named.append(f"appendix {each}")
        elif each[0].isdigit():
            named.append(f"section {each}")
        else:
            within = f" ({each})"
    found = " and ".join(named) + within
    return found[0].upper() + found[1:]


CLAIMS_JSON = Path(__file__).parents[1] / "claims.json"
