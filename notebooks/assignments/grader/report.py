"""The teacher's report: one small page, with everything in it."""

import html
from base64 import b64encode
from collections import Counter
from io import BytesIO

import matplotlib as mpl
import pandas as pd
from collect import REFUSED, UNREADABLE
from grading import COLUMNS, WRONG_NOTEBOOK
from judge import RIGHT
from matplotlib.figure import Figure

DIED = ("time limit", "process died", "out of memory", "syntax error", UNREADABLE,
        REFUSED, WRONG_NOTEBOOK)
# From light to dark, so that the bars can be told apart in grey.
SHADES = {"right": "#dfe9f5", "wrong": "#7aa6d6", "not answered": "#cccccc", "error": "#41719c",
          "died": "#16324f"}
STYLE = """body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto;
padding: 0 1rem; color: #1a1a1a; background: #fff } table { border-collapse: collapse; width: 100% }
th, td { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid #ccc;
vertical-align: top }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums } img { max-width: 100% }
code { overflow-wrap: anywhere }"""


def write_report(path, rows):
    """Write the page for the rows of a grade list; returns its path."""
    table = pd.DataFrame(rows, columns=COLUMNS)
    parts = [summary(table)]
    for name, part in table.groupby("assignment"):
        parts += [f"<h2>{name}</h2>", totals(part), picture(name, part), failures(part)]
    parts.append(deaths(table))
    path.write_text(
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Grades</title>'
        f'<meta name="viewport" content="width=device-width"><style>{STYLE}</style>'
        f"<h1>Grades</h1>{''.join(parts)}</html>"
    )
    return path


def summary(table):
    students = table["student"].nunique()
    hand_ins = table.groupby(["student", "assignment"]).ngroups
    return (f"<p>{hand_ins} hand-ins of {students} students. Points are those of the automatic "
            f"tests; written answers are graded by hand.</p>")


def totals(part):
    points = part.groupby("student")["points"].sum()
    most = part.drop_duplicates("test")["most"].sum()
    low, middle, high = points.quantile([0.25, 0.5, 0.75])
    return (f"<p>{len(points)} hand-ins; median {middle:g} of {most:g} points, half of them "
            f"between {low:g} and {high:g}.</p>")


def picture(name, part):
    """How many hand-ins fared how, question by question."""
    kinds = part["status"].where(~part["status"].isin(DIED), "died")
    counts = pd.crosstab(part["test"], kinds).reindex(columns=list(SHADES), fill_value=0)
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
    image = b64encode(buffer.getvalue()).decode()
    shares = "; ".join(f"{test}: {counts['right'][test]} right" for test in counts.index[::-1])
    return (f'<img alt="Bars for the tests of {name}, how many hand-ins fared how. {shares}." '
            f'src="data:image/png;base64,{image}">')


def failures(part):
    """The most frequent failure of each test."""
    lines = []
    for test, group in part.groupby("test"):
        failed = Counter(
            (row.status, row.message) for row in group.itertuples() if row.status != RIGHT)
        share = group["points"].sum() / group["most"].sum()
        (status, message), count = next(iter(failed.most_common(1)), (("", ""), 0))
        said = f"{html.escape(status)}: <code>{html.escape(message[:300])}</code>" if count else ""
        lines.append(f'<tr><td>{test}<td class="n">{share:.0%}<td class="n">{count or ""}'
                     f"<td>{said}")
    return ("<table><tr><th>test<th class='n'>points won<th class='n'>times<th>most frequent "
            f"failure{''.join(lines)}</table>")


def deaths(table):
    """Hand-ins of which a part died, and of what."""
    dead = table[table["status"].isin(DIED)].drop_duplicates(["student", "assignment", "status"])
    if dead.empty:
        return "<h2>Hand-ins that died</h2><p>None.</p>"
    lines = [f"<tr><td>{html.escape(row.student)}<td>{row.assignment}<td>{row.test}<td>{row.status}"
             f"<td><code>{html.escape(row.message[:200])}</code>" for row in dead.itertuples()]
    return ("<h2>Hand-ins that died</h2><table><tr><th>student<th>assignment<th>test<th>of what"
            f"<th>message{''.join(lines)}</table>")
