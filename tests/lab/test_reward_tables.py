"""A reward table from a file means what its author meant, or it is refused."""

import io
import tracemalloc

import numpy as np
import pandas as pd
import pytest

import rb_core as rb
from rb_core.lab.reward_tables import read_means

MEANS = [[0.1, 0.5, 0.3], [0.2, 0.2, 0.2]]


@pytest.mark.parametrize(
    "text",
    [
        "0.1,0.5,0.3\n0.2,0.2,0.2\n",
        " 0.1 , .5,3e-1\r\n\r\n0.2,0.2,0.2",
        "s1,s2,s3\n0.1,0.5,0.3\n0.2,0.2,0.2\n",
        "dish,1,2,3\npie,0.1,0.5,0.3\nsoup,0.2,0.2,0.2\n",
        "arm,1,2,3\n1,0.1,0.5,0.3\n2,0.2,0.2,0.2\n",
        "\ufeff0.1,0.5,0.3\n0.2,0.2,0.2\n",
        pd.DataFrame(MEANS).to_csv(),
        pd.DataFrame(MEANS, ["a", "b"]).to_csv(),
        pd.DataFrame(MEANS, columns=list("xyz")).to_csv(index=False),
    ],
)
def test_a_csv_file_is_read_with_or_without_names(tmp_path, text):
    path = tmp_path / "table.csv"
    path.write_text(text, encoding="utf-8")
    assert read_means(path).tolist() == MEANS


def test_a_line_with_one_number_is_an_arm_with_one_state(tmp_path):
    (tmp_path / "table.csv").write_text("0.5\n")
    assert read_means(tmp_path / "table.csv").tolist() == [[0.5]]


def test_an_array_of_numpy_is_read(tmp_path):
    np.save(tmp_path / "table.npy", MEANS)
    assert read_means(tmp_path / "table.npy").tolist() == MEANS


def test_the_largest_means_can_be_planned_for(tmp_path):
    np.save(tmp_path / "table.npy", [[1e100, -1e100, 1e100], [-1e100, 1e100, 3e99]])
    means = read_means(tmp_path / "table.npy")
    found = rb.schedule(rb.RecoveringBandit(means, "normal"), effort=0.01)
    assert 0 < found.average <= found.bound < 1.001e100


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is empty"),
        ("s1,s2\n", "different numbers of states, or none"),
        ("0.1,0.2\n0.3\n", "different numbers of states"),
        ("0.1,0.2\n0.3,\n", "State 2 of arm 2 in .* must be a number, not ''"),
        ("0.1;0.2\n0.3;0.4\n", "must be separated by commas"),
        ("0.1\t0.2\n0.3\t0.4\n", "must be separated by commas"),
        ("s1,s2\n0.1,high\n", "State 2 of arm 1 in .* must be a number, not 'high'"),
        ("1,2,3\n0.1,0.5,0.3\n", "counts 1, 2"),
        (f"0.1,{10**400}\n", "cannot be read"),
        ("0.1,1e308\n", r"must lie in \[-1e\+100, 1e\+100\]"),
        ("0.1,-1.1e100\n", "must lie in"),
        ("0.1,inf\n", "must lie in"),
    ],
)
def test_a_doubtful_csv_file_is_refused(tmp_path, text, said):
    path = tmp_path / "table.csv"
    path.write_text(text)
    with pytest.raises(rb.InputError, match=said):
        read_means(path)


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("0.1,,0.3\n0.2,0.2,0.2\n", "State 2 of arm 1"),
        ("0.1,x,0.3\n0.2,0.2,0.2\n", "State 2 of arm 1"),
        (",0.5,0.3\n0.2,0.2,0.2\n", "State 1 of arm 1"),
        (",0,1\n0.2,0.2,0.2\n", "State 1 of arm 1"),  # not the heading of a DataFrame
        ("x,1,2,3\n0.1,0.2,0.2,0.2\n", "State 1 of arm 1"),
        (",,\n0.2,0.2,0.2\n", "State 1 of arm 1"),
        ("NA,NA,NA\n0.2,0.2,0.2\n", "State 1 of arm 1"),
        ("0.1,0.5,0.3\n,,\n0.2,0.2,0.2\n", "State 1 of arm 2"),
        ("s1,s2,s3\n,0.5,0.3\n,0.2,0.2\n", "State 1 of arm 1"),
        ("0.1,0.5,0.3\n0.2,0.2,0.2\n , ,\n", "State 1 of arm 3"),
    ],
)
def test_no_arm_or_state_is_dropped_because_of_a_cell_that_is_no_number(tmp_path, text, where):
    path = tmp_path / "table.csv"
    path.write_text(text)
    with pytest.raises(rb.InputError, match=where):
        read_means(path)


def header_of_an_array(shape, kind="<f8"):
    """A .npy file that claims to hold an array, and holds 48 bytes."""
    file = io.BytesIO()
    claim = {"descr": kind, "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_1_0(file, claim)
    return file.getvalue() + bytes(48)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    "shape",
    [(1_640_625, 1_600_000), (8000, 8000), (2**62, 2**62), (3, 3), (1, 3), (2, -3), (-2, -3)],
)
def test_an_array_that_is_not_as_large_as_it_claims_is_refused_unread(tmp_path, shape):
    (tmp_path / "table.npy").write_bytes(header_of_an_array(shape))
    tracemalloc.start()
    try:
        with pytest.raises(rb.InputError, match="cannot be read"):
            read_means(tmp_path / "table.npy")
        assert tracemalloc.get_traced_memory()[1] < 10e6
    finally:
        tracemalloc.stop()


def test_an_array_of_something_else_than_numbers_is_refused(tmp_path):
    (tmp_path / "table.npy").write_bytes(header_of_an_array((2, 3), "|O"))
    with pytest.raises(rb.InputError, match="cannot be read"):
        read_means(tmp_path / "table.npy")


@pytest.mark.parametrize("content", [b"", b"not an array", b"\x93NUMPY\x01\x00"])
def test_a_damaged_array_is_refused(tmp_path, content):
    (tmp_path / "table.npy").write_bytes(content)
    with pytest.raises(rb.InputError, match="cannot be read"):
        read_means(tmp_path / "table.npy")
