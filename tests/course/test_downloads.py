"""What Moodle and Canvas give for download is unpacked to students, and goes back as grades."""

import csv
import stat
import zipfile

import nbformat
import pytest
from assignment import source
from downloads import NoDownload, Student, unpack
from totals import write_for_import

NAME = "1_reachable_states"
BOOK = nbformat.writes(source(NAME))
MOODLE = {
    f"Ada Byron_4711_assignsubmission_file_/{NAME}.ipynb": BOOK,
    "Ada Byron_4711_assignsubmission_file_/notes.txt": "here",
    "Ada Byron_4711_assignsubmission_onlinetext_/onlinetext.html": "<p>",
    f"Bob O'Neil_12_assignsubmission_file_/{NAME} (1).ipynb": BOOK,
    f"Zoë Müller-Lüdenscheidt_9_assignsubmission_file_/sub/{NAME}.ipynb": BOOK,
    f"__MACOSX/Ada Byron_4711_assignsubmission_file_/._{NAME}.ipynb": "x",
}
FLAT = {
    f"Ada Byron_4711_assignsubmission_file_{NAME}.ipynb": BOOK,
    "Bob O'Neil_12_assignsubmission_file_my answers.ipynb": BOOK,  # known by its content
}
CANVAS = {
    f"byronada_4711_99_{NAME}.ipynb": BOOK,
    f"oneilbob_LATE_12_100_{NAME}-1.ipynb": BOOK,
    "strange name.ipynb": BOOK,
}


def zipped(tmp_path, files):
    path = tmp_path / "download.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return path


def folders(folder):
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def test_moodle_with_folders(tmp_path):
    who, aside = unpack(zipped(tmp_path, MOODLE), tmp_path / "in")
    assert who["Ada Byron"] == Student("moodle", "Ada Byron", "4711")
    assert set(who) == {"Ada Byron", "Bob O'Neil", "Zoë Müller-Lüdenscheidt"}
    assert f"Zoë Müller-Lüdenscheidt/{NAME}/{NAME}.ipynb" in folders(tmp_path / "in")
    assert f"Ada Byron/{NAME}/notes.txt" in folders(tmp_path / "in")
    assert len(aside) == 1
    assert "onlinetext" in aside[0]


def test_moodle_without_folders(tmp_path):
    who, aside = unpack(zipped(tmp_path, FLAT), tmp_path / "in")
    assert {student.id for student in who.values()} == {"4711", "12"}
    assert f"Bob O'Neil/{NAME}/my answers.ipynb" in folders(tmp_path / "in")
    assert aside == []


def test_canvas(tmp_path):
    who, aside = unpack(zipped(tmp_path, CANVAS), tmp_path / "in")
    assert who == {"byronada": Student("canvas", "byronada", "4711"),
                   "oneilbob": Student("canvas", "oneilbob", "12")}
    assert aside == ["strange name.ipynb: whose it is cannot be seen from its name"]
    assert f"oneilbob/{NAME}/{NAME}-1.ipynb" in folders(tmp_path / "in")
    assert f"oneilbob/{NAME}/timestamp.txt" in folders(tmp_path / "in")


def test_a_zip_of_our_own_folders(tmp_path):
    path = zipped(tmp_path, {f"class/ada/{NAME}/{NAME}.ipynb": BOOK})
    who, aside = unpack(path, tmp_path / "in")
    assert set(who) == {"ada"}
    assert aside == []


def test_two_students_of_one_name_stay_two(tmp_path):
    files = {f"Ada Byron_{number}_assignsubmission_file_/{NAME}.ipynb": BOOK for number in (1, 2)}
    who, _ = unpack(zipped(tmp_path, files), tmp_path / "in")
    assert set(who) == {"Ada Byron 1", "Ada Byron 2"}


def test_nothing_lands_outside_and_no_link_is_made(tmp_path):
    path = tmp_path / "download.zip"
    link = zipfile.ZipInfo(f"eve_1_2_{NAME}.ipynb")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(link, "/etc/passwd")
        archive.writestr(f"Eve_3_assignsubmission_file_/../../../{NAME}.ipynb", BOOK)
        archive.writestr(f"../../Mal_4_assignsubmission_file_/{NAME}.ipynb", BOOK)
    who, aside = unpack(path, tmp_path / "a" / "b" / "in")
    assert aside == [f"eve_1_2_{NAME}.ipynb: it is a link"]
    assert {path.name for path in tmp_path.iterdir()} == {"download.zip", "a"}
    assert {path.name for path in (tmp_path / "a" / "b").iterdir()} == {"in"}
    assert set(who) == {"Eve", "Mal"}


def test_a_zip_bomb_is_not_unpacked(tmp_path):
    path = tmp_path / "download.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(f"eve_1_2_{NAME}.ipynb", bytes(10**8))
    assert unpack(path, tmp_path / "in") == ({}, [f"eve_1_2_{NAME}.ipynb: it is too large"])


def test_what_is_no_zip_is_said(tmp_path):
    (tmp_path / "x.zip").write_text("no")
    with pytest.raises(NoDownload, match="no zip file"):
        unpack(tmp_path / "x.zip", tmp_path / "in")


@pytest.mark.parametrize(("system", "expected"), [
    ("moodle", [["Identifier", "Full name", "Grade", "Maximum Grade", "Last modified (grade)"],
                ["Participant 4711", "Ada Byron", "17.5", "20", "-"]]),
    ("canvas", [["Student", "ID", "Section", NAME], ["Points Possible", "", "", "20"],
                ["Ada Byron", "4711", "", "17.5"]]),
])
def test_grades_go_back_in_the_systems_own_form(tmp_path, system, expected):
    who = {"Ada Byron": Student(system, "Ada Byron", "4711")}
    points = {("Ada Byron", NAME): 17.5, ("somebody else", NAME): 3}
    (made,) = write_for_import(tmp_path, who, points, {NAME: 20})
    with open(made, newline="") as file:
        assert list(csv.reader(file)) == expected
