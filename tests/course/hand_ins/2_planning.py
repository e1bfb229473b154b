"""Hand-ins for assignment 2: the slips of fees, discounts, horizons and cycles."""

from tests.course.hand_ins import Style, Wrong

WRONG = [
    Wrong("q1", "takes the fee on the first day, too", '''
def tables(means, fee):
    K, s_max = len(means), len(means[0])
    states, pay, after = [(s_max,) * K], [], []
    for s in states:
        pay.append([means[a][s[a] - 1] - fee * (s[a] != 1) for a in range(K)])
        after.append([])
        for a in range(K):
            new = tuple(1 if k == a else min(s[k] + 1, s_max) for k in range(K))
            if new not in states:
                states.append(new)
            after[-1].append(states.index(new))
    return states, pay, after
''', loses=("q1_test",)),
    Wrong("q1", "plans over all tuples of ages, reachable or not", '''
def tables(means, fee):
    K, s_max = len(means), len(means[0])
    states = list(itertools.product(range(s_max, 0, -1), repeat=K))
    pay = [[means[a][s[a] - 1] - fee * (1 in s and s[a] != 1) for a in range(K)] for s in states]
    after = [[states.index(tuple(1 if k == a else min(s[k] + 1, s_max) for k in range(K)))
              for a in range(K)] for s in states]
    return states, pay, after
''', loses=("q1_test",)),
    Wrong("q1", "pays by the age after the visit", '''
def tables(means, fee):
    K, s_max = len(means), len(means[0])
    states, pay, after = [(s_max,) * K], [], []
    for s in states:
        pay.append([]), after.append([])
        for a in range(K):
            new = tuple(1 if k == a else min(s[k] + 1, s_max) for k in range(K))
            if new not in states:
                states.append(new)
            after[-1].append(states.index(new))
            pay[-1].append(means[a][new[a] - 1] - fee * (1 in s and s[a] != 1))
    return states, pay, after
''', loses=("q1_test",)),
    Wrong("q1", "forgets that ages stop at s_max, and gives up after some rounds", '''
def tables(means, fee):
    K, s_max = len(means), len(means[0])
    states, pay, after = [(s_max,) * K], [], []
    for s in states[:]:
        pay.append([means[a][min(s[a], s_max) - 1] for a in range(K)])
        after.append([])
        for a in range(K):
            new = tuple(1 if k == a else s[k] + 1 for k in range(K))
            if new not in states:
                states.append(new)
            after[-1].append(states.index(new))
    return states, pay, after
''', loses=("q1_test",)),
    Wrong("q2", "applies gamma twice", '''
def plan(pay, after, rounds, gamma=1.0):
    V, choices = np.zeros(len(pay)), []
    for n in range(rounds):
        Q = pay + gamma * gamma * V[after]
        choices.append(Q.argmax(axis=1))
        V = Q.max(axis=1)
    s, arms = 0, []
    for choice in choices[::-1]:
        arms.append(int(choice[s]))
        s = after[s, arms[-1]]
    return float(V[0]), arms
''', loses=("q2_test",)),
    Wrong("q2", "discounts the first day already", '''
def plan(pay, after, rounds, gamma=1.0):
    V, choices = np.zeros(len(pay)), []
    for n in range(rounds):
        Q = gamma * (pay + V[after])
        choices.append(Q.argmax(axis=1))
        V = Q.max(axis=1)
    s, arms = 0, []
    for choice in choices[::-1]:
        arms.append(int(choice[s]))
        s = after[s, arms[-1]]
    return float(V[0]), arms
''', loses=("q2_test",)),
    Wrong("q2", "uses the choices in the order in which they were found", '''
def plan(pay, after, rounds, gamma=1.0):
    V, choices = np.zeros(len(pay)), []
    for n in range(rounds):
        Q = pay + gamma * V[after]
        choices.append(Q.argmax(axis=1))
        V = Q.max(axis=1)
    s, arms = 0, []
    for choice in choices:
        arms.append(int(choice[s]))
        s = after[s, arms[-1]]
    return float(V[0]), arms
''', loses=("q2_test",)),
    Wrong("q2", "takes what pays most today", '''
def plan(pay, after, rounds, gamma=1.0):
    s, total, arms = 0, 0.0, []
    for t in range(rounds):
        a = int(np.argmax(pay[s]))
        arms.append(a)
        total += gamma**t * pay[s][a]
        s = after[s][a]
    return total, arms
''', loses=("q2_test",)),
    Wrong("q3", "regret from what was in the till", '''
def regret(visits, takings, pay, after):
    best = [plan(pay, after, t + 1)[0] for t in range(len(visits))]
    return np.array(best) - np.cumsum(takings)
''', loses=("q3_test",)),
    Wrong("q3", "compares with the parts of one best plan for the whole diary", '''
def regret(visits, takings, pay, after):
    _, squares = plan(pay, after, len(visits))
    def running(route):
        s, totals = 0, [0.0]
        for a in route:
            totals.append(totals[-1] + pay[s][a])
            s = after[s][a]
        return np.array(totals[1:])
    return running(squares) - running(visits)
''', loses=("q3_test",)),
    Wrong("q3", "compares with what would have paid most on that day", '''
def regret(visits, takings, pay, after):
    s, lost = 0, []
    for a in visits:
        lost.append(max(pay[s]) - pay[s][a])
        s = after[s][a]
    return np.cumsum(lost)
''', loses=("q3_test",)),
    Wrong("q3", "is a day behind with the best total", '''
def regret(visits, takings, pay, after):
    s, total, lost = 0, 0.0, []
    for t, a in enumerate(visits):
        total += pay[s][a]
        s = after[s][a]
        lost.append(plan(pay, after, t)[0] - total)
    return lost
''', loses=("q3_test",)),
    Wrong("q4", "compares sums instead of averages", '''
def best_cycle(means, fee, longest):
    def paid(cycle):
        n, out = len(cycle), []
        for t, a in enumerate(cycle):
            gap = next(d for d in range(1, n + 1) if cycle[t - d] == a)
            out.append(means[a][min(gap, len(means[a])) - 1] - fee * (gap > 1))
        return out
    K = len(means)
    lists = [c for n in range(1, longest + 1) for c in itertools.product(range(K), repeat=n)]
    best = max(lists, key=lambda c: sum(paid(c)))
    return np.mean(paid(best)), list(best)
''', loses=("q4_test",)),
    Wrong("q4", "judges by the first time through, when all squares are rested", '''
def best_cycle(means, fee, longest):
    def average(cycle):
        ages, before, total = [len(row) for row in means], None, 0.0
        for a in cycle:
            total += means[a][ages[a] - 1] - fee * (before not in (None, a))
            ages = [min(s + 1, len(means[0])) for s in ages]
            ages[a], before = 1, a
        return total / len(cycle)
    K = len(means)
    lists = [c for n in range(1, longest + 1) for c in itertools.product(range(K), repeat=n)]
    best = max(lists, key=average)
    return average(best), list(best)
''', loses=("q4_test",)),
    Wrong("q4", "no fee for the way back to the beginning of the list", '''
def best_cycle(means, fee, longest):
    def average(cycle):
        n, total = len(cycle), 0.0
        for t, a in enumerate(cycle):
            gap = next(d for d in range(1, n + 1) if cycle[t - d] == a)
            total += means[a][min(gap, len(means[a])) - 1]
            total -= fee * (t > 0 and cycle[t - 1] != a)
        return total / n
    K = len(means)
    lists = [c for n in range(1, longest + 1) for c in itertools.product(range(K), repeat=n)]
    best = max(lists, key=average)
    return average(best), list(best)
''', loses=("q4_test",)),
    Wrong("q4", "only lists of exactly the greatest length", '''
def best_cycle(means, fee, longest):
    def average(cycle):
        n, total = len(cycle), 0.0
        for t, a in enumerate(cycle):
            gap = next(d for d in range(1, n + 1) if cycle[t - d] == a)
            total += means[a][min(gap, len(means[a])) - 1] - fee * (gap > 1)
        return total / n
    best = max(itertools.product(range(len(means)), repeat=longest), key=average)
    return average(best), list(best)
''', loses=("q4_test",)),
]

STYLES = [
    Style("loops and lists instead of arrays", {
        "q1": '''
def tables(means, fee):
    K, s_max = len(means), len(means[0])
    possible = list(itertools.product(range(1, s_max + 1), repeat=K))
    start = (s_max,) * K
    states = [start]
    for s in possible:
        young = [age for age in s if age < s_max]
        if 1 in s and len(young) == len(set(young)):
            states.append(s)
    number = {s: i for i, s in enumerate(states)}
    pay = [[0.0] * K for _ in states]
    after = [[0] * K for _ in states]
    for i, s in enumerate(states):
        for a in range(K):
            pay[i][a] = means[a][s[a] - 1]
            if s != start and s[a] != 1:
                pay[i][a] -= fee
            t = [min(age + 1, s_max) for age in s]
            t[a] = 1
            after[i][a] = number[tuple(t)]
    return states, pay, after
''',
        "q2": '''
def plan(pay, after, rounds, gamma=1.0):
    best = [0.0] * len(pay)
    todo = [[] for _ in pay]
    for _ in range(rounds):
        new_best, new_todo = [], []
        for i in range(len(pay)):
            options = []
            for a in range(len(pay[i])):
                j = int(after[i][a])
                options.append((pay[i][a] + gamma * best[j], a, j))
            value, a, j = max(options)
            new_best.append(value)
            new_todo.append([a] + todo[j])
        best, todo = new_best, new_todo
    return best[0], todo[0]
''',
        "q3": '''
def regret(visits, takings, pay, after):
    best, curve = [0.0] * len(pay), []
    for _ in visits:
        best = [max(pay[i][a] + best[after[i][a]] for a in range(len(pay[i])))
                for i in range(len(pay))]
        curve.append(best[0])
    here, sofar, result = 0, 0, []
    for t in range(len(visits)):
        sofar = sofar + pay[here][visits[t]]
        here = after[here][visits[t]]
        result.append(curve[t] - sofar)
    return result
''',
        "q4": '''
def best_cycle(means, fee, longest):
    winner = (-float("inf"), None)
    for n in range(1, longest + 1):
        for cycle in itertools.product(range(len(means)), repeat=n):
            ages, before, pays = [len(row) for row in means], None, []
            for a in cycle * 3:
                pays.append(means[a][ages[a] - 1] - (fee if before != a else 0))
                ages = [min(s + 1, len(row)) for s, row in zip(ages, means)]
                ages[a] = 1
                before = a
            average = sum(pays[-n:]) / n
            if average > winner[0]:
                winner = (average, cycle)
    return winner
''',
    }),
]
