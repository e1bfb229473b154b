"""Several commands of nbgrader in one process: to start it takes longer than most of them.

Called by `course.py` as  python nbgrader_commands.py '[["generate_assignment", "NAME"], ...]'.
"""

import json
import sys

from jupyter_core.application import NoStart
from nbgrader.apps import NbGraderApp


def run(arguments):
    command = NbGraderApp()
    command.initialize(arguments)
    try:
        command.start()
    except NoStart:  # how it leaves after having done what was asked
        pass
    finally:
        command.subapp.clear_instance()  # otherwise the next one would find this one's settings


if __name__ == "__main__":
    for each in json.loads(sys.argv[1]):
        run(each)
