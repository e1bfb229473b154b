"""Our answer to the written question, with the numbers of the student who is graded.

In the source it holds expressions, <<such as this>>, of what our answers to the other questions
have computed, and may begin with a cell of Python (a fence called `computed`) that prepares them.
"""

import re

from assignment import grade_id_of

WRITTEN = "explain"
PREPARED = re.compile(r"```computed\n(.*?)\n```\n", re.DOTALL)
EXPRESSION = re.compile(r"<<(.+?)>>")


def filled_in(assignment):
    """The text, with everything computed from the assignment's numbers."""
    (text,) = [cell.source for cell in assignment.notebook.cells if grade_id_of(cell) == WRITTEN]
    if not EXPRESSION.search(text):
        return text
    space = {"__name__": "__main__"}
    for code in assignment.given.values():
        exec(code, space)
    for question in assignment.questions.values():
        exec(question.reference, space)
    for code in PREPARED.findall(text):
        exec(code, space)
    return EXPRESSION.sub(lambda found: str(eval(found[1], space)), PREPARED.sub("", text))
