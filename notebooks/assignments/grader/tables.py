"""Tables for spreadsheets."""

import csv


def write_table(path, lines):
    """Write a CSV file in which no text is a formula: students choose some of these words."""
    with open(path, "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([[_text(each) for each in line] for line in lines])


def _text(value):
    if isinstance(value, str) and len(value) > 1 and value[0] in "=+-@\t":
        return f"'{value}"
    return value
