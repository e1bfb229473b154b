"""A day at a JupyterHub: the blocks of the page for teachers, followed to the letter.

As root in a world of its own, which test_hub.py makes around it: there, accounts can be made and
folders written that this machine never sees. A hub and its proxy run; who works in a browser does
so by what the browser would send. Called as  python -m tests.course.hub_day RESULT.json.
"""

import csv
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import requests
from assignment import NUMBERS, grade_id_of, read
from course import assignment_for
from gradebook import address, submissions
from nbformat import v4
from nbformat.notebooknode import from_dict
from nbgrader.api import Gradebook

from tests.conftest import TOP

NAME = "1_reachable_states"
HUB = "http://127.0.0.1:8000"
PASSWORD = "a password for one day"
PLACEHOLDER = "/where/the/project/is"
BIN = Path(sys.prefix, "bin")
SETTINGS = f"""
c = get_config()
c.Authenticator.allow_all = True
c.ConfigurableHTTPProxy.command = [{str(BIN / "configurable-http-proxy")!r}]
c.Spawner.cmd = [{str(BIN / "jupyterhub-singleuser")!r}]
c.Spawner.environment = {{"NUMBA_CACHE_DIR": {os.environ["NUMBA_CACHE_DIR"]!r}}}
c.Spawner.start_timeout = c.Spawner.http_timeout = 300
"""

# What a student sees on running the cell of numbers.
RUN_NUMBERS = f"""cd {NAME}
python -c 'import json
for cell in json.load(open("{NAME}.ipynb"))["cells"]:
    if cell["metadata"].get("nbgrader", {{}}).get("grade_id") == "given_numbers":
        exec("".join(cell["source"]))'
"""


def blocks(page, heading):
    """The fenced blocks below a heading, each with the line of text before it."""
    section = page.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    return re.findall(r"([^\n]*)\n+```\w*\n(.*?)\n```", section, re.DOTALL)


class Day:
    """What was done and what came of it."""

    def __init__(self):
        page = (TOP / "book" / "teach.md").read_text()
        self.blocks = [(before, block.replace(PLACEHOLDER, str(TOP)))
                       for before, block in blocks(page, "With JupyterHub")]
        self.followed = 0

    def next(self, words):
        """The page's next block, of which it says `words`."""
        before, block = self.blocks[self.followed]
        assert words in before, f"the page says {before!r} where the test expects {words!r}"
        self.followed += 1
        return block


def shell(account, block, folder=None):
    """Run a block as somebody would in a terminal: in their home, with the hub's programs."""
    home = folder or f"/home/{account}"
    told = f"cd {home}\nexport PATH={BIN}:$PATH NUMBA_CACHE_DIR={os.environ['NUMBA_CACHE_DIR']}\n"
    done = subprocess.run(["runuser", "-l", account, "-c", f"set -e\n{told}{block}"],
                          capture_output=True, text=True, timeout=900, check=False)
    assert done.returncode == 0, f"{account}: {block}\n{done.stdout}\n{done.stderr}"
    return done.stdout + done.stderr


class Visitor:
    """Somebody who logs in to the hub and works in the browser."""

    def __init__(self, name):
        self.name, self.web = name, requests.Session()
        self.web.get(f"{HUB}/hub/login", timeout=60)
        form = {"username": name, "password": PASSWORD, "_xsrf": self._mark("/hub/")}
        said = self.web.post(f"{HUB}/hub/login", data=form, timeout=60)
        assert said.ok, said.text
        self.web.get(f"{HUB}/hub/spawn", timeout=300)
        for _ in range(300):
            said = self.web.get(f"{HUB}/user/{name}/tree", timeout=300)
            if said.ok and self.web.get(self._at("api/status"), timeout=60).ok:
                return
            time.sleep(1)
        raise AssertionError(f"the server of {name} did not start: {said.status_code} {said.url}")

    def _at(self, path):
        return f"{HUB}/user/{self.name}/{path}"

    def _mark(self, path):
        found = [each.value for each in self.web.cookies
                 if each.name == "_xsrf" and each.path == path]
        return found[0] if found else ""

    def ask(self, how, path, **data):
        head = {"X-XSRFToken": self._mark(f"/user/{self.name}/")}
        said = self.web.request(how, self._at(path), json=data or None, headers=head, timeout=300)
        assert said.ok, f"{how} {path}: {said.status_code} {said.text[:2000]}"
        return said.json()

    def press(self, button):
        """A button of the Assignment List."""
        said = self.ask("POST", f"assignments/{button}", assignment_id=NAME,
                        course_id="recovering-bandits")
        assert said["success"], said

    def answer(self, change):
        """Open the notebook that was fetched, change its cells, save."""
        path = f"api/contents/{NAME}/{NAME}.ipynb"
        notebook = from_dict(self.ask("GET", path)["content"])
        change(notebook)
        self.ask("PUT", path, type="notebook", format="json", content=notebook)


def answered(notebook):
    key = {question: each.reference for question, each in read(NAME).questions.items()}
    for cell in notebook.cells:
        cell.source = key.get(grade_id_of(cell), cell.source)


def answered_in_part(notebook):
    """Right but for one question that was left, and without a test that was in the way."""
    answered(notebook)
    for cell in notebook.cells:
        if grade_id_of(cell) == "q1":
            cell.source = "raise NotImplementedError()"
    gone = next(cell for cell in notebook.cells if grade_id_of(cell) == "q2_test")
    notebook.cells.remove(gone)
    notebook.cells.append(v4.new_code_cell("1 + 1"))


def accounts():
    subprocess.run(["useradd", "-M", "-d", str(TOP), "-s", "/bin/bash", "teacher"], check=True)
    theirs = [str(path) for path in TOP.iterdir() if path.name != ".venv"]
    subprocess.run(["chown", "-R", "teacher:", *theirs], check=True)
    subprocess.run(["chown", "teacher:", str(TOP)], check=True)
    for name in ("ada", "bob"):
        subprocess.run(["useradd", "-m", "-s", "/bin/bash", name], check=True)
    lines = "".join(f"{name}:{PASSWORD}\n" for name in ("teacher", "ada", "bob"))
    subprocess.run(["chpasswd"], input=lines, text=True, check=True)


def points():
    """What nbgrader's gradebook says of each student."""
    return {student: each["score"] for (student, _), each in submissions(TOP / "course").items()}


def last_run():
    run = max((TOP / "course" / "graded").iterdir())
    found = {}
    with open(run / "grades.csv", newline="") as file:
        for row in csv.DictReader(file):
            found.setdefault(row["student"], {})[row["test"]] = float(row["points"])
    return found, (run / "notes.txt").read_text()


def main(result):
    accounts()
    day = Day()
    subprocess.run(["bash", "-ec", day.next("administrator")], check=True)
    Path("/etc/jupyter").mkdir(exist_ok=True)
    Path("/etc/jupyter/nbgrader_config.py").write_text(day.next("/etc/jupyter/nbgrader_config.py"))
    own = TOP / ".jupyter" / "nbgrader_config.py"
    own.parent.mkdir()
    own.write_text(day.next("~/.jupyter/nbgrader_config.py"))
    subprocess.run(["chown", "-R", "teacher:", str(own.parent)], check=True)
    place = Path("/run/hub")
    place.mkdir()
    (place / "settings.py").write_text(SETTINGS)
    command = [str(BIN / "jupyterhub"), "-f", str(place / "settings.py")]
    with open(place / "log", "w") as log:
        hub = subprocess.Popen(command, cwd=place, stdout=log, stderr=subprocess.STDOUT)
    try:
        found = at_work(day)
    except BaseException:
        print((place / "log").read_text()[-6000:], file=sys.stderr)
        raise
    finally:
        hub.terminate()
        hub.wait(60)
    assert day.followed == len(day.blocks), "the page has blocks that nobody has followed"
    Path(result).write_text(json.dumps(found))


def wait_for_the_hub():
    for _ in range(120):
        try:
            return requests.get(f"{HUB}/hub/login", timeout=10).raise_for_status()
        except requests.RequestException:
            time.sleep(0.5)
    raise AssertionError("the hub did not start")


def at_work(day):
    (TOP / "class.txt").write_text("ada\n")
    shell("teacher", day.next("gives it out"), TOP)
    shell("teacher", day.next("numbers of their own"), TOP)
    private = subprocess.run(["runuser", "-u", "ada", "--", "ls", str(TOP / "course")],
                             capture_output=True, check=False).returncode
    wait_for_the_hub()
    ada = Visitor("ada")
    ada.press("fetch")
    ada.answer(answered)
    ada.press("submit")
    fetch, submit = day.next("in a terminal").splitlines()
    shell("bob", fetch)
    path = Path(f"/home/bob/{NAME}/{NAME}.ipynb")
    notebook = from_dict(json.loads(path.read_text()))
    answered_in_part(notebook)
    path.write_text(json.dumps(notebook))
    shell("bob", submit)
    seen = {who: shell(who, RUN_NUMBERS) for who in ("ada", "bob")}
    meant = {who: assignment_for(TOP / "course", NAME, who).given[NUMBERS] + "\n"
             for who in ("ada", "bob")}
    shell("teacher", day.next("grades"), TOP)
    by_make, notes = last_run()
    book = points()
    teacher = Visitor("teacher")
    by_button = {}
    with Gradebook(address(TOP / "course")) as gradebook:
        for student in ("ada", "bob"):
            gradebook.remove_submission(NAME, student)  # so that the button is on its own
    for student in ("ada", "bob"):
        said = teacher.ask("POST", f"formgrader/api/submission/{NAME}/{student}/autograde")
        assert said["success"], said
        by_button[student] = points()[student]
    shell("teacher", day.next("feedback"), TOP)
    ada.press("fetch_feedback")
    shell("bob", day.next("fetched"))
    pages = {who: [path.read_text() for path in Path(f"/home/{who}").rglob("feedback/*/*.html")]
             for who in ("ada", "bob")}
    return {"by make": by_make, "notes": notes, "gradebook": book, "by button": by_button,
            "others may look": private == 0, "pages": pages, "seen": seen, "meant": meant}


if __name__ == "__main__":
    main(*sys.argv[1:])
