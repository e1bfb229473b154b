"""The course's folder: what nbgrader makes of the sources, and what was handed in.

Everything lies below one folder (course), in nbgrader's own layout; only sources are kept
elsewhere.
"""

import hashlib
import json
import shutil
from pathlib import Path

import model_answer
import nbformat
import secret as secrets
import variants
from assignment import HOME, NUMBERS, SOURCE, grade_id_of, read
from gradebook import nbgrader
from nbgrader.utils import compute_checksum
from tqdm import tqdm

ROOT = HOME.parents[1] / "course"


class CourseError(Exception):
    """Something that a teacher can put right; its text says how."""


def release(root, names, keys=True):
    """Make the students' notebooks and, for the teacher, the key of each assignment.

    What is up to date stays: keys take long, because they are executed.
    """
    kinds = {"release": ("generate_assignment", "--create"), "solution": ("generate_solution",)}
    if not keys:
        del kinds["solution"]
    for name in tqdm(names, desc=" and ".join(kinds), leave=False):
        mark = _mark(root, name)
        marks = {kind: root / "made" / kind / name for kind in kinds}
        old = [kind for kind, path in marks.items() if not (root / kind / name).is_dir()
               or not path.exists() or path.read_text() != mark]
        if old:
            _put_source(root, name)
            done = nbgrader(root, *((*kinds[kind], name, "--force") for kind in old))
            if done.returncode:
                raise CourseError(f"nbgrader failed for {name}:\n{done.stderr[-3000:]}")
        for kind in old:
            marks[kind].parent.mkdir(parents=True, exist_ok=True)
            marks[kind].write_text(mark)


def _mark(root, name):
    """What a release and a key follow from."""
    parts = [path.read_bytes() for path in sorted((SOURCE / name).iterdir()) if path.is_file()]
    return hashlib.sha256(b"".join(parts) + secrets.of(root).encode()).hexdigest()


def _put_source(root, name):
    """The source in nbgrader's folder, with the course's secret in its hidden tests."""
    place = root / "source" / name
    shutil.copytree(SOURCE / name, place, dirs_exist_ok=True)
    assignment = read(name, secrets.of(root))
    for cell in assignment.notebook.cells:
        if grade_id_of(cell) == model_answer.WRITTEN:
            cell.source = model_answer.filled_in(assignment)
    nbformat.write(assignment.notebook, place / f"{name}.ipynb")


def release_variants(root, names, students, seed=None):
    """Make notebooks with numbers of each student's own: variants/STUDENT/ASSIGNMENT."""
    given = variants_given(root)
    seed = seed if seed is not None else given["seed"]
    if given["students"] and seed != given["seed"]:
        raise CourseError(f"Variants were given out with the seed {given['seed']} before; with "
                          f"another one they could not be graded any more.")
    for student in tqdm(students, desc="variants", leave=False, disable=len(students) < 10):
        for name in names:
            place = root / "variants" / student / name
            shutil.copytree(root / "release" / name, place, dirs_exist_ok=True,
                            ignore=shutil.ignore_patterns(variants.TABLE))
            _put_numbers(place / f"{name}.ipynb",
                         variants.cell(variants.numbers(name, student, seed)))
            had = given["students"].setdefault(student, [])
            given["students"][student] = sorted({*had, name})
    (root / "variants" / "given.json").write_text(
        json.dumps(given | {"seed": seed}, indent=1, ensure_ascii=False))


def release_through_exchange(root, names):
    """Let the one release that nbgrader's exchange takes carry the numbers of all who have own."""
    given = variants_given(root)
    for name in names:
        of_all = {student: variants.cell(variants.numbers(name, student, given["seed"]))
                  for student, had in given["students"].items() if name in had}
        table = {"": read(name).given[NUMBERS], **of_all}
        (root / "release" / name / variants.TABLE).write_text(json.dumps(table, indent=1))
        _put_numbers(root / "release" / name / f"{name}.ipynb", variants.FROM_TABLE)


def _put_numbers(path, code):
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        if grade_id_of(cell) == NUMBERS:
            cell.source = code
            cell.metadata.nbgrader.checksum = compute_checksum(cell)
    nbformat.write(notebook, path)


def variants_given(root):
    """Who has numbers of their own in which assignments, and the seed from which they follow."""
    path = root / "variants" / "given.json"
    if path.exists():
        return json.loads(path.read_text())
    if any(path.parent.glob("*/*")):
        raise CourseError(f"{path} is gone, which says who was given which numbers.")
    return {"seed": secrets.seed(secrets.of(root), "variants"), "students": {}}


def whose_numbers(root, name, code):
    """Who was given these numbers; "" for the standard ones, None if nobody was."""
    if code == read(name).given[NUMBERS]:
        return ""
    given = variants_given(root)
    for student, had in given["students"].items():
        if name in had and code == variants.cell(variants.numbers(name, student, given["seed"])):
            return student
    return None


def has_own_numbers(root, name, student):
    return name in variants_given(root)["students"].get(student, [])


def assignment_for(root, name, student):
    """The assignment as this student has got it, with this course's hidden tests."""
    numbers = None
    if has_own_numbers(root, name, student):
        numbers = variants.cell(variants.numbers(name, student, variants_given(root)["seed"]))
    elif (root / "variants" / student / name).exists():
        raise CourseError(f"{student} has numbers of their own that given.json does not know.")
    return read(name, secrets.of(root)).with_numbers(numbers)


def released(root, name):
    """The notebook that students get."""
    return nbformat.read(Path(root, "release", name, f"{name}.ipynb"), as_version=4)
