"""Answers that attack what grades them, from a student's own process.

Each is code for the cell of one question, `double(x)`. None of them knows how to double.
"""

# A reply as it goes over the line, whatever the process was asked; FRAME sends bytes as they are.
FRAME = '''
import json, os, struct, sys, time

def line():
    """The line to the grader: the one socket that this process has."""
    for each in range(3, 64):
        try:
            if os.readlink(f"/proc/self/fd/{each}").startswith("socket:"):
                return each
        except OSError:
            pass

def send(data, announced=None):
    os.write(line(), struct.pack("!I", len(data) if announced is None else announced))
    while data:
        data = data[os.write(line(), data):]

def reply(value, number):
    send(json.dumps({"number": number, "value": value}).encode())

def double(x):
    return 0

main = sys.modules["__main__"]
'''


def always(value):
    """Whatever is asked, this value comes back; `asked` is the request."""
    return f"{FRAME}\nmain.answered = lambda asked, names: {value}"


NAMES = "double range enumerate sorted abs int float len all any isinstance tuple zip max sum np"

ATTACKS = {
    # of builtins: the first three are the review's
    "more names than were asked for": always(
        f"dict.fromkeys({NAMES.split()!r}, True) if asked['do'] == 'kinds' else []"),
    "builtins as answers": "\n".join(f"def {name}(*args): return True" for name in NAMES.split())
    + "\ndef double(x): return 0",
    "the name of the builtins": "__builtins__ = {'range': lambda *_: []}\ndef double(x): return 0",
    "every name is a function": always("'function' if 'kind' in asked['do'] else 0"),
    "a kind that is none": always("['function']"),
    # of length
    "a thousand bytes announced, one sent": FRAME + "send(b'{', 1000)\ntime.sleep(60)",
    "four gigabytes announced": FRAME + "send(b'{', 2**32 - 1)\ntime.sleep(60)",
    "one byte now and then": FRAME + """
os.write(line(), struct.pack("!I", 1000))
while True:
    os.write(line(), b" ")
    time.sleep(0.2)
""",
    "nothing announced": FRAME + "send(b'')",
    "an endless reply": FRAME + """
os.write(line(), struct.pack("!I", 2**31 - 1))
while True:
    os.write(line(), b" " * 10**6)
""",
    # of type and form
    "a list for a reply": FRAME + "send(b'[1]')",
    "a number for an error": FRAME + """send(b'{"dict": [["error", 5]]}')""",
    "an error without words": FRAME + """send(b'{"number": 1, "error": 5}')""",
    "an error of other things": FRAME + """send(b'{"number": 1, "error": [{}, [], "x"]}')""",
    "no text": FRAME + "send(bytes(range(256)))",
    "a number for a reply": FRAME + "send(b'17')",
    "a million strings": always("'value'") + """
main.answered = lambda asked, names: __import__("numpy").array(["x"] * 10**6)
""",
    "one long string among short ones": FRAME + """
texts = {"array": ["x" * 10**5] + ["x"] * 10**5, "kind": "U"}
send(json.dumps({"dict": [["value", texts]]}).encode())
""",
    "very deep": FRAME + "send(b'[' * 10**5 + b']' * 10**5)",
    "deep, but only on the other side": FRAME + """
send(b'{"number": 1, "value": ' + b'[' * 900 + b']' * 900 + b'}')
""",
    "a number with a million digits": FRAME + """
send(b'{"number": 1, "value": ' + b'9' * 10**6 + b'}')
""",
    "an array that lies about its shape": FRAME + """
reply({"array": [1.0], "shape": [10**9, 10**9], "kind": "f"}, 1)
""",
    "an array of what is no number": FRAME + """
reply({"array": [None, [], {}], "shape": [3], "kind": "O"}, 1)
""",
    "a key that cannot be one": FRAME + "reply({'dict': [[[], 1]]}, 1)",
    "a tag that nobody knows": FRAME + "reply({'generator': {}}, 1)",
    "a function from the other side": FRAME + "reply({'name': 'print'}, 1)",
    "half an emoji": "def double(x):\n    raise ValueError('\\ud83d')",
    "an error with half an emoji for a name": """
def double(x):
    raise type('\\ud83d', (Exception,), {})()
""",
    # of order and time
    "answers before the questions": FRAME + "\nfor number in range(200):\n    reply(4, number)",
    "the same answer for ever": always("4"),
    "deaf": "import os, signal\ndef double(x):\n    os.kill(os.getpid(), signal.SIGSTOP)",
    "hung up": FRAME + "os.close(line())",
    "asleep": "import time\ndef double(x):\n    time.sleep(60)",
    # of size
    "ten million numbers": "def double(x):\n    return list(range(10**7))",
    "a number of four thousand digits": "def double(x):\n    return 10**4000",
    "a text for a number": "def double(x):\n    return '4' * 10**6",
    "keys that collide": "def double(x):\n    return {i * (2**61 - 1): 0 for i in range(10**5)}",
    "an iterator without end": "import itertools\ndef double(x):\n    return itertools.count()",
    "a list that holds itself": "def double(x):\n    a = []\n    a.append(a)\n    return a",
    # of the worker
    "patched main": FRAME + """
for name, value in list(vars(main).items()):
    if callable(value) and not name.startswith("__"):
        setattr(main, name, lambda *_, **__: 4)
""",
    "patched JSON": FRAME + "json.dumps = lambda *_, **__: '{\"number\": 1, \"value\": true}'",
    "an exit": "def double(x):\n    raise SystemExit(0)",
    "always equal": """
class Yes(int):
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    __hash__ = None
def double(x):
    return Yes(1)
""",
    "true for one": "def double(x):\n    return x == 1",
}

# What a student's code may not get hold of, in total: each gives what it got.
GREEDY = {
    "many processes": ("""
import os
answer = 0
for _ in range(200):
    try:
        if os.fork() == 0:
            import time; time.sleep(30); os._exit(0)
        answer += 1
    except OSError:
        break
""", 0),
    "many threads": ("""
import threading, time
answer = 0
for _ in range(200):
    try:
        threading.Thread(target=time.sleep, args=(30,), daemon=True).start()
        answer += 1
    except RuntimeError:
        break
""", 0),
    "all of /tmp": ("""
import os
answer = 0
try:
    for number in range(100):
        with open(f"/tmp/{number}", "wb") as file:
            for _ in range(9):
                answer += file.write(bytes(10**6))
except OSError:
    pass
""", 110_000_000),
    "files elsewhere": ("""
import os
answer = 0
for folder in ("/", "/dev", "/dev/shm", "/usr", "/proc", *__import__("sys").path):
    try:
        with open(os.path.join(folder, "mine"), "wb") as file:
            answer += file.write(bytes(10**6))
    except OSError:
        pass
""", 0),
    "memory without a name": ("""
import os
answer, kept = 0, []
try:
    for number in range(2000):
        kept.append(os.memfd_create("mine"))
        answer += os.write(kept[-1], bytes(9 * 10**6))
except OSError:
    pass
""", 650_000_000),
    "shared memory": ("""
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
libc.shmat.restype = ctypes.c_void_p
answer = 0
for _ in range(20):
    segment = libc.shmget(0, 200_000_000, 0o1600)
    if segment < 0:
        break
    place = libc.shmat(segment, None, 0)
    if place in (None, 2**64 - 1):
        break
    ctypes.memset(place, 1, 200_000_000)
    libc.shmdt(ctypes.c_void_p(place))
    answer += 200_000_000
""", 0),
    "a namespace of its own": ("""
import ctypes
answer = int(ctypes.CDLL(None).unshare(0x10000000) == 0)
""", 0),
}
