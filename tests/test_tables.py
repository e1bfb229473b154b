"""A reward table from a file means what its author meant, or it is refused."""

import numpy as np
import pandas as pd
import pytest

import rb_core as rb
from rb_core.tables import read_means

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


def test_an_array_of_numpy_is_read(tmp_path):
    np.save(tmp_path / "table.npy", MEANS)
    assert read_means(tmp_path / "table.npy").tolist() == MEANS


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is empty"),
        ("s1,s2\n", "different numbers of states, or none"),
        ("0.1,0.2\n0.3\n", "different numbers of states"),
        ("0.1,0.2\n0.3,\n", "Arm 2 .* has '' for a number"),
        ("0.1;0.2\n0.3;0.4\n", "for a number|different"),
        ("s1,s2\n0.1,high\n", "Arm 1 .* has 'high'"),
        ("1,2,3\n0.1,0.5,0.3\n", "counts 1, 2"),
    ],
)
def test_a_doubtful_csv_file_is_refused(tmp_path, text, said):
    path = tmp_path / "table.csv"
    path.write_text(text)
    with pytest.raises(rb.InputError, match=said):
        read_means(path)


@pytest.mark.parametrize("content", [b"", b"not an array", b"\x93NUMPY\x01\x00"])
def test_a_damaged_array_is_refused(tmp_path, content):
    (tmp_path / "table.npy").write_bytes(content)
    with pytest.raises(rb.InputError, match="cannot be read"):
        read_means(tmp_path / "table.npy")
