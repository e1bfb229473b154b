"""The book is for students, too: it must not show them the course's solutions and hidden tests."""

from tests.course.secrets import leaks, texts_below


def test_nothing_secret_is_in_the_book(book):
    seen = 0
    for path, text in texts_below(book):
        seen += 1
        assert leaks(text) == set(), path
    assert seen > 100
