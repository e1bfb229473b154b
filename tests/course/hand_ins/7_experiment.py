"""Hand-ins for the assignment with an experiment: regret, and intervals of differences."""

from tests.course.hand_ins import Style, Wrong


def difference(
    estimate="x.mean() - y.mean()",
    pairs="np.var(x - y, ddof=1) / len(x)",
    apart="np.var(x, ddof=1) / len(x) + np.var(y, ddof=1) / len(y)",
    reach="1.96 * variance**0.5",
):
    """An answer to question 2 in which one thing is different."""
    return f"""
def difference(first, second, paired):
    x, y = np.array(first), np.array(second)
    variance = {pairs} if paired else {apart}
    middle = {estimate}
    return middle, middle - {reach}, middle + {reach}
"""


def pilot(paired="True", unpaired="False", needed="math.ceil((1.96 * sd / wanted) ** 2)"):
    """An answer to question 3 in which one thing is different."""
    return f"""
a, b = np.array(regret_a), np.array(regret_b)
paired, unpaired = difference(a, b, {paired}), difference(a, b, {unpaired})
sd = np.std(a - b, ddof=1)
needed = {needed}
"""


WRONG = [
    Wrong(
        "q1",
        "realised rewards",
        """
def regret_curve(arms, rewards, table, best_average):
    return best_average * np.arange(1, len(rewards) + 1) - np.cumsum(rewards)
""",
        loses=("q1_test",),
    ),
    Wrong(
        "q1",
        "the state after the pull",
        """
def regret_curve(arms, rewards, table, best_average):
    table = np.asarray(table)
    state, worth = np.full(len(table), table.shape[1]), []
    for a in arms:
        state = np.minimum(state + 1, table.shape[1])
        state[a] = 1
        worth.append(table[a, state[a] - 1])
    return np.cumsum(best_average - np.array(worth))
""",
        loses=("q1_test",),
    ),
    Wrong(
        "q1",
        "not summed up",
        """
def regret_curve(arms, rewards, table, best_average):
    table = np.asarray(table)
    state, worth = np.full(len(table), table.shape[1]), []
    for a in arms:
        worth.append(table[a, state[a] - 1])
        state = np.minimum(state + 1, table.shape[1])
        state[a] = 1
    return best_average - np.array(worth)
""",
        loses=("q1_test",),
    ),
    Wrong(
        "q1",
        "compared with the best entry of the table in every round",
        """
def regret_curve(arms, rewards, table, best_average):
    table = np.asarray(table)
    state, worth = np.full(len(table), table.shape[1]), []
    for a in arms:
        worth.append(table[a, state[a] - 1])
        state = np.minimum(state + 1, table.shape[1])
        state[a] = 1
    return np.cumsum(table.max() - np.array(worth))
""",
        loses=("q1_test",),
    ),
    Wrong("q2", "the spread of single games instead of that of their mean",
          difference(pairs="np.var(x - y, ddof=1)", apart="np.var(x, ddof=1) + np.var(y, ddof=1)"),
          loses=("q2_test",)),
    Wrong("q2", "variances divided by the number of numbers, not by one less",
          difference(pairs="np.var(x - y) / len(x)",
                     apart="np.var(x) / len(x) + np.var(y) / len(y)"), loses=("q2_test",)),
    Wrong("q2", "pairs are forgotten", difference(
        pairs="np.var(x, ddof=1) / len(x) + np.var(y, ddof=1) / len(y)"), loses=("q2_test",)),
    Wrong("q2", "everything is taken for pairs", difference(
        apart="np.var(x[: len(y)] - y[: len(x)], ddof=1) / min(len(x), len(y))"),
          loses=("q2_test",)),
    Wrong("q2", "standard errors are added up instead of variances", difference(
        apart="((np.var(x, ddof=1) / len(x))**0.5 + (np.var(y, ddof=1) / len(y))**0.5)**2"),
          loses=("q2_test",)),
    Wrong("q2", "second minus first", difference(estimate="y.mean() - x.mean()"),
          loses=("q2_test",)),
    Wrong("q2", "the 95% point of one side", difference(reach="1.645 * variance**0.5"),
          loses=("q2_test",)),
    Wrong("q2", "one number of games for both lists", difference(
        apart="(np.var(x, ddof=1) + np.var(y, ddof=1)) / len(x)"), loses=("q2_test",)),
    Wrong("q3", "the games needed without pairs", pilot(
        needed="math.ceil((1.96 / wanted) ** 2 * (np.var(a, ddof=1) + np.var(b, ddof=1)))"),
          loses=("q3_test",)),
    Wrong("q3", "what is wanted taken for the whole width",
          pilot(needed="math.ceil((2 * 1.96 * sd / wanted) ** 2)"), loses=("q3_test",)),
    Wrong("q3", "rounded down", pilot(needed="int((1.96 * sd / wanted) ** 2)"),
          loses=("q3_test",)),
    Wrong("q3", "as if the interval shrank in proportion to the games",
          pilot(needed="math.ceil(len(a) * (paired[2] - paired[0]) / wanted)"),
          loses=("q3_test",)),
    Wrong("q3", "the two triples are mixed up", pilot(paired="False", unpaired="True"),
          loses=("q3_test",)),
]

STYLES = [
    Style(
        "plain Python and its own statistics",
        {
            "q1": """
def regret_curve(arms, rewards, table, best_average):
    s_max = len(table[0])
    states = [s_max] * len(table)
    curve = []
    for a in arms:
        before = curve[-1] if curve else 0.0
        curve.append(before + best_average - table[a][states[a] - 1])
        states = [min(s + 1, s_max) for s in states]
        states[a] = 1
    return curve
""",
            "q2": """
import statistics

def difference(first, second, paired):
    if paired:
        gaps = [x - y for x, y in zip(first, second)]
        middle, error = statistics.mean(gaps), statistics.stdev(gaps) / len(gaps) ** 0.5
    else:
        middle = statistics.mean(first) - statistics.mean(second)
        error = (statistics.variance(first) / len(first)
                 + statistics.variance(second) / len(second)) ** 0.5
    return [middle, middle - 1.96 * error, middle + 1.96 * error]
""",
            "q3": """
paired = difference(regret_a, regret_b, paired=True)
unpaired = difference(regret_a, regret_b, paired=False)
half = (paired[2] - paired[1]) / 2
needed = 12
while half * (12 / needed) ** 0.5 > wanted:
    needed += 1
""",
        },
    ),
    Style(
        "NumPy throughout",
        {
            "q1": """
def regret_curve(arms, rewards, table, best_average):
    arms, table = np.asarray(arms), np.asarray(table)
    s_max = table.shape[1]
    rests = np.empty(len(arms), int)
    for k in range(len(table)):
        at = np.flatnonzero(arms == k)
        rests[at] = np.minimum(np.diff(at, prepend=-s_max), s_max)
    return np.cumsum(best_average - table[arms, rests - 1])
""",
            "q2": """
def difference(first, second, paired):
    first, second = np.array(first, float), np.array(second, float)
    samples = [first - second] if paired else [first, second]
    error = np.sqrt(sum(np.cov(each) / each.size for each in samples))
    return np.mean(first) - np.mean(second) + 1.96 * error * np.array([0, -1, 1])
""",
            "q3": """
paired, unpaired = (np.array(difference(regret_a, regret_b, each)) for each in (True, False))
games = np.arange(1, 10_000)
reach = 1.96 * np.std(np.subtract(regret_a, regret_b), ddof=1) / np.sqrt(games)
needed = games[np.argmax(reach <= wanted)]
""",
        },
    ),
]
