"""Calls to the kernel that a student's code may not make: ways to memory that no limit counts.

In the form that bubblewrap takes: a program for the kernel's packet filter, here a list of
comparisons. On other processors there is none, and the other limits remain.
"""

import platform
import struct
import tempfile
from contextlib import contextmanager

# add_key, io_uring_setup, keyctl, memfd_create, memfd_secret, mount, msgget, semget, setns, shmget,
# unshare, ptrace, process_vm_readv, process_vm_writev: in the kernel's tables for each processor,
# and the number by which it calls itself
NUMBERS = {
    "x86_64": (0xC000003E, (248, 425, 250, 319, 447, 165, 68, 64, 308, 29, 272, 101, 310, 311)),
    "aarch64": (0xC00000B7, (217, 425, 219, 279, 447, 40, 186, 190, 268, 194, 97, 117, 270, 271)),
}
LOAD, EQUAL, AT_LEAST, RETURN = 0x20, 0x15, 0x35, 0x06
ALLOW, REFUSE, KILL = 0x7FFF0000, 0x00050001, 0x80000000  # refuse: as "not permitted"
NUMBER, PROCESSOR = 0, 4  # where they stand in what the filter sees
OTHER_TABLE = 0x40000000  # calls by the numbers of another table, x32


@contextmanager
def readable():
    """The filter in an open file, or None where we know none."""
    if platform.machine() not in NUMBERS:
        yield None
        return
    with tempfile.TemporaryFile() as file:
        file.write(program(*NUMBERS[platform.machine()]))
        file.seek(0)
        yield file


def program(processor, numbers):
    steps = [(LOAD, 0, 0, PROCESSOR), (EQUAL, 1, 0, processor), (RETURN, 0, 0, KILL),
             (LOAD, 0, 0, NUMBER), (AT_LEAST, len(numbers) + 1, 0, OTHER_TABLE)]
    for i, number in enumerate(numbers):
        steps.append((EQUAL, len(numbers) - i, 0, number))
    steps += [(RETURN, 0, 0, ALLOW), (RETURN, 0, 0, REFUSE)]
    return b"".join(struct.pack("HBBI", *step) for step in steps)
