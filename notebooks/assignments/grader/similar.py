"""Hand-ins that are much alike: a hint for the teacher to look, not a verdict."""

import io
import tokenize
from collections import Counter
from itertools import combinations
from typing import NamedTuple

LONG = 5  # tokens in a row
ENOUGH = 40  # rows of tokens that say something, so that short answers are not alike by chance
ALIKE = 0.8
USUAL = 0.3  # what this share of a class has written says nothing
NOTHING = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT,
           tokenize.ENCODING, tokenize.ENDMARKER}


class Pair(NamedTuple):
    """Two students, how much of what they wrote is common, and their texts."""

    one: str
    other: str
    share: float
    texts: tuple


def pairs(codes, most=10):
    """The pairs that are most alike, of a dictionary student -> code."""
    rows = {student: _rows(code) for student, code in codes.items()}
    times = Counter(row for each in rows.values() for row in each)
    usual = max(2, USUAL * len(codes))
    own = {student: {row for row in each if times[row] <= usual} for student, each in rows.items()}
    own = {student: each for student, each in own.items() if len(each) >= ENOUGH}
    found = []
    for one, other in combinations(sorted(own), 2):
        share = len(own[one] & own[other]) / len(own[one] | own[other])
        if share >= ALIKE:
            found.append(Pair(one, other, share, (codes[one], codes[other])))
    return sorted(found, key=lambda pair: -pair.share)[:most]


def _rows(code):
    """All rows of tokens, whatever the layout and the comments."""
    words = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(code).readline):
            if token.type not in NOTHING:
                words.append(token.string)
    except (tokenize.TokenError, SyntaxError):
        pass  # as far as it can be read
    return set(zip(*(words[i:] for i in range(LONG)), strict=False))
