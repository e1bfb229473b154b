"""Python imports this module by itself when it starts, if its folder is on PYTHONPATH (watch.py).

It notes every file that the process opens for reading or runs as code. That code is also read, by
rb_core to give it a name, does not count: files that are not imported change no output.
"""

import os
import sys

log = os.open(os.environ["WATCH_READS"], os.O_WRONLY | os.O_APPEND)
CODE = (".py", ".pyc")


def note(event, arguments):
    if event == "open":
        path, _, flags = arguments
        seen = not isinstance(path, int) and not flags & os.O_WRONLY
        path = os.fsdecode(path) if seen else ""
        seen = seen and not path.endswith(CODE)
    elif event == "exec":
        path = arguments[0].co_filename
        seen = arguments[0].co_name == "<module>"
    else:
        return
    if seen:
        os.write(log, os.fsencode(os.path.abspath(path)) + b"\n")


sys.addaudithook(note)
