"""Hand out and grade the course's assignments:  python notebooks/assignments/grader COMMAND."""

import sys

if __name__ == "__main__":  # the process for each hand-in loads this file, too
    from commands import main

    sys.exit(main())
