"""Hand-ins that try to get points without work, and hand-ins that die."""

from assignment import read

ALWAYS_RIGHT = '''
class Yes(float):
    """Whatever it is compared with, it agrees."""
    __hash__ = None
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    __lt__ = __le__ = __gt__ = __ge__ = __eq__
    def __sub__(self, other): return Yes(0)
    __rsub__ = __abs__ = __add__ = __radd__ = __mul__ = __rmul__ = __sub__
    def __array__(self, *args, **options): return self
    def __len__(self): return 0
    def __iter__(self): return iter([self])
    def __getitem__(self, key): return self
    def __abs__(self): return self
'''
PATCHED = """
import builtins, sys
import numpy as np
np.allclose = np.array_equal = np.isclose = np.all = lambda *args, **options: True
np.testing.assert_allclose = np.testing.assert_array_equal = lambda *args, **options: None
builtins.abs = lambda value: 0
builtins.AssertionError = Exception
sys.settrace(None)
for frame in sys._current_frames().values():
    frame.f_globals["exec"] = lambda *args: None
"""
FROM_CORE = "from rb_core import *\nimport rb_core as rb\n"
DEATHS = {
    "process died": "import os\nos._exit(1)",
    "out of memory": "import numpy as np\nmuch = np.ones(10**10 // 8)",
    "syntax error": "def answer(:\n    return 1",
}


def cheat(question, preamble, value):
    """An answer that defines what is asked for and has no work in it."""
    functions = {line.split("(")[0].removeprefix("def ")
                 for line in question.reference.splitlines() if line.startswith("def ")}
    lines = [preamble]
    for name in sorted(question.names):
        if name in functions:
            lines.append(f"def {name}(*args, **options):\n    return {value}")
        else:
            lines.append(f"{name} = {value}")
    return "\n".join(lines)


def cheats(name):
    questions = read(name).questions.items()
    return {
        "tests-overwritten": {test: "pass" for _, each in questions for test, _, _ in each.tests},
        "always-right": {q: cheat(each, ALWAYS_RIGHT, "Yes(0)") for q, each in questions},
        "patched": {q: cheat(each, PATCHED, "0.0") for q, each in questions},
        "from-core": {q: FROM_CORE + each.reference for q, each in questions},
    }
