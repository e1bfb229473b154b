"""Run a chapter with other parameters: checked against its own declaration, then by papermill.

The first code cell of a notebook declares what may be changed, a line each:

    rounds: int = 100_000  # T, rounds of a game [20_000, 1_000_000]
    gamma: float = 0.99  # discount (0, 1]
    ties: str = "random"  # equal candidates {random, first}

Brackets at the end of the comment are the range, round ones exclude an end, braces list choices.
"""

import ast
import io
import math
import re
import tokenize
from pathlib import Path
from typing import NamedTuple

from rb_core.errors import InputError, choice, shown

NOTEBOOKS = Path(__file__).parents[1] / "notebooks"
KINDS = {"int": int, "float": float, "str": str, "bool": bool}
WORDS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
RANGE = re.compile(r"\s*([\[(])([^\s,]+), ([^\s,]+)([\])])$")
CHOICES = re.compile(r"\s*\{([^}]*)\}$")


class Parameter(NamedTuple):
    """What a notebook says about one of its parameters."""

    name: str
    kind: type
    default: object
    text: str
    low: float = -math.inf
    high: float = math.inf
    open_low: bool = False
    open_high: bool = False
    choices: tuple = ()

    def __str__(self):
        return f"{self.name}: {self.kind.__name__} = {self.default!r}  {self.text}{self.limits()}"

    def limits(self):
        """The allowed values, as they are declared."""
        if self.choices:
            return f" {{{', '.join(self.choices)}}}"
        if math.isinf(self.low) and math.isinf(self.high):
            return ""
        left, right = "[("[self.open_low], "])"[self.open_high]
        return f" {left}{self.low:,g}, {self.high:,g}{right}"

    def parsed(self, text):
        """The value that `text` means, if it is allowed."""
        if self.kind is str:
            return choice(self.name, text, self.choices) if self.choices else text
        if self.kind is bool:
            if text.lower() not in WORDS:
                raise InputError(f"{self.name} must be true or false, not {shown(text)}.")
            return WORDS[text.lower()]
        try:
            value = float(text)
        except ValueError:
            raise InputError(f"{self.name} must be a number, not {shown(text)}.") from None
        if self.kind is int and (not math.isfinite(value) or value != int(value)):
            raise InputError(f"{self.name} must be a whole number, not {shown(text)}.")
        above = value > self.low if self.open_low else value >= self.low
        below = value < self.high if self.open_high else value <= self.high
        if not (above and below):
            raise InputError(f"{self.name} must be in{self.limits()}, not {shown(text)}.")
        return self.kind(value)


def chapters():
    """The notebooks that can be run: their short names, and where they are."""
    found = {path.stem: path for path in sorted(NOTEBOOKS.glob("[0-9]*.ipynb"))}
    return found | {"experiment": NOTEBOOKS / "experiments" / "experiment.ipynb"}


def find(name):
    """The file of a chapter, by its number (07, 7) or its name."""
    known = chapters()
    numbered = {stem.split("_")[0]: stem for stem in known}
    short = numbered.get(name.zfill(2) if name.isdecimal() else name, name)
    if short not in known and name.isdecimal():
        numbers = ", ".join(number for number in numbered if number.isdecimal())
        raise InputError(f"There is no chapter {name}: it is one of {numbers}.")
    return known[choice("chapter", short, known)]


def read(path):
    """A notebook from its file."""
    import nbformat  # here, because it takes a moment to load

    return nbformat.read(path, 4)


def parameters(notebook):
    """The declared parameters of a notebook, by name."""
    cells = [cell for cell in notebook.cells if "parameters" in cell.metadata.get("tags", [])]
    found = {}
    for line in "\n".join(cell.source for cell in cells).splitlines():
        if line.strip():
            parameter = declared(line)
            found[parameter.name] = parameter
    return found


def declared(line):
    """The parameter that a line of the parameters cell declares."""
    statement = ast.parse(line).body[0]
    tokens = tokenize.generate_tokens(io.StringIO(line).readline)
    text = "".join(token.string for token in tokens if token.type == tokenize.COMMENT).lstrip("# ")
    name, kind = statement.target.id, KINDS[statement.annotation.id]
    limits = {}
    if found := RANGE.search(text):
        left, low, high, right = found.groups()
        limits = {"low": float(low), "high": float(high),
                  "open_low": left == "(", "open_high": right == ")"}
        text = text[: found.start()]
    elif found := CHOICES.search(text):
        limits = {"choices": tuple(each.strip() for each in found[1].split(","))}
        text = text[: found.start()]
    return Parameter(name, kind, ast.literal_eval(statement.value), text, **limits)


def checked(given, declarations, of):
    """The values of `name=value` words, if all of them are declared and allowed."""
    values = {}
    for word in given:
        name, equals, text = word.partition("=")
        if not equals:
            raise InputError(f"A parameter is given as name=value, not as {word!r}.")
        if not declarations:
            raise InputError(f"{of} has no parameters.")
        name = choice(f"parameter of {of}", name.strip(), declarations)
        if name in values:
            raise InputError(f"The parameter {name} is given twice.")
        values[name] = declarations[name].parsed(text.strip())
    return values


def remark(values, declarations):
    """What the notebook's reader must know: the text speaks of the defaults."""
    changed = [f"`{name} = {value!r}` (the text's: `{declarations[name].default!r}`)"
               for name, value in values.items() if value != declarations[name].default]
    if not changed:
        return ""
    return (
        f"> **Run with other parameters:** {', '.join(changed)}. Figures, tables and numbers below "
        f"follow them; where the text speaks of the paper's setting it means the defaults."
    )


class CellFailed(Exception):
    """A cell of the notebook raised an error; what ran before it is kept."""


def run(path, given, out, timeout):
    """Check the parameters, then execute the notebook at `path` into `out`."""
    import nbformat  # here, because it takes a moment to load

    notebook = read(path)
    declarations = parameters(notebook)
    values = checked(given, declarations, path.stem)
    if note := remark(values, declarations):
        notebook.cells.insert(1, nbformat.v4.new_markdown_cell(note))
    execute(notebook, path.stem, values, out, path.parent, timeout)


def execute(notebook, name, values, out, folder, timeout, progress=True):
    """Execute a notebook with the given parameters in `folder`, into the file `out`."""
    # Here, because loading them takes longer than all other commands need.
    import papermill
    from nbclient.exceptions import CellTimeoutError, DeadKernelError
    from papermill.exceptions import PapermillExecutionError

    try:
        papermill.execute_notebook(
            notebook, out.absolute(), values, kernel_name="python3", cwd=folder,
            execution_timeout=timeout, progress_bar=progress,
        )
    except PapermillExecutionError as error:
        first = error.evalue.strip().splitlines()[0] if error.evalue.strip() else ""
        raise CellFailed(
            f"cell [{error.exec_count}] of {name} failed; what ran before is in {out}.\n"
            f"{error.ename}: {first}"
        ) from None
    except CellTimeoutError:
        raise CellFailed(
            f"a cell of {name} took over {timeout} seconds; what ran before is in {out}."
        ) from None
    except DeadKernelError:
        raise CellFailed(f"the kernel of {name} died; what ran before is in {out}.") from None
