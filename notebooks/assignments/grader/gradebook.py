"""nbgrader's part: its commands, always in the course's folder, and what its gradebook says."""

import json
import os
import subprocess
import sys
from pathlib import Path

from assignment import HOME

# What nbgrader grades: hand-ins put in order. Its folder of what was submitted stays as it is.
PREPARED = "prepared"
JUST_JUDGED = "GRADER_JUST_JUDGED"  # to nbgrader's process: take the verdicts that were kept
FOLDERS = ("source", "release", "submitted", "autograded", "feedback")


def nbgrader(root, *commands, submitted="submitted", just_judged=False):
    """Run commands of nbgrader in a course's folder; whatever else nbgrader is told elsewhere.

    The folder has settings of its own, in which a teacher may write.
    """
    root = root.resolve()
    settings = root / "nbgrader_config.py"
    if not settings.exists():
        settings.write_text(f"load_subconfig({str(HOME / settings.name)!r})\n")
    folders = {name: name for name in FOLDERS} | {"submitted": submitted}
    fixed = [f"--CourseDirectory.root={root}", f"--CourseDirectory.db_url={address(root)}"]
    fixed += [f"--CourseDirectory.{what}_directory={name}" for what, name in folders.items()]
    # nbgrader calls programs that lie beside this Python
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    program = Path(__file__).with_name("nbgrader_commands.py")
    told = json.dumps([[*command, *fixed] for command in commands])
    surroundings = {"PATH": path, "JUPYTER_NO_CONFIG": "1", JUST_JUDGED: str(just_judged)}
    return subprocess.run([sys.executable, str(program), told], cwd=root,
                          env=os.environ | surroundings, capture_output=True, text=True,
                          errors="replace", check=False)


def address(root):
    return f"sqlite:///{root.resolve() / 'gradebook.db'}"


def submissions(root):
    """What the gradebook says: (student, assignment) -> its record."""
    from nbgrader.api import Gradebook

    with Gradebook(address(root)) as book:
        return {(each["student"], assignment.name): each for assignment in book.assignments
                for each in book.submission_dicts(assignment.name)}


def most_points(root):
    """The points of each assignment, written answers included."""
    from nbgrader.api import Gradebook

    with Gradebook(address(root)) as book:
        return {each.name: each.max_score for each in book.assignments}
