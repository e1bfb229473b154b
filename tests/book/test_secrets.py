"""The book is for students, too: it must not show them the course's solutions and hidden tests."""

from tests.course.secrets import assignments, leaks, texts_below


def test_nothing_secret_is_in_the_book(book):
    seen = 0
    for path, text in texts_below(book):
        seen += 1
        assert leaks(text) == set(), path
    assert seen > 100


def test_students_can_download_every_assignment(book):
    page = (book / "book" / "study.html").read_text()
    for name in assignments():
        (found,) = book.glob(f"_downloads/*/{name}.ipynb")
        assert found.relative_to(book).as_posix() in page
