"""A reward table from a file: a line for each arm, a column for each state."""

import csv

import numpy as np

from rb_core.errors import InputError, choice, shown


def read_means(path):
    """The expected rewards, arms x s_max, in a file .csv or .npy.

    A CSV file may have a line of names on top, and then also a first column of names: texts, or
    numbers if the column is called "arm" or nothing, as pandas writes the index of a DataFrame.
    """
    read = {".csv": _from_csv, ".npy": _from_npy}
    kind = choice("kind of table", path.suffix, read)
    try:
        return read[kind](path)
    except FileNotFoundError:
        raise InputError(f"There is no table {str(path)!r}.") from None
    except (OSError, EOFError, csv.Error, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"The table {str(path)!r} cannot be read: {shown(str(error))}.") from None


def _from_npy(path):
    return np.load(path, allow_pickle=False)


def _from_csv(path):
    with open(path, newline="", encoding="utf-8-sig") as file:
        lines = [[cell.strip() for cell in line] for line in csv.reader(file) if any(line)]
    if not lines:
        raise InputError(f"The table {str(path)!r} is empty.")
    first = lines[0]
    if len(first) > 1 and first == [str(state + 1) for state in range(len(first))]:
        raise InputError(
            f"The first line of {str(path)!r} counts 1, 2, ...: call states s1, s2, ..., or write "
            f"1.0 if it is an arm."
        )
    named = not all(map(_is_number, first))
    texts = not any(_is_number(line[0]) for line in lines[1:])
    skip = 1 if named and (texts or first[0].lower() in ("", "arm")) else 0
    for number, line in enumerate(lines[named:], 1):
        for cell in line[skip:]:
            if not _is_number(cell):
                raise InputError(f"Arm {number} in {str(path)!r} has {shown(cell)} for a number.")
    rows = [[float(cell) for cell in line[skip:]] for line in lines[named:]]
    if len(set(map(len, rows))) != 1 or not rows[0]:
        raise InputError(f"The arms in {str(path)!r} have different numbers of states, or none.")
    return np.array(rows)


def _is_number(text):
    try:
        float(text)
    except ValueError:
        return False
    return True
