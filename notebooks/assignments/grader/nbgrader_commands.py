"""Several commands of nbgrader in one process: to start it takes longer than most of them.

Called by `gradebook.py` as  python nbgrader_commands.py '[["generate_assignment", "NAME"], ...]'.
"""

import json
import sys

from jupyter_core.application import NoStart
from nbgrader.apps import NbGraderApp


def run(arguments):
    """Run one command; whether it failed."""
    command = NbGraderApp()
    command.initialize(arguments)
    try:
        command.start()
    except NoStart:  # how it leaves after having done what was asked
        pass
    except SystemExit as left:
        return bool(left.code)
    finally:
        command.subapp.clear_instance()  # otherwise the next one would find this one's settings
    return False


if __name__ == "__main__":
    failed = [run(each) for each in json.loads(sys.argv[1])]
    sys.exit(any(failed))
