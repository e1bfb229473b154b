"""One hand-in, one outcome: whatever is strange about it, the class is graded, nothing is lost."""

import copy
import csv
import json
import os
import shutil
import subprocess
import sys
import zipfile
from html.parser import HTMLParser

import nbformat
import pytest
import sandbox
from assignment import grade_id_of, read
from collect import safe
from gradebook import nbgrader, submissions

from tests.course import GRADER
from tests.course.strange import STRANGE

NAME = "1_reachable_states"

pytestmark = pytest.mark.skipif(
    not sandbox.available(), reason="needs bubblewrap (bwrap) and user namespaces"
)


def grader(*arguments):
    command = [sys.executable, str(GRADER), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=900, check=False)


def key_of(release, name=NAME):
    """The release with our answers in it."""
    answers = {question: each.reference for question, each in read(name).questions.items()}
    notebook = nbformat.read(release / "release" / name / f"{name}.ipynb", as_version=4)
    for cell in notebook.cells:
        cell.source = answers.get(grade_id_of(cell), cell.source)
    return notebook


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """The strange class, graded: its folder, that of its hand-ins, and what was said."""
    root, folder = tmp_path_factory.mktemp("strange"), tmp_path_factory.mktemp("handed-in")
    from course import release

    release(root, [NAME], keys=False)
    key = key_of(root)
    expected = {}
    for student, write in STRANGE.items():
        expected[student] = write(copy.deepcopy(key), folder / student / NAME, NAME)
    for litter in ("__MACOSX", ".ipynb_checkpoints"):
        (folder / litter / NAME).mkdir(parents=True)
    (folder / ".DS_Store").write_bytes(bytes(10))
    (folder / "notes.txt").write_text("a file beside the students")
    (folder / "half-an-emoji" / "my_holiday").mkdir()
    done = grader("--root", root, "grade", folder)
    assert done.returncode == 0, done.stderr
    return root, folder, expected, done.stdout


def rows_of(root, run="001"):
    found = {}
    with open(root / "graded" / run / "grades.csv", newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            found.setdefault(row["student"], []).append(row)
    return found


@pytest.mark.parametrize("student", STRANGE)
def test_a_strange_hand_in_is_graded_or_named(course, student):
    root, _, expected, _ = course
    rows = rows_of(root)[safe(student)]
    statuses = {row["status"] for row in rows}
    assert statuses == expected[student], rows
    assert all(row["message"] for row in rows if row["status"] != "right")


def test_everybody_who_can_be_read_is_in_the_gradebook(course):
    root, _, expected, _ = course
    known = submissions(root)
    for student, statuses in expected.items():
        if "right" in statuses:
            points = sum(float(row["points"]) for row in rows_of(root)[safe(student)])
            assert known[safe(student), NAME]["score"] == points, student


def test_what_is_left_aside_is_said(course):
    said = course[3]
    for text in ("notes.txt: not a folder", "my_holiday: no assignment", "bob[2]: called bob_2_-",
                 "unreadable-time/1_reachable_states: its time stamp cannot be read",
                 "renamed/1_reachable_states: graded '1_reachable_states (1).ipynb'"):
        assert text in said
    assert "__MACOSX" not in said


@pytest.fixture(scope="module")
def page(course):
    """The feedback page of the hand-in with HTML in it."""
    root = course[0]
    done = nbgrader(root, ("generate_feedback", NAME, "--student=in-the-page"))
    assert done.returncode == 0, done.stderr
    return (root / "feedback" / "in-the-page" / NAME / f"{NAME}.html").read_text()


class Active(HTMLParser):
    """Collects what a browser would run, fetch or follow."""

    def __init__(self, page):
        super().__init__()
        self.found = []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        if tag in {"iframe", "svg", "object", "embed", "form", "base", "video"}:
            self.found.append(tag)
        for name, value in attributes:
            text = (value or "").strip().lower()
            if name.startswith("on") or text.startswith("javascript:"):
                self.found.append(f"{tag} {name}={value}")
            if (tag, name) == ("img", "src") and not text.startswith("data:image/"):
                self.found.append(f"{tag} {name}={value}")

    def handle_data(self, data):
        if self.lasttag == "script" and "taken" in data:
            self.found.append(data)


def test_students_html_does_nothing_in_a_feedback_page(page):
    assert Active(page).found == []
    assert "\\href{" not in page
    assert "<b>bold</b> 1 &lt; 2" in page


def test_active_html_would_be_found():
    for bad in ("<img src=x onerror='a'>", "<a href=' javascript:x'>", "<svg onload=x>",
                "<script>taken</script>"):
        assert Active(bad).found


def test_a_feedback_page_shows_the_students_own_notebook(page, course):
    assert "My own note." in page
    for heading in ("1. One slot", "2. A whole night", "4. Where can the station", "7. Explain"):
        assert page.count(heading) == 1, heading


def test_grading_twice_overwrites_nothing_and_keeps_points_given_by_hand(course):
    from gradebook import address
    from nbgrader.api import Gradebook

    root, folder, _, _ = course
    before = (root / "graded" / "001" / "grades.csv").read_bytes()
    with Gradebook(address(root)) as book:
        given = book.find_grade("explain", NAME, NAME, "renamed")
        given.manual_score, given.needs_manual_grade = 3, False
        book.db.commit()
    (root / "nbgrader_config.py").open("a").write("# a line of the teacher's\n")
    done = grader("--root", root, "grade", folder)
    assert done.returncode == 0, done.stderr
    exported = nbgrader(root, ("export",))
    assert exported.returncode == 0, exported.stderr
    assert (root / "graded" / "001" / "grades.csv").read_bytes() == before
    assert (root / "graded" / "002" / "grades.csv").read_bytes() == before
    assert (root / "graded" / "002" / "gradebook-before.db").exists()
    with Gradebook(address(root)) as book:
        assert book.find_grade("explain", NAME, NAME, "renamed").manual_score == 3
    assert "a line of the teacher's" in (root / "nbgrader_config.py").read_text()


def test_nbgrader_alone_gives_the_same_points(course):
    """As the button of its formgrader does: with the same converter and the same settings."""
    root, folder, _, _ = course
    for student in ("tests-deleted", "half-an-emoji"):
        copied = root / "submitted" / f"{student}-alone" / NAME
        shutil.copytree(folder / student / NAME, copied)
        done = nbgrader(root, ("autograde", NAME, f"--student={student}-alone", "--create"))
        assert done.returncode == 0, done.stderr
    known = submissions(root)
    for student in ("tests-deleted", "tests-deleted-alone", "half-an-emoji-alone"):
        assert known[student, NAME]["score"] == 16


def test_a_configuration_elsewhere_moves_nothing(course, tmp_path):
    root, _, _, _ = course
    settings = tmp_path / "config" / "nbgrader_config.py"
    settings.parent.mkdir()
    settings.write_text(f"c = get_config()\nc.CourseDirectory.root = {str(tmp_path / 'moved')!r}\n"
                        f"c.CourseDirectory.db_url = 'sqlite:///{tmp_path}/other.db'\n")
    before = dict(os.environ)
    os.environ["JUPYTER_CONFIG_DIR"] = str(settings.parent)
    try:
        assert nbgrader(root, ("export", f"--to={tmp_path / 'all.csv'}")).returncode == 0
    finally:
        os.environ.clear()
        os.environ.update(before)
    assert "renamed" in (tmp_path / "all.csv").read_text()
    assert not (tmp_path / "moved").exists()


def test_verdicts_are_kept_but_not_those_on_what_died(course):
    root = course[0]
    kept = json.loads((root / "verdicts" / "endless-reply" / f"{NAME}.json").read_text())
    assert {verdict[3] for verdict in kept["verdicts"]} == {"right", "time limit"}


def test_a_download_from_moodle_is_graded_and_goes_back(course, tmp_path):
    root = course[0]
    text = nbformat.writes(key_of(root))
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        for name in ("Ada Byron_7", "=Eve_8"):
            archive.writestr(f"{name}_assignsubmission_file_/{NAME} (1).ipynb", text)
        archive.writestr("Bob_9_assignsubmission_file_/holiday.txt", "sorry")
    done = grader("--root", root, "grade", tmp_path / "all.zip", "--due", "1970-01-01")
    assert done.returncode == 0, done.stderr
    assert "Bob: holiday.txt: of no assignment of ours" in done.stdout
    run = max((root / "graded").iterdir())
    with open(run / f"moodle-{NAME}.csv", newline="") as file:
        rows = {row["Identifier"]: row for row in csv.DictReader(file)}
    assert rows["Participant 7"]["Grade"] == "16.0"
    assert rows["Participant 7"]["Maximum Grade"] == "20.0"
    assert rows["Participant 8"]["Full name"] == "'=Eve"
    with open(run / "totals.csv", newline="") as file:
        totals = {row["student"]: row for row in csv.DictReader(file)}
    assert totals["Ada Byron"]["total"] == "16.0"
    assert totals["Ada Byron"]["late"] == NAME
    assert totals["link-to-the-key"]["total"] == "0.0"  # everybody is there, not this run only
