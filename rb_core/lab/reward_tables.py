"""A reward table from a file: a line for each arm, a column for each state."""

import csv
from pathlib import Path

import numpy as np

from rb_core.checks import InputError, choice, numeral, shown

MOST_MEAN = 1e100  # in size: squares and sums of means stay far from infinity, as with rewards


def read_means(path: Path) -> np.ndarray:
    """The expected rewards, arms x s_max, in a file .csv or .npy.

    A CSV file may have a line of names on top, and then also a first column of names: texts, or
    numbers if the column is called "arm" or nothing, as pandas writes the index of a DataFrame.
    """
    read = {".csv": _from_csv, ".npy": _from_npy}
    kind = choice("kind of table", path.suffix, read)
    try:
        table = read[kind](path)
    except FileNotFoundError:
        raise InputError(f"There is no table {str(path)!r}.") from None
    except (OSError, EOFError, csv.Error, ValueError, ArithmeticError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"The table {str(path)!r} cannot be read: {shown(str(error))}.") from None
    if table.dtype.kind in "iuf" and (np.abs(table.astype(float)) > MOST_MEAN).any():
        raise InputError(f"Means in {str(path)!r} must lie in [{-MOST_MEAN:g}, {MOST_MEAN:g}].")
    return table


def _from_npy(path: Path) -> np.ndarray:
    with np.errstate(over="raise"):
        table = np.lib.format.open_memmap(path, "r")  # which makes no room for what is not there
    if table.offset + table.nbytes != path.stat().st_size:
        raise ValueError("there is more in it than an array")
    return np.array(table)


def _from_csv(path: Path) -> np.ndarray:
    with open(path, newline="", encoding="utf-8-sig") as file:
        lines = [[cell.strip() for cell in line] for line in csv.reader(file) if line]
    if not lines:
        raise InputError(f"The table {str(path)!r} is empty.")
    first, *others = lines
    counts = [str(state) for state in range(len(first) + 1)]
    if len(first) > 1 and first == counts[1:]:
        raise InputError(
            f"The first line of {str(path)!r} counts 1, 2, ...: call states s1, s2, ..., or write "
            f"1.0 if it is an arm."
        )
    if all(len(line) == 1 and set(line[0]) & {";", "\t"} for line in lines):
        raise InputError(f"The columns of {str(path)!r} must be separated by commas.")
    texts = bool(others) and all(line[0] and not _is_number(line[0]) for line in others)
    skip = texts or first[0].lower() in ("", "arm")
    if any(map(_is_number, first)):
        # An arm with a cell that is no number, unless states are counted and arms have names.
        counted = first[1:] in (counts[:-2], counts[1:-1])
        named = counted and skip and (texts or all(line[0].isdecimal() for line in others))
    else:
        named = len(set(first)) == len(first)
    rows = [
        [numeral(f"State {state} of arm {arm} in {str(path)!r}", cell)
         for state, cell in enumerate(line[named and skip :], 1)]
        for arm, line in enumerate(others if named else lines, 1)
    ]
    if len(set(map(len, rows))) != 1 or not rows[0]:
        raise InputError(f"The arms in {str(path)!r} have different numbers of states, or none.")
    return np.array(rows, dtype=float)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
