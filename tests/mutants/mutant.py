"""A mutant: the package with one small fault, and the test that must see it."""

from typing import NamedTuple


class Mutant(NamedTuple):
    file: str  # of rb_core
    before: str  # what stands there, exactly once
    after: str  # what the fault makes of it
    killer: str  # the test that must fail: a node id of pytest
    nth: int | None = None  # where `before` stands more than once: which of them, from 1

    @property
    def change(self) -> str:
        """The fault in one line."""
        which = f" (number {self.nth})" if self.nth else ""
        return " ".join(f"{self.before}{which}  ->  {self.after}".split())

    def applied(self, text: str) -> str:
        """The text of the file with the fault; an error if it does not say where."""
        found = text.count(self.before)
        if self.nth is None and found != 1:
            raise ValueError(f"{self.file} has {found} times {self.before!r}, not once.")
        if self.nth is not None and found < self.nth:
            raise ValueError(f"{self.file} has only {found} times {self.before!r}.")
        parts = text.split(self.before)
        at = self.nth or 1
        return self.before.join(parts[:at]) + self.after + self.before.join(parts[at:])
