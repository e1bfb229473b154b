"""Hand-ins for assignment 1: the slips of states, caps and counting."""

from tests.course.hand_ins import Style, Wrong

WRONG = [
    Wrong("q1", "forgets the caps", '''
def move(state, song, caps):
    aged = [age + 1 for age in state]
    if song is not None:
        aged[song] = 1
    return tuple(aged)
''', loses=("q1_test",)),
    Wrong("q1", "one cap for all songs", '''
def move(state, song, caps):
    return tuple(1 if k == song else min(age + 1, max(caps)) for k, age in enumerate(state))
''', loses=("q1_test",)),
    Wrong("q1", "resets to 0", '''
def move(state, song, caps):
    return tuple(0 if k == song else min(age + 1, caps[k]) for k, age in enumerate(state))
''', loses=("q1_test",)),
    Wrong("q1", "takes song 0 for talk", '''
def move(state, song, caps):
    aged = [min(age + 1, cap) for age, cap in zip(state, caps)]
    if song:
        aged[song] = 1
    return tuple(aged)
''', loses=("q1_test",)),
    Wrong("q2", "notes the state after the slot", '''
def play(programme, means, rng):
    caps = [len(row) for row in means]
    state, states, expected = tuple(caps), [], []
    for song in programme:
        expected.append(0.0 if song is None else means[song][state[song] - 1])
        state = move(state, song, caps)
        states.append(state)
    rewards = [int(rng.random() < p) for p in expected]
    return states, expected, rewards
''', loses=("q2_test",)),
    Wrong("q2", "pays by the age after the slot", '''
def play(programme, means, rng):
    caps = [len(row) for row in means]
    state, states, expected = tuple(caps), [], []
    for song in programme:
        states.append(state)
        state = move(state, song, caps)
        expected.append(0.0 if song is None else means[song][state[song] - 1])
    rewards = [int(rng.random() < p) for p in expected]
    return states, expected, rewards
''', loses=("q2_test",)),
    Wrong("q2", "starts with tired songs", '''
def play(programme, means, rng):
    caps = [len(row) for row in means]
    state, states, expected = (1,) * len(caps), [], []
    for song in programme:
        states.append(state)
        expected.append(0.0 if song is None else means[song][state[song] - 1])
        state = move(state, song, caps)
    rewards = [int(rng.random() < p) for p in expected]
    return states, expected, rewards
''', loses=("q2_test",)),
    Wrong("q2", "draws no number in a talk slot", '''
def play(programme, means, rng):
    caps = [len(row) for row in means]
    state, states, expected, rewards = tuple(caps), [], [], []
    for song in programme:
        states.append(state)
        expected.append(0.0 if song is None else means[song][state[song] - 1])
        rewards.append(0 if song is None else int(rng.random() < expected[-1]))
        state = move(state, song, caps)
    return states, expected, rewards
''', loses=("q2_test",)),
    Wrong("q3", "adds up what happened instead of what is expected", '''
night = play(programme, means, np.random.default_rng(seed))
expected_total = float(sum(night[2]))
earned = int(sum(night[2]))
states_met = len(set(night[0]))
''', loses=("q3_test",)),
    Wrong("q3", "counts the state after the last slot and leaves the start out", '''
night = play(programme, means, np.random.default_rng(seed))
expected_total = float(sum(night[1]))
earned = int(sum(night[2]))
after = [move(state, song, caps) for state, song in zip(night[0], programme)]
states_met = len(set(after))
''', loses=("q3_test",)),
    Wrong("q3", "counts slots instead of different states", '''
night = play(programme, means, np.random.default_rng(seed))
expected_total = float(sum(night[1]))
earned = int(sum(night[2]))
states_met = len(night[0])
''', loses=("q3_test",)),
    Wrong("q4", "lists all tuples of ages", '''
from itertools import product

def reachable(caps):
    return set(product(*(range(1, cap + 1) for cap in caps)))
''', loses=("q4_test",)),
    Wrong("q4", "leaves the start out", '''
def reachable(caps):
    found, queue = set(), [tuple(caps)]
    while queue:
        state = queue.pop()
        for song in [None, *range(len(caps))]:
            after = move(state, song, caps)
            if after not in found and after != tuple(caps):
                found.add(after)
                queue.append(after)
    return found
''', loses=("q4_test",)),
    Wrong("q4", "forgets that the station may talk", '''
def reachable(caps):
    found, queue = {tuple(caps)}, [tuple(caps)]
    while queue:
        state = queue.pop()
        for song in range(len(caps)):
            after = move(state, song, caps)
            if after not in found:
                found.add(after)
                queue.append(after)
    return found
''', loses=("q4_test",)),
    Wrong("q4", "plays at random for a while", '''
def reachable(caps):
    rng, state, found = np.random.default_rng(0), tuple(caps), {tuple(caps)}
    for _ in range(200):
        song = int(rng.integers(-1, len(caps)))
        state = move(state, None if song < 0 else song, caps)
        found.add(state)
    return found
''', loses=("q4_test",)),
    Wrong("q5", "plays the songs in the wrong order", '''
def programme_to(state, caps):
    if any(not 1 <= s <= c for s, c in zip(state, caps)):
        return None
    tired = {s: k for k, s in enumerate(state) if s < caps[k]}
    if len(tired) < sum(s < c for s, c in zip(state, caps)):
        return None
    return [tired.get(ago) for ago in range(1, max(tired, default=0) + 1)]
''', loses=("q5_test",)),
    Wrong("q5", "wants all ages different, also of fresh songs", '''
def programme_to(state, caps):
    if any(not 1 <= s <= c for s, c in zip(state, caps)) or len(set(state)) < len(state):
        return None
    tired = {s: k for k, s in enumerate(state) if s < caps[k]}
    return [tired.get(ago) for ago in range(max(tired, default=0), 0, -1)]
''', loses=("q5_test",)),
    Wrong("q5", "asks for a song of age 1, as in the book", '''
def programme_to(state, caps):
    if any(not 1 <= s <= c for s, c in zip(state, caps)):
        return None
    tired = {s: k for k, s in enumerate(state) if s < caps[k]}
    if len(tired) < sum(s < c for s, c in zip(state, caps)):
        return None
    if tired and 1 not in tired:
        return None
    return [tired.get(ago) for ago in range(max(tired, default=0), 0, -1)]
''', loses=("q5_test",)),
    Wrong("q5", "does not notice impossible states", '''
def programme_to(state, caps):
    tired = {s: k for k, s in enumerate(state) if s < caps[k]}
    return [tired.get(ago) for ago in range(max(tired, default=0), 0, -1)]
''', loses=("q5_test",)),
    Wrong("q6", "all tuples of ages", '''
def count_states(songs, cap):
    return cap**songs
''', loses=("q6_test",)),
    Wrong("q6", "the book's formula, without talk", '''
def count_states(songs, cap):
    sizes = range(1, min(songs, cap - 1) + 1)
    return 1 + sum(math.comb(cap - 2, m - 1) * math.perm(songs, m) for m in sizes)
''', loses=("q6_test",)),
    Wrong("q6", "does not hand the ages out to songs", '''
def count_states(songs, cap):
    return sum(math.comb(cap - 1, m) * math.comb(songs, m) for m in range(songs + 1))
''', loses=("q6_test",)),
    Wrong("q6", "counts in floating point", '''
def count_states(songs, cap):
    return float(sum(math.comb(cap - 1, m) * math.perm(songs, m) for m in range(songs + 1)))
''', loses=("q6_test",)),
]

STYLES = [
    Style("arrays", {
        "q1": '''
def move(state, song, caps):
    after = np.minimum(np.array(state) + 1, caps)
    if song is not None:
        after[song] = 1
    return after
''',
        "q2": '''
def play(programme, means, rng):
    tops = np.array([len(row) for row in means])
    states = np.zeros((len(programme), len(means)), dtype=int)
    expected = np.zeros(len(programme))
    ages = tops.copy()
    for t in range(len(programme)):
        states[t] = ages
        if programme[t] is not None:
            expected[t] = means[programme[t]][ages[programme[t]] - 1]
        ages = move(ages, programme[t], tops)
    return states, expected, rng.random(len(programme)) < expected
''',
        "q3": '''
s, e, r = play(programme, means, np.random.default_rng(seed))
expected_total, earned = np.sum(e), np.sum(r)
states_met = len(np.unique(np.array(s), axis=0))
''',
        "q4": '''
def reachable(caps):
    todo = [tuple(int(c) for c in caps)]
    done = []
    while todo:
        s = todo.pop()
        if s in done:
            continue
        done.append(s)
        for song in [None] + list(range(len(caps))):
            todo.append(tuple(int(a) for a in move(s, song, caps)))
    return done
''',
        "q5": '''
def programme_to(state, caps):
    state, caps = np.array(state), np.array(caps)
    if (state < 1).any() or (state > caps).any():
        return None
    young = np.flatnonzero(state < caps)
    if len(np.unique(state[young])) < len(young):
        return None
    slots = [None] * int(max(caps))
    for k in young:
        slots[len(slots) - state[k]] = int(k)
    return slots
''',
        "q6": '''
def count_states(songs, cap):
    # song by song: rows[m] is the number of ways to have m of them below the cap
    rows = [1]
    for _ in range(songs):
        longer = rows + [0]
        for m in range(len(rows)):
            longer[m + 1] += rows[m] * max(cap - 1 - m, 0)
        rows = longer
    return sum(rows)
''',
    }),
    Style("no helpers, other names, another way to think", {
        "q1": '''
def move(before, played, oldest):
    result = []
    for k in range(len(before)):
        if k == played:
            result.append(1)
        elif before[k] == oldest[k]:
            result.append(before[k])
        else:
            result.append(before[k] + 1)
    return result
''',
        "q2": '''
def play(night, liking, dice):
    last_played, ages, chance, luck = {}, [], [], []
    for t, song in enumerate(night):
        row = []
        for k in range(len(liking)):
            row.append(min(t - last_played.get(k, -100), len(liking[k])))
        ages.append(row)
        chance.append(0 if song is None else liking[song][row[song] - 1])
        luck.append(1.0 if dice.random() < chance[-1] else 0.0)
        last_played[song] = t
    return ages, chance, luck
''',
        "q3": '''
states, chances, rewards = play(programme, means, np.random.default_rng(seed))
expected_total = 0
for chance in chances:
    expected_total += chance
earned = list(rewards).count(1)
states_met = len({tuple(state) for state in states})
''',
        "q4": '''
import itertools

def reachable(caps):
    every = itertools.product(*[range(1, cap + 1) for cap in caps])
    good = set()
    for state in every:
        below = [age for age, cap in zip(state, caps) if age < cap]
        if len(below) == len(set(below)):
            good.add(state)
    return good
''',
        "q5": '''
def programme_to(state, caps):
    slots = []
    for ago in range(max(caps), 0, -1):
        then = [k for k in range(len(caps)) if state[k] == ago and ago < caps[k]]
        if len(then) > 1:
            return None
        slots.append(then[0] if then else None)
    for k in range(len(caps)):
        if state[k] < 1 or state[k] > caps[k]:
            return None
    return slots
''',
        "q6": '''
from functools import lru_cache

@lru_cache(None)
def ways(songs, ages):
    if songs == 0:
        return 1
    return ways(songs - 1, ages) + (ages * ways(songs - 1, ages - 1) if ages else 0)

def count_states(songs, cap):
    return ways(songs, cap - 1)
''',
    }),
]
