"""Formulas of the ledger's sentences, which are written as one types them, set as mathematics."""

import re

SET = {
    "(1/K)(1 - 1/K)^(s_max - 1)": r"\frac1K (1 - \frac1K)^{s_{\max} - 1}",
    "(1 - 1/K)^(s_max - 1) > 1/K": r"(1 - \frac1K)^{s_{\max} - 1} > \frac1K",
    "(1 - 1/K)^(i-1) / K^2": r"(1 - \frac1K)^{i - 1} / K^2",
    "s_max^2 K^2": r"s_{\max}^2 K^2",
    "K^(5/2) T^(9/4)": r"K^{5/2}\, T^{9/4}",
    "s_max^K K": r"s_{\max}^K K",
    "s_max^K": r"s_{\max}^K",
    "(k, s_k, s_a, a)": "(k, s_k, s_a, a)",
    "(s_k, s_a, a)": "(s_k, s_a, a)",
    "K = s_max": r"K = s_{\max}",
    "s_max - 1": r"s_{\max} - 1",
    "s_max < K": r"s_{\max} < K",
    "i < s_max": r"i < s_{\max}",
    "gamma 0.99": r"\gamma = 0.99",
    "gamma 0.9": r"\gamma = 0.9",
    "s_max": r"s_{\max}",
    "1 - 10^(-T)": "1 - 10^{-T}",
    "1 - 10^-T": "1 - 10^{-T}",
    "1 - 1/T": "1 - 1/T",
    "1/K^2": "1/K^2",
    "v(s, a)": r"v(\mathbf{s}, a)",
    "K^d T": "K^d\\, T",
    "K^d": "K^d",
    "1/(t + t0)": "1/(t + t_0)",
    "2.5/t^2": "2.5/t^2",
    "epsilon = 5/t": r"\varepsilon_t = 5/t",
    "t0": "t_0",
    "gamma^t": r"\gamma^t",
    "Q*": "Q^*",
}
NUMBERS = re.compile(r"\b(K = s_max|K|s_max) = (\d+)\b")
TYPED = "|".join(re.escape(typed) for typed in sorted(SET, key=len, reverse=True))
PATTERN = re.compile(f"(?<![a-z]-)(?:{TYPED})(?!-[a-z])")  # not within a slug: large-t0-is-steadier


def typeset(text):
    """`text` with its formulas between dollars, and the settings' names as the paper has them."""
    text = re.sub(r"\b(6|10)-(hetero|homo)\b(?!-)", lambda found: found[0].title(), text)
    text = NUMBERS.sub(lambda found: f"${SET.get(found[1], found[1])} = {found[2]}$", text)
    return PATTERN.sub(lambda found: f"${SET[found[0]]}$", text)
