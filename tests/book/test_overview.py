"""The picture of the README is the one that the committed results give."""

import importlib.util
import struct

from tests.conftest import TOP


def text_of(png):
    """What a PNG file says of itself, by keyword."""
    at, found = 8, {}
    while at < len(png):
        length, kind = struct.unpack(">I4s", png[at : at + 8])
        if kind == b"tEXt":
            key, value = png[at + 8 : at + 8 + length].split(b"\0", 1)
            found[key.decode()] = value.decode("latin-1")
        at += 12 + length
    return found


def test_the_overview_was_drawn_from_what_is_committed():
    spec = importlib.util.spec_from_file_location("overview", TOP / "book" / "overview.py")
    overview = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(overview)
    said = text_of(overview.PICTURE.read_bytes()).get("Description")
    assert said == overview.drawn_from(), "Out of date: run `make derived`."
