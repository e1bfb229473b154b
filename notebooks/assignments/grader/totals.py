"""Points per student: over all assignments, and in the forms that Moodle and Canvas import."""

import csv

from gradebook import submissions
from nbgrader.utils import parse_utc
from tables import write_table


def write_totals(run, root, due=None):
    """All that the gradebook knows, points given by hand too; what cannot be read has 0."""
    points = {whose: each["score"] for whose, each in submissions(root).items()}
    for path in (root / "graded").glob("*/grades.csv"):  # of this run and all before
        with open(path, newline="", encoding="utf-8") as file:
            for row in csv.DictReader(file):
                points.setdefault((row["student"], row["assignment"]), 0.0)
    names = sorted({name for _, name in points})
    late = late_hand_ins(root, due) if due else set()
    lines = []
    for student in sorted({student for student, _ in points}):
        own = [points.get((student, name), "") for name in names]
        late_ones = [name for name in names if (student, name) in late]
        lines.append([student, *own, sum(each for each in own if each != ""), " ".join(late_ones)])
    write_table(run / "totals.csv", [["student", *names, "total", "late"], *lines])
    return points


def late_hand_ins(root, due):
    """Which hand-ins have a time stamp after that time, as (student, assignment)."""
    found = set()
    for path in (root / "prepared").glob("*/*/timestamp.txt"):
        if parse_utc(path.read_text().strip()) > parse_utc(due):
            found.add((path.parts[-3], path.parts[-2]))
    return found


def write_for_import(run, who, points, most):
    """For each assignment that was handed in, the file that the students' system imports."""
    made = []
    for name in sorted({name for student, name in points if student in who}):
        graded = [(who[student], points[student, name]) for student, of in sorted(points)
                  if of == name and student in who]
        system = graded[0][0].system
        if system == "moodle":  # its "offline grading worksheet"
            head = ["Identifier", "Full name", "Grade", "Maximum Grade", "Last modified (grade)"]
            lines = [[f"Participant {each.id}", each.name, score, most[name], "-"]
                     for each, score in graded]
        elif system == "canvas":
            head = ["Student", "ID", "Section", name]
            lines = [["Points Possible", "", "", most[name]],
                     *([each.name, each.id, "", score] for each, score in graded)]
        else:
            continue
        made.append(run / f"{system}-{name}.csv")
        write_table(made[-1], [head, *lines])
    return made
