"""The teacher's report: one small page, with everything in it."""

import re
from base64 import b64encode
from collections import Counter
from io import BytesIO
from pathlib import Path

import hand_in
import matplotlib as mpl
import pandas as pd
import similar
from assignment import answers, read
from collect import REFUSED, UNREADABLE
from gradebook import PREPARED
from grading import COLUMNS, WRONG_NOTEBOOK
from jinja2 import Environment, FileSystemLoader
from judge import RIGHT
from matplotlib.figure import Figure

DIED = ("time limit", "process died", "out of memory", "syntax error", UNREADABLE,
        REFUSED, WRONG_NOTEBOOK)
# From light to dark, so that the bars can be told apart in grey.
SHADES = {"right": "#dfe9f5", "wrong": "#7aa6d6", "not answered": "#cccccc", "error": "#41719c",
          "died": "#16324f"}
# Students' words go into it: everything is escaped.
PAGES = Environment(loader=FileSystemLoader(Path(__file__).parent), autoescape=True)


def write_report(path, root, rows, notes=()):
    """Write the page for the rows of a grade list; returns its path."""
    table = pd.DataFrame(rows, columns=COLUMNS)
    died = table[table["status"].isin(DIED)].drop_duplicates(["student", "assignment", "status"])
    path.write_text(PAGES.get_template("report.html.j2").render(
        students=table["student"].nunique(),
        hand_ins=table.groupby(["student", "assignment"]).ngroups,
        assignments=[about(root, name, part) for name, part in table.groupby("assignment")],
        died=list(died.itertuples()),
        notes=notes,
    ), encoding="utf-8")
    return path


def about(root, name, part):
    """What the page says of one assignment."""
    points = part.groupby("student")["points"].sum()
    low, middle, high = points.quantile([0.25, 0.5, 0.75])
    counts = kinds(part)
    shares = "; ".join(f"{test}: {counts['right'][test]} right" for test in counts.index)
    return {
        "name": name,
        "hand_ins": len(points),
        "most": part.drop_duplicates("test")["most"].sum(),
        "low": low, "median": middle, "high": high,
        "picture": picture(counts),
        "alt": f"Bars for the tests of {name}, how many hand-ins fared how. {shares}.",
        "tests": [failure(test, group) for test, group in part.groupby("test")],
        "alike": similar.pairs(codes(root, name, points.index) | our_answers(name)),
    }


def kinds(part):
    """How many hand-ins fared how, test by test."""
    kind = part["status"].where(~part["status"].isin(DIED), "died")
    return pd.crosstab(part["test"], kind).reindex(columns=list(SHADES), fill_value=0)


def picture(counts):
    counts = counts.iloc[::-1]
    with mpl.rc_context({"font.size": 10}):
        figure = Figure(figsize=(8, 0.9 + 0.34 * len(counts)), layout="constrained")
        ax = figure.subplots()
        left = 0 * counts["right"]
        for kind, shade in SHADES.items():
            ax.barh(counts.index, counts[kind], left=left, color=shade, edgecolor="white",
                    label=kind)
            left = left + counts[kind]
        ax.set(xlabel="hand-ins", xlim=(0, left.max()))
        ax.spines[["top", "right"]].set_visible(False)
        ax.legend(ncols=len(SHADES), loc="lower left", bbox_to_anchor=(0, 1), frameon=False)
        buffer = BytesIO()
        figure.savefig(buffer, format="png", dpi=120)
    return b64encode(buffer.getvalue()).decode()


def failure(test, group):
    """The most frequent wrong idea in one test: messages that differ in numbers only are one."""
    failed = [row for row in group.itertuples() if row.status != RIGHT]
    ideas = Counter(map(idea_of, failed))
    found = {"name": test, "share": group["points"].sum() / group["most"].sum(), "times": 0}
    if failed:
        idea, times = ideas.most_common(1)[0]
        said = next(row for row in failed if idea_of(row) == idea)
        found |= {"times": times, "status": said.status, "message": said.message[:300]}
    return found


def idea_of(row):
    return row.status, re.sub(r"[-\d.,()\[\]\s]+", " ", row.message)


def our_answers(name):
    """What somebody who has found this project can hand in."""
    references = [question.reference.strip() for question in read(name).questions.values()]
    return {"our own answers": "\n\n".join(references)}


def codes(root, name, students):
    """What each student has written in the answer cells."""
    found, assignment = {}, read(name)
    for student in students:
        path = root / PREPARED / student / name / f"{name}.ipynb"
        if path.exists():
            cells = answers(assignment, hand_in.read(path)).values()
            found[student] = "\n\n".join(code.strip() for each in cells for _, code in each)
    return found
