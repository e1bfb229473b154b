"""A hand-in as nbgrader expects it: the student's own notebook, with the cells that we gave."""

import copy

from assignment import grade_id_of
from nbformat import v4


def restored(release, notebook):
    """The student's cells in their order; tests and given cells as they were released.

    A cell of ours that is gone comes back behind the one that it followed; a second copy of one is
    a cell like any other that the student has added.
    """
    ours = {grade_id_of(cell): cell for cell in release.cells if grade_id_of(cell)}
    named = names(release, notebook)
    cells, places = [], {}
    for cell, name in zip(notebook.cells, named, strict=True):
        if name in ours:
            places[name] = len(cells)
            cells.append(_given_back(ours[name], cell))
        else:
            cells.append(_own(cell))
    after = -1
    for name, cell in ours.items():
        if name not in places:
            cells.insert(after + 1, copy.deepcopy(cell))
            places = {each: place + (place > after) for each, place in places.items()}
            places[name] = after + 1
        after = places[name]
    return v4.new_notebook(cells=_with_ids(cells), metadata=copy.deepcopy(release.metadata))


def names(release, notebook):
    """What nbgrader called each cell when it was released; "" for the student's own cells."""
    kinds = {grade_id_of(cell): cell.cell_type for cell in release.cells if grade_id_of(cell)}
    found, seen = [], set()
    for cell in notebook.cells:
        name = grade_id_of(cell)
        known = kinds.get(name) == cell.cell_type and name not in seen
        found.append(name if known else "")
        seen.add(found[-1])
    return found if any(found) else _names_by_text(release, notebook)


def _names_by_text(release, notebook):
    """The same where some program has dropped what nbgrader wrote: by the cells around them.

    Tests and given cells are known by their texts. An answer is the last cell of its kind before
    the next cell that is known, or before the end.
    """
    ours = [cell for cell in release.cells if grade_id_of(cell)]
    texts = {cell.source.strip(): grade_id_of(cell) for cell in release.cells
             if cell.source.strip()}  # "" for the texts between
    found = [texts.get(cell.source.strip()) for cell in notebook.cells]
    if not any(found):
        return [""] * len(found)
    for i, cell in enumerate(ours):
        name = grade_id_of(cell)
        if not cell.metadata.nbgrader.solution or name in found:
            continue
        following = [grade_id_of(each) for each in ours[i + 1 :]]
        end = next((found.index(each) for each in following if each in found), len(found))
        for place in reversed(range(end)):
            if found[place]:
                break
            if found[place] is None and notebook.cells[place].cell_type == cell.cell_type:
                found[place] = name
                break
    return [name or "" for name in found]


def _given_back(ours, theirs):
    """Our cell; with the student's text, if it was there to be written in."""
    cell = copy.deepcopy(ours)
    if cell.metadata.nbgrader.solution:
        cell.source = theirs.source
        if "attachments" in theirs:
            cell.attachments = theirs.attachments
    return cell


def _own(cell):
    cell = copy.deepcopy(cell)
    cell.metadata.clear()
    return cell


def _with_ids(cells):
    """No two cells with the same id."""
    seen = set()
    for cell in cells:
        if cell.id in seen:
            cell.id = v4.new_code_cell("").id
        seen.add(cell.id)
    return cells
