r"""TeX formulas as MathML, which browsers draw themselves: what the book needs of TeX, no more.

Anything else is refused by name, so that a formula is either right or fails the build: add a line
to one of the tables, or say it with what is there. Spacing follows TeX's classes of atoms where
MathML's defaults do not: signs, fences, function names, and everything inside scripts.
"""

import re
import unicodedata
from html import escape
from typing import NamedTuple

GREEK = ("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa",
         "lambda", "mu", "nu", "xi", "omicron", "pi", "rho", "sigma", "tau", "upsilon", "phi",
         "chi", "psi", "omega")
LETTERS = {name: unicodedata.lookup(f"GREEK SMALL LETTER {name.upper().replace('LAMBDA', 'LAMDA')}")
           for name in GREEK}
LETTERS |= {"epsilon": "ϵ", "varepsilon": "ε", "phi": "ϕ", "varphi": "φ", "vartheta": "ϑ",
            "varrho": "ϱ", "varsigma": "ς", "ell": "ℓ", "infty": "∞", "partial": "∂", "nabla": "∇",
            "emptyset": "∅", "forall": "∀", "exists": "∃", "top": "⊤", "bot": "⊥", "dots": "…",
            "ldots": "…", "cdots": "⋯", "vdots": "⋮", "ddots": "⋱", "prime": "′", "%": "%",
            "#": "#", "_": "_", "$": "$", "star": "⋆"}
CAPITALS = {name: unicodedata.lookup(f"GREEK CAPITAL LETTER {name.upper()}")
            for name in ("Gamma", "Delta", "Theta", "Xi", "Pi", "Sigma", "Upsilon", "Phi", "Psi",
                         "Omega")}
CAPITALS["Lambda"] = "Λ"
RELATIONS = {"=": "=", "<": "<", ">": ">", ":": ":", "le": "≤", "leq": "≤", "ge": "≥", "geq": "≥",
             "ne": "≠", "neq": "≠", "in": "∈", "notin": "∉", "ni": "∋", "subset": "⊂",
             "subseteq": "⊆", "supset": "⊃", "supseteq": "⊇", "approx": "≈", "sim": "∼",
             "simeq": "≃", "equiv": "≡", "propto": "∝", "to": "→", "rightarrow": "→",
             "leftarrow": "←", "gets": "←", "leftrightarrow": "↔", "Rightarrow": "⇒",
             "implies": "⟹", "Leftarrow": "⇐", "Leftrightarrow": "⇔", "iff": "⟺", "mapsto": "↦",
             "mid": "∣", "parallel": "∥", "perp": "⟂", "ll": "≪", "gg": "≫", "prec": "≺",
             "succ": "≻", "preceq": "⪯", "succeq": "⪰", "coloneqq": "≔", "longrightarrow": "⟶",
             "uparrow": "↑", "downarrow": "↓", "lesssim": "≲", "gtrsim": "≳"}
BINARY = {"+": "+", "-": "−", "*": "∗", "pm": "±", "mp": "∓", "times": "×", "cdot": "⋅", "div": "÷",
          "cup": "∪", "cap": "∩", "setminus": "∖", "circ": "∘", "oplus": "⊕", "otimes": "⊗",
          "wedge": "∧", "land": "∧", "vee": "∨", "lor": "∨", "ast": "∗", "bullet": "∙"}
LARGE = {"sum": "∑", "prod": "∏", "bigcup": "⋃", "bigcap": "⋂", "int": "∫", "bigoplus": "⨁"}
OPENING = {"(": "(", "[": "[", "{": "{", "lfloor": "⌊", "lceil": "⌈", "langle": "⟨", "lbrace": "{",
           "lvert": "|", "lVert": "‖"}
CLOSING = {")": ")", "]": "]", "}": "}", "rfloor": "⌋", "rceil": "⌉", "rangle": "⟩", "rbrace": "}",
           "rvert": "|", "rVert": "‖"}
BARS = {"|": "|", "vert": "|", "Vert": "‖"}
WITH_LIMITS = {"lim", "liminf", "limsup", "max", "min", "sup", "inf", "argmax", "argmin", "Pr"}
FUNCTIONS = WITH_LIMITS | {"log", "ln", "exp", "sin", "cos", "tan", "arg", "dim", "ker", "det",
                           "deg", "gcd"}
SHOWN = {"liminf": "lim inf", "limsup": "lim sup", "argmax": "arg max", "argmin": "arg min"}
SPACES = {",": 3, ":": 4, ">": 4, ";": 5, "!": -3, " ": 4.5, "~": 4.5, "quad": 18, "qquad": 36,
          "thinspace": 3, "medspace": 4}
ACCENTS = {"hat": "ˆ", "widehat": "ˆ", "bar": "¯", "overline": "¯", "tilde": "˜", "widetilde": "˜",
           "vec": "→", "dot": "˙", "ddot": "¨", "check": "ˇ", "breve": "˘"}
STRETCHED = {"widehat", "overline", "widetilde"}
SIZES = {"big": 1.2, "Big": 1.8, "bigg": 2.4, "Bigg": 3.0}
ALPHABETS = {"mathbf": "BOLD", "boldsymbol": "BOLD", "bm": "BOLD", "mathbb": "DOUBLE-STRUCK",
             "mathcal": "SCRIPT", "mathscr": "SCRIPT", "mathsf": "SANS-SERIF",
             "mathtt": "MONOSPACE", "mathfrak": "FRAKTUR"}
ALONE = {"matrix": ("", ""), "pmatrix": ("(", ")"), "bmatrix": ("[", "]"), "vmatrix": ("|", "|"),
         "cases": ("{", ""), "array": ("", ""), "aligned": ("", ""), "align": ("", ""),
         "align*": ("", ""), "alignedat": ("", ""), "split": ("", ""), "gathered": ("", ""),
         "gather": ("", ""), "gather*": ("", ""), "equation": ("", ""), "equation*": ("", "")}
UPRIGHT = {"infty", "top", "dots", "ldots", "cdots"}
IGNORED = {"displaystyle", "textstyle", "limits", "nonumber", "notag", "relax", "allowbreak"}

TOKEN = re.compile(r"""
    \\(?:text|textrm|textit|mbox)\s*\{(?P<words>[^{}$\\]*)\}
  | \\(?P<command>[a-zA-Z]+|.)
  | (?P<number>\d+(?:\{,\}\d{3})*(?:\.\d+)?)
  | \s+
  | (?P<char>.)""", re.VERBOSE | re.DOTALL)


class TexError(ValueError):
    """A formula that is not in the part of TeX that is known here."""


class Token(NamedTuple):
    kind: str  # words, command, number or char
    text: str


class Atom(NamedTuple):
    xml: str
    kind: str  # ord, op, fn, bin, rel, open, close, punct, space: TeX's classes, nearly
    limits: bool = False


def tokens(tex):
    found = TOKEN.finditer(re.sub(r"(?<!\\)%.*", "", tex))
    return [Token(each.lastgroup, each[each.lastgroup]) for each in found if each.lastgroup]


def convert(tex, display=False):
    """The <math> element of a formula."""
    parser = Parser(tex)
    try:
        body = parser.whole()
    except IndexError:
        raise TexError(f"ends too early: {tex}") from None
    return f'<math display="block">{body}</math>' if display else f"<math>{body}</math>"


def styled(text, alphabet):
    """Letters and digits in one of Unicode's mathematical alphabets."""
    done = ""
    for char in text:
        # LATIN SMALL LETTER A -> MATHEMATICAL BOLD SMALL A
        known = re.sub(r"LATIN |GREEK |LETTER ", "", unicodedata.name(char))
        try:
            done += unicodedata.lookup(f"MATHEMATICAL {alphabet} {known}")
        except KeyError:  # those that Unicode had before: ℝ, ℒ, ...
            done += unicodedata.lookup(f"{alphabet} {known}")
    return done


def row(parts):
    return parts[0] if len(parts) == 1 else f"<mrow>{''.join(parts)}</mrow>"


def space(mu):
    return f'<mspace width="{mu / 18:.3g}em"></mspace>'


class Parser:
    """Recursive descent over the tokens of one formula."""

    def __init__(self, tex):
        self.tex, self.tokens, self.at, self.depth = tex, tokens(tex), 0, 0

    def wrong(self, what):
        return TexError(f"{what} in the formula {self.tex.strip()!r}")

    # ---- tokens

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else Token("end", "")

    def next(self):
        token = self.peek()
        if token.kind == "end":
            raise self.wrong("unexpected end")
        self.at += 1
        return token

    def take(self, kind, text):
        if self.peek() == (kind, text):
            self.at += 1
            return True
        return False

    def raw_group(self):
        """The text of {...}, as it stands in the formula."""
        if not self.take("char", "{"):
            raise self.wrong("a { is missing")
        words, depth = [], 1
        while depth:
            kind, text = self.next()
            depth += (kind, text) == ("char", "{")
            depth -= (kind, text) == ("char", "}")
            if depth:
                words.append(text if kind != "command" else f"\\{text}")
        return words

    # ---- rows of atoms

    def whole(self):
        atoms = self.atoms(lambda token: token.kind == "end")
        return self.laid_out(atoms)

    def atoms(self, ends):
        found = []
        while not ends(self.peek()):
            if self.peek() in (("char", "&"), ("command", "\\"), ("char", "}")):
                raise self.wrong(f"stray {self.peek().text}")
            atom = self.scripted(self.atom())
            if atom is not None:
                found.append(atom)
        return found

    def laid_out(self, atoms):
        """A row with the spaces that TeX would leave and MathML would not, or the other way."""
        parts, before = [], None
        for i, atom in enumerate(atoms):
            xml, kind = atom.xml, atom.kind
            after = next((each.kind for each in atoms[i + 1:] if each.kind != "space"), None)
            if kind == "bin" and before in (None, "bin", "rel", "open", "punct", "fn", "op"):
                sign = xml.partition(">")[2]
                xml, kind = f'<mo form="prefix" lspace="0" rspace="0">{sign}', "ord"
            if kind == "rel" and before == "rel" and not self.depth:  # +=
                parts[-1] = parts[-1].replace("<mo", '<mo rspace="0"', 1)
                xml = xml.replace("<mo", '<mo lspace="0"', 1)
            if kind == "op" and after == "open":
                xml = xml.replace("<mo", '<mo rspace="0"', 1)
            if kind == "fn" and before in ("ord", "close"):
                parts.append(space(3))
            parts.append(xml)
            if kind == "fn" and after in ("ord", "fn", "op"):
                parts.append(space(3))
            if kind != "space":
                before = kind
        return row(parts)

    def scripted(self, base):
        below = above = None
        primes = 0
        while True:
            if self.take("char", "_"):
                below = self.script()
            elif self.take("char", "^"):
                above = self.script()
            elif self.take("char", "'"):
                primes += 1
            elif self.take("command", "limits"):
                base = base._replace(limits=True)
            elif self.take("command", "nolimits"):
                base = base._replace(limits=False)
            else:
                break
        if primes:
            mark = f'<mo class="prime">{"′" * primes}</mo>'
            above = mark if above is None else row([mark, above])
        if below is None and above is None:
            return base
        if base is None:
            base = Atom("<mrow></mrow>", "ord")
        if base.xml.startswith("<mo minsize"):  # alone under its script it would not be stretched
            base = base._replace(xml=f"<mrow>{base.xml}<mi></mi></mrow>")
        low, high = ("under", "over") if base.limits else ("sub", "sup")
        name = "m" + low * (below is not None) + high * (above is not None)
        inside = base.xml + (below or "") + (above or "")
        return Atom(f"<{name}>{inside}</{name}>", base.kind)

    def script(self):
        self.depth += 1
        xml = self.argument()
        self.depth -= 1
        return xml

    def argument(self):
        """What a command takes: a group, or a single atom."""
        if self.take("char", "{"):
            return self.group()
        kind, text = self.peek()
        if kind == "number" and len(text) > 1:  # \frac13 is a third
            self.tokens[self.at] = Token(kind, text[1:])
            return f"<mn>{text[0]}</mn>"
        atom = self.atom()
        if atom is None:
            raise self.wrong("an argument is missing")
        return atom.xml

    def group(self):
        atoms = self.atoms(lambda token: token in (("char", "}"), ("end", "")))
        self.next()
        if len(atoms) == 1 and atoms[0].xml.startswith("<mo"):  # {,} and the like: no space around
            tight = '<mo lspace="0" rspace="0" stretchy="false">'
            return re.sub(r"<mo[^>]*>", tight, atoms[0].xml, count=1)
        return self.laid_out(atoms) if atoms else "<mrow></mrow>"

    # ---- atoms

    def operator(self, text, kind, *, tight=False, **attributes):
        if tight or (self.depth and kind in ("bin", "rel", "punct")):
            attributes |= {"lspace": "0", "rspace": "0"}
        written = "".join(f' {name}="{value}"' for name, value in attributes.items())
        return Atom(f"<mo{written}>{escape(text)}</mo>", kind)

    def fence(self, text, kind):
        return self.operator(text, kind, tight=True, stretchy="false")

    def identifier(self, text, upright=False):
        normal = ' mathvariant="normal"' if upright and len(text) == 1 else ""
        return Atom(f"<mi{normal}>{escape(text)}</mi>", "ord")

    def atom(self):
        kind, text = self.next()
        if kind == "number":
            return Atom(f"<mn>{text.replace('{,}', ',')}</mn>", "ord")
        if kind == "words":
            return Atom(f"<mtext>{escape(text).replace(' ', chr(160))}</mtext>", "ord")
        if kind == "char":
            return self.character(text)
        return self.command(text)

    def character(self, char):
        if char == "{":
            return Atom(self.group(), "ord")
        if char in "^_'":
            self.at -= 1
            return Atom("<mrow></mrow>", "ord")
        if char in RELATIONS:
            return self.operator(RELATIONS[char], "rel")
        if char in BINARY:
            return self.operator(BINARY[char], "bin")
        if char in "([":
            return self.fence(char, "open")
        if char in ")]":
            return self.fence(char, "close")
        if char == "|":
            return self.fence(char, "ord")
        if char in ",;":
            return self.operator(char, "punct")
        if char in "./!?":
            return self.fence(char, "close" if char == "!" else "ord")
        if char == "~":
            return Atom(space(SPACES["~"]), "space")
        if char.isalpha():
            return self.identifier(char)
        raise self.wrong(f"the character {char}")

    def command(self, name):
        if name == "dots" and self.peek().text in RELATIONS | BINARY:
            name = "cdots"  # in the middle, like what follows
        if name in LETTERS:
            return self.identifier(LETTERS[name], upright=name in UPRIGHT)
        if name in CAPITALS:
            return self.identifier(CAPITALS[name], upright=True)
        if name in RELATIONS:
            return self.operator(RELATIONS[name], "rel", stretchy="false")
        if name in BINARY:
            return self.operator(BINARY[name], "bin")
        if name in LARGE:
            return Atom(f'<mo movablelimits="true">{LARGE[name]}</mo>', "op", name != "int")
        if name in OPENING:
            return self.fence(OPENING[name], "open")
        if name in CLOSING:
            return self.fence(CLOSING[name], "close")
        if name in BARS:
            return self.fence(BARS[name], "ord")
        if name in SPACES:
            return Atom(space(SPACES[name]), "space")
        if name in FUNCTIONS:
            return self.function(SHOWN.get(name, name), name in WITH_LIMITS)
        if name in ACCENTS:
            stretchy = "true" if name in STRETCHED else "false"
            mark = f'<mo stretchy="{stretchy}">{ACCENTS[name]}</mo>'
            return Atom(f'<mover accent="true">{self.argument()}{mark}</mover>', "ord")
        if name in ALPHABETS:
            return self.alphabet(ALPHABETS[name])
        if name in IGNORED:
            return None
        if name.rstrip("lrm") in SIZES and name[-1] in "glrm":
            return self.sized(name)
        special = getattr(self, f"do_{name}", None) if name.isalpha() else None
        if special is None:
            raise self.wrong(f"\\{name} is not known")
        return special()

    def function(self, text, limits):
        below = self.peek() in (("char", "_"), ("command", "limits"))
        if limits and below and not self.depth:
            space_around = 'form="prefix" lspace="0" rspace="0"'
            return Atom(f'<mo movablelimits="true" {space_around}>{text}</mo>', "fn", True)
        return Atom(f"<mi>{text}</mi>", "fn")

    def alphabet(self, alphabet):
        words = self.raw_group() if self.peek() == ("char", "{") else [self.plain_char()]
        named = {f"\\{name}": letter for name, letter in (LETTERS | CAPITALS).items()}
        text = "".join(named.get(word, word) for word in words)
        if not all(char.isalnum() for char in text):
            raise self.wrong(f"{text} in another alphabet")
        tag = "mn" if text.isdigit() else "mi"
        return Atom(row([f"<{tag}>{styled(each, alphabet)}</{tag}>" for each in text]), "ord")

    def plain_char(self):
        kind, text = self.next()
        return f"\\{text}" if kind == "command" else text

    def sized(self, name):
        size, role = SIZES[name.rstrip("lrm")], name[-1]
        text = self.delimiter()
        kind = {"l": "open", "r": "close", "m": "rel"}.get(role)
        if kind is None:
            opens, closes = text in OPENING.values(), text in CLOSING.values()
            kind = "open" if opens else "close" if closes else "ord"
        around = 0.278 if role == "m" else 0
        return Atom(f'<mo minsize="{size}em" maxsize="{size}em" stretchy="true" symmetric="true" '
                    f'lspace="{around}em" rspace="{around}em">{escape(text)}</mo>', kind)

    def delimiter(self):
        kind, text = self.next()
        for table in (OPENING, CLOSING, BARS):
            if text in table and (kind == "command" or text in "()[]|"):
                return table[text]
        if (kind, text) in (("command", "{"), ("command", "}")):
            return text
        if (kind, text) == ("command", "|"):
            return "‖"
        if (kind, text) == ("char", "."):
            return ""
        if (kind, text) == ("char", "/"):
            return "/"
        raise self.wrong(f"{text} is no delimiter")

    # ---- commands with arguments, by name

    def do_frac(self):
        return Atom(f"<mfrac>{self.argument()}{self.argument()}</mfrac>", "ord")

    def do_tfrac(self):
        return Atom(f'<mstyle displaystyle="false">{self.do_frac().xml}</mstyle>', "ord")

    def do_dfrac(self):
        return Atom(f'<mstyle displaystyle="true">{self.do_frac().xml}</mstyle>', "ord")

    def do_binom(self):
        inside = f'<mfrac linethickness="0">{self.argument()}{self.argument()}</mfrac>'
        return Atom(f"<mrow><mo>(</mo>{inside}<mo>)</mo></mrow>", "ord")

    def do_sqrt(self):
        if self.take("char", "["):
            root = self.laid_out(self.atoms(lambda token: token == ("char", "]")))
            self.next()
            return Atom(f"<mroot>{self.argument()}{root}</mroot>", "ord")
        return Atom(f"<msqrt>{self.argument()}</msqrt>", "ord")

    def do_mathrm(self):
        words = self.raw_group() if self.peek() == ("char", "{") else [self.plain_char()]
        return self.identifier("".join(words), upright=True)

    do_mathit = do_mathrm

    def do_operatorname(self):
        limits = self.take("char", "*")
        name = "".join("\u2009" if word == "\\," else word for word in self.raw_group())
        return self.function(name, limits)

    def do_left(self):
        left = self.delimiter()
        inside = self.atoms(lambda token: token in (("command", "right"), ("end", "")))
        self.next()
        right = self.delimiter()
        parts = [self.laid_out(inside)]
        if left:
            parts.insert(0, f'<mo form="prefix" stretchy="true">{escape(left)}</mo>')
        if right:
            parts.append(f'<mo form="postfix" stretchy="true">{escape(right)}</mo>')
        return Atom(row(parts), "ord")

    def do_middle(self):
        return Atom(f'<mo stretchy="true">{escape(self.delimiter())}</mo>', "rel")

    def do_mathrel(self):
        return Atom(re.sub(r'<mo[^>]*>', "<mo>", self.argument()), "rel")

    def do_mathbin(self):
        return Atom(re.sub(r'<mo[^>]*>', "<mo>", self.argument()), "bin")

    def do_mathord(self):
        return Atom(self.argument(), "ord")

    def do_overset(self):
        above = self.script()
        return Atom(f"<mover>{self.argument()}{above}</mover>", "rel")

    do_stackrel = do_overset

    def do_underset(self):
        below = self.script()
        return Atom(f"<munder>{self.argument()}{below}</munder>", "rel")

    def do_underbrace(self):
        return Atom(f'<munder>{self.argument()}<mo stretchy="true">⏟</mo></munder>', "op", True)

    def do_overbrace(self):
        return Atom(f'<mover>{self.argument()}<mo stretchy="true">⏞</mo></mover>', "op", True)

    def do_underline(self):
        return Atom(f'<munder>{self.argument()}<mo stretchy="true">_</mo></munder>', "ord")

    def do_substack(self):
        if not self.take("char", "{"):
            raise self.wrong("a { is missing")
        return Atom(self.table("matrix", lambda token: token == ("char", "}")), "ord")

    def do_not(self):
        text = self.next().text
        if text not in RELATIONS:
            raise self.wrong(f"\\not{text}")
        return self.operator(unicodedata.normalize("NFC", RELATIONS[text] + "\u0338"), "rel")

    def do_label(self):
        self.raw_group()

    def do_begin(self):
        name = "".join(self.raw_group())
        if name not in ALONE:
            raise self.wrong(f"the environment {name} is not known")
        if name in ("array", "alignedat"):
            self.raw_group()
        if name in ("equation", "equation*"):
            inside = self.laid_out(self.atoms(lambda token: token == ("command", "end")))
        else:
            inside = self.table(name, lambda token: token == ("command", "end"), close=False)
        self.next()
        if "".join(self.raw_group()) != name:
            raise self.wrong(f"\\end{{{name}}} is missing")
        left, right = ALONE[name]
        parts = [inside]
        if left:
            parts.insert(0, f'<mo form="prefix" stretchy="true">{left}</mo>')
        if right:
            parts.append(f'<mo form="postfix" stretchy="true">{right}</mo>')
        return Atom(row(parts), "ord")

    def table(self, name, ends, close=True):
        """Rows and columns; in aligned formulas columns meet at the &."""
        aligned = name.startswith(("align", "split"))
        rows, cells = [], []

        def over(token):
            return ends(token) or token in (("char", "&"), ("command", "\\"), ("end", ""))

        while True:
            atoms = self.atoms(over)
            if aligned and len(cells) % 2 and atoms and atoms[0].kind in ("rel", "bin"):
                atoms.insert(0, Atom("<mrow></mrow>", "ord"))  # a relation needs a left side
            cells.append(self.laid_out(atoms) if atoms else "")
            token = self.peek()
            if token == ("char", "&"):
                self.next()
                continue
            rows.append(cells)
            cells = []
            if token != ("command", "\\"):
                break
            self.next()
            if self.take("char", "["):  # extra space between lines is the style sheet's
                while not self.take("char", "]"):
                    self.next()
            if ends(self.peek()):
                break
        if close:
            self.next()
        lines = ["".join(f"<mtd>{cell}</mtd>" for cell in each) for each in rows]
        written = "".join(f"<mtr>{line}</mtr>" for line in lines)
        kind = "aligned" if aligned else "cases" if name == "cases" else "matrix"
        style = ' displaystyle="true"' if aligned or name.startswith("gather") else ""
        return f'<mtable class="{kind}"{style}>{written}</mtable>'

