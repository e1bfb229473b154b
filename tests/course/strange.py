"""Hand-ins of one assignment in which something is strange, some of them innocently.

Each writes a student's folder, given the key's notebook and its place, and says which statuses its
tests may have in the grade list.
"""

import json
import os

import nbformat
from assignment import grade_id_of

RIGHT = {"right"}


def written(notebook, folder, name):
    folder.mkdir(parents=True)
    nbformat.write(notebook, folder / f"{name}.ipynb")


def changed(notebook, **texts):
    for cell in notebook.cells:
        cell.source = texts.get(grade_id_of(cell), cell.source)
    return notebook


def half_an_emoji(key, folder, name):
    folder.mkdir(parents=True)
    text = nbformat.writes(changed(key, explain="HALF"))
    (folder / f"{name}.ipynb").write_text(text.replace("HALF", "a song \\ud83d"))
    return RIGHT


def half_an_emoji_in_code(key, folder, name):
    folder.mkdir(parents=True)
    text = nbformat.writes(key).replace("found = edge = ", "emoji = '\\ud83d'; found = edge = ")
    (folder / f"{name}.ipynb").write_text(text)
    return RIGHT


def unreadable_time(key, folder, name):
    written(key, folder, name)
    (folder / "timestamp.txt").write_text("yesterday, I think")
    return RIGHT


def time_of_bytes(key, folder, name):
    written(key, folder, name)
    (folder / "timestamp.txt").write_bytes(bytes(range(256)))
    return RIGHT


def checkpoints(key, folder, name):
    written(key, folder, name)
    written(key, folder / ".ipynb_checkpoints", f"{name}-checkpoint")
    return RIGHT


def renamed(key, folder, name):
    folder.mkdir(parents=True)
    nbformat.write(key, folder / f"{name} (1).ipynb")
    return RIGHT


def without_metadata(key, folder, name):
    for cell in key.cells:
        cell.metadata.clear()
        del cell["id"]
    key.nbformat_minor = 4
    written(key, folder, name)
    return RIGHT


def tests_deleted(key, folder, name):
    key.cells = [cell for cell in key.cells if not grade_id_of(cell).startswith(("q2_", "given_"))]
    written(key, folder, name)
    return RIGHT


def every_cell_twice(key, folder, name):
    key.cells = [cell for each in key.cells for cell in (each, json.loads(json.dumps(each)))]
    numbered = [cell | {"id": f"cell-{i}"} for i, cell in enumerate(key.cells)]
    key.cells = [nbformat.from_dict(cell) for cell in numbered]
    written(key, folder, name)
    return RIGHT


def link_to_the_key(key, folder, name):
    written(key, folder.parent.parent / "the-key" / name, name)
    folder.mkdir(parents=True)
    os.symlink(folder.parent.parent / "the-key" / name / f"{name}.ipynb", folder / f"{name}.ipynb")
    return {"refused"}


def linked_folder(key, folder, name):
    folder.parent.mkdir(parents=True)
    os.symlink(folder.parent.parent / "the-key" / name, folder)
    return {"refused"}


def folder_for_a_file(key, folder, name):
    (folder / f"{name}.ipynb").mkdir(parents=True)
    return {"refused"}


def file_for_a_folder(key, folder, name):
    folder.parent.mkdir(parents=True)
    folder.write_text("here you are")
    return {"unreadable"}


def queue(key, folder, name):
    folder.mkdir(parents=True)
    os.mkfifo(folder / f"{name}.ipynb")
    return {"refused"}


def empty_folder(key, folder, name):
    folder.mkdir(parents=True)
    return {"unreadable"}


def no_notebook(key, folder, name):
    folder.mkdir(parents=True)
    (folder / f"{name}.ipynb").write_text("{nonsense")
    return {"unreadable"}


def deep(key, folder, name):
    folder.mkdir(parents=True)
    (folder / f"{name}.ipynb").write_text("[" * 10**6)
    return {"unreadable"}


def huge(key, folder, name):
    folder.mkdir(parents=True)
    with open(folder / f"{name}.ipynb", "wb") as file:
        file.truncate(10**10)
    return {"refused"}


def cells_of_other_things(key, folder, name):
    folder.mkdir(parents=True)
    book = {"cells": [1, None, {"cell_type": 5}], "metadata": [], "nbformat": 4}
    (folder / f"{name}.ipynb").write_text(json.dumps(book | {"nbformat_minor": 5}))
    return {"unreadable"}


def another_assignment(key, folder, name):
    from assignment import source

    written(source("3_visitation"), folder, name)
    return {"wrong notebook"}


def something_else(key, folder, name):
    written(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("1 + 1")]), folder, name)
    return {"wrong notebook"}


def endless_reply(key, folder, name):
    code = "import os\n" + "\n".join(
        f"try: os.write({n}, b'\\0\\0\\3\\xe8x')\nexcept OSError: pass" for n in range(3, 16))
    written(changed(key, q1=code + "\nimport time\ntime.sleep(60)"), folder, name)
    return {"right", "time limit"}


def in_the_page(key, folder, name):
    bad = ("<script>document.title = 'taken'</script> <img src=x onerror=\"alert(1)\"> "
           "[press](javascript:alert(1)) <iframe src='https://example.org'></iframe> "
           "$\\href{javascript:alert(1)}{x}$ <svg onload=alert(1)> <b>bold</b> 1 < 2")
    changed(key, explain=bad)
    key.cells.insert(1, nbformat.v4.new_markdown_cell("My own note. " + bad))
    key.cells.insert(1, nbformat.v4.new_raw_cell(bad, metadata={"raw_mimetype": "text/html"}))
    key.cells.insert(1, nbformat.v4.new_code_cell("1", outputs=[nbformat.v4.new_output(
        "display_data", {"text/html": bad})]))
    written(key, folder, name)
    return RIGHT


STRANGE = {
    function.__name__.replace("_", "-"): function
    for function in (
        half_an_emoji, half_an_emoji_in_code, unreadable_time, time_of_bytes, checkpoints, renamed,
        without_metadata, tests_deleted, every_cell_twice, link_to_the_key, linked_folder,
        folder_for_a_file, file_for_a_folder, queue, empty_folder, no_notebook, deep, huge,
        cells_of_other_things, another_assignment, something_else, endless_reply, in_the_page)
}
# Names that nbgrader would take for a pattern, leave out or stumble over.
STRANGE |= {name: (lambda key, folder, of: written(key, folder, of) or RIGHT)
            for name in ("bob[2]", ".dot", "o'neil", "Zoë Müller", "-rf", "a*b", "a;b", "100%")}
