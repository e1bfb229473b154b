"""A notebook that somebody handed in: opened with care, and reduced to what is theirs."""

import errno
import json
import os
import re
import stat

import nbformat
from nbformat import v4

MOST_BYTES = 20_000_000
PICTURES = {"image/png", "image/jpeg", "image/gif"}


class Refused(Exception):
    """A file that is not even opened, or not read to its end; the text says why."""


def read(path):
    """The notebook in a file, without outputs and without anything that only programs see."""
    found = _cleaned(json.loads(bytes_of(path).decode(errors="replace")))
    return in_order(nbformat.reads(json.dumps(found), as_version=4))


def in_order(notebook):
    """The notebook's cells with their texts, which can be written down again."""
    return v4.new_notebook(cells=[_plain(cell) for cell in notebook.cells])


def bytes_of(path):
    """What is in a plain file, if that is not too much."""
    with open(path, "rb", opener=_regular) as file:
        data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise Refused(f"it has more than {MOST_BYTES:,} bytes")
    return data


def _regular(path, flags):
    """Opens plain files only: a link is not followed, and a queue not waited for."""
    try:
        number = os.open(path, flags | os.O_NONBLOCK | os.O_NOFOLLOW)
    except OSError as error:
        link = error.errno == errno.ELOOP
        raise Refused("it is a link" if link else error.strerror) from None
    if not stat.S_ISREG(os.fstat(number).st_mode):
        os.close(number)
        raise Refused("it is not a file")
    return number


def clean(text):
    """Text without half letters, which can be read but not written."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").replace("\0", "")


def _cleaned(value):
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, list):
        return [_cleaned(each) for each in value]
    if isinstance(value, dict):
        return {clean(key): _cleaned(each) for key, each in value.items()}
    return value


def _plain(cell):
    """The cell's text, and what nbgrader knows of it; pictures pasted into text stay."""
    source = clean(cell.source if isinstance(cell.source, str) else "".join(cell.source))
    if cell.cell_type == "code":
        made = v4.new_code_cell(source)
    else:  # cells that are neither would go into a page as they are
        is_text = cell.cell_type == "markdown"
        made = v4.new_markdown_cell(source if is_text else f"```\n{source}\n```")
        attached = {name: {kind: data for kind, data in each.items() if kind in PICTURES}
                    for name, each in cell.get("attachments", {}).items()}
        if attached:
            made.attachments = attached
    if re.fullmatch(r"[\w-]{1,64}", str(cell.get("id", ""))):
        made.id = cell.id
    about = cell.metadata.get("nbgrader")
    if isinstance(about, dict):
        made.metadata.nbgrader = about
    return made
