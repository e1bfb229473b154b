"""Run a chapter with other parameters: checked against its own declaration, then by papermill.

The first code cell of a notebook declares what may be changed, a line each:

    rounds: int = 100_000  # T, rounds of a run [20_000, 1_000_000]
    gamma: float = 0.99  # discount (0, 1]
    ties: str = "random"  # equal candidates {random, first}

Brackets at the end of the comment are the range, round ones exclude an end, braces list choices.
"""

import ast
import math
import re
from collections.abc import Iterable, Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, NamedTuple

from rb_core.checks import InputError, choice, interval, number, numeral, shown, whole
from rb_core.engine.files import check_folder, replacing

PROJECT = Path(str(files("rb_core"))).parent  # if this is a clone of it
NOTEBOOKS = PROJECT / "notebooks"
EXPERIMENT = {"file": "notebooks/experiments/experiment"}  # is no page by itself
KINDS = {"int": int, "float": float, "str": str, "bool": bool}
WORDS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
RANGE = re.compile(r"\s*([\[(])([^\s,]+), ([^\s,]+)([\])])$")
# Else every kernel warns that what is said on this machine could be overheard.
QUIET_KERNEL = {"KernelManager": {"transport_encryption": "auto"}}
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
    choices: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.name}: {self.kind.__name__} = {self.default!r}  {self.text}{self.limits()}"

    def limits(self) -> str:
        """The allowed values, as they are declared."""
        if self.choices:
            return f" {{{', '.join(self.choices)}}}"
        if math.isinf(self.low) and math.isinf(self.high):
            return ""
        return f" {interval(self.low, self.high, self.open_low, self.open_high)}"

    def parsed(self, text: str) -> Any:
        """The value that `text` means, if it is allowed."""
        if self.kind is str:
            return choice(self.name, text, self.choices) if self.choices else text
        if self.kind is bool:
            if text.lower() not in WORDS:
                raise InputError(f"{self.name} must be true or false, not {shown(text)}.")
            return WORDS[text.lower()]
        value = numeral(self.name, text)
        if self.kind is int:
            value = whole(self.name, value, -math.inf)
        in_range = number(self.name, value, self.low, self.high,
                          open_low=self.open_low, open_high=self.open_high)
        return value if self.kind is int else in_range


def contents() -> list[dict]:
    """The parts of the book, as its table of contents has them; none without a clone of it."""
    import yaml  # here, because most commands need none of this

    table = PROJECT / "_toc.yml"
    return yaml.safe_load(table.read_text(encoding="utf-8"))["parts"] if table.is_file() else []


def chapters() -> dict[str, Path]:
    """The numbered chapters of the book in their order, and what runs an experiment, by name."""
    found = [_file(each) for part in contents() if part.get("numbered")
             for each in part["chapters"]]
    if not found:
        raise InputError("Chapters need a clone of the project: they are not installed with it.")
    return {path.stem: path for path in (*found, _file(EXPERIMENT))}


def pages() -> list[Path]:
    """The files of all pages of the book, and of the notebook behind those of the experiments."""
    listed = [page for part in contents() for each in part["chapters"]
              for page in (each, *each.get("sections", []))]
    return [_file(page) for page in (*listed, EXPERIMENT)]


def _file(page: dict) -> Path:
    path = PROJECT / f"{page['file']}.ipynb"
    return path if path.exists() else path.with_suffix(".md")


def slug(path: Path) -> str:
    """What references call a chapter, whatever its number is: its file's name without digits."""
    return path.stem.lstrip("0123456789_")


def find(name: str) -> Path:
    """The file of a chapter, by its number (08, 8), its slug (ss_sarsa) or its file's name."""
    known = chapters()
    by_number = {str(count): path for count, path in enumerate(known.values(), 1)
                 if path.stem != "experiment"}
    by_name = {slug(path): path for path in known.values()} | known
    if name.isdecimal() and name.lstrip("0") not in by_number:
        raise InputError(f"There is no chapter {name}: they are 1 to {len(by_number)}.")
    path = by_number.get(name.lstrip("0")) or by_name[choice("chapter", name, by_name)]
    if path.suffix != ".ipynb":
        raise InputError(f"Chapter {name}, {slug(path)!r}, has no code to run.")
    return path


def read(path: Traversable) -> Any:
    """A notebook from its file."""
    import nbformat  # here, because it takes a moment to load

    return nbformat.reads(path.read_text(encoding="utf-8"), 4)


def parameters(notebook: Any) -> dict[str, Parameter]:
    """The declared parameters of a notebook, by name."""
    cells = [cell for cell in notebook.cells if "parameters" in cell.metadata.get("tags", [])]
    found = {}
    for line in "\n".join(cell.source for cell in cells).splitlines():
        if line.strip():
            parameter = declared(line)
            found[parameter.name] = parameter
    return found


def declared(line: str) -> Parameter:
    """The parameter that a line of the parameters cell declares."""
    statement: Any = ast.parse(line).body[0]
    text = line.partition("  # ")[2]
    name, kind = statement.target.id, KINDS[statement.annotation.id]
    limits: dict[str, Any] = {}
    if found := RANGE.search(text):
        left, low, high, right = found.groups()
        limits = {"low": numeral(name, low), "high": numeral(name, high),
                  "open_low": left == "(", "open_high": right == ")"}
        text = text[: found.start()]
    elif found := CHOICES.search(text):
        limits = {"choices": tuple(each.strip() for each in found[1].split(","))}
        text = text[: found.start()]
    return Parameter(name, kind, ast.literal_eval(statement.value), text, **limits)


def checked(
    given: Iterable[str], declarations: dict[str, Parameter], of: str
) -> dict[str, Any]:
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


def remark(values: dict[str, Any], declarations: dict[str, Parameter]) -> str:
    """What the notebook's reader must know: the text speaks of the defaults."""
    defaults = {name: each.default for name, each in declarations.items()}
    changed = [f"{code(f'{name} = {value!r}')} (the text's: {code(repr(defaults[name]))})"
               for name, value in values.items() if value != defaults[name]]
    if not changed:
        return ""
    return (
        f"> **Run with other parameters:** {', '.join(changed)}. Figures, tables and numbers below "
        f"follow them; where the text speaks of the paper's setting it means the defaults."
    )


def code(text: str) -> str:
    """`text` as code in Markdown, whatever it contains: between more backticks than it has."""
    marks = "`" * (1 + max(map(len, re.findall("`*", text))))
    space = " " * ("`" in text)
    return f"{marks}{space}{text}{space}{marks}"


class CellFailed(Exception):
    """A cell of the notebook raised an error; what ran before it is kept."""


def run_notebook(
    chapter: str,
    out: str | Path,
    parameters: Mapping[str, object] | Iterable[str] = (),
    timeout: int = 600,
) -> None:
    """Execute a chapter, or the experiment notebook, with other parameters, into the file `out`.

    Parameters
    ----------
    chapter : str
        Its number in the book, its slug (such as "ss_sarsa"), or "experiment".
    out : path
    parameters : dict, or texts "name=value"
        As the chapter declares them; what is not given is as in the book.
    timeout : int
        Seconds for a cell.

    Examples
    --------
    >>> import rb_core as rb
    >>> rb.run_notebook("ss_sarsa", "mine.ipynb", {"gamma": 2})
    Traceback (most recent call last):
    rb_core.checks.InputError: gamma must be in (0, 1], not 2.
    """
    given = ([f"{name}={value}" for name, value in parameters.items()]
             if isinstance(parameters, Mapping) else parameters)
    run(find(chapter), given, Path(out), whole("timeout", timeout, 1))


def run(path: Path, given: Iterable[str], out: Path, timeout: int) -> None:
    """Check the parameters, then execute the notebook at `path` into `out`."""
    import nbformat  # here, because it takes a moment to load

    if out.suffix != ".ipynb":
        raise InputError(f"The executed notebook must end in .ipynb, not {out.name!r}.")
    check_folder(out)
    if out.resolve() in {each.resolve() for each in (path, *pages())}:
        raise InputError(
            f"{str(out)!r} is a page of the book, or the notebook that is run: name another file."
        )
    notebook = read(path)
    declarations = parameters(notebook)
    values = checked(given, declarations, path.stem)
    if note := remark(values, declarations):
        notebook.cells.insert(1, nbformat.v4.new_markdown_cell(note))
    execute(notebook, path.stem, values, out, path.parent, timeout)


def execute(
    notebook: Any,
    name: str,
    values: dict[str, Any],
    out: Path,
    folder: Path,
    timeout: int,
    progress: bool = True,
) -> None:
    """Execute a notebook with the given parameters in `folder`, into the file `out`."""
    # Here, because loading them takes longer than all other commands need.
    import papermill
    from nbclient.exceptions import CellTimeoutError, DeadKernelError
    from papermill.exceptions import PapermillExecutionError
    from traitlets.config import Config

    failed = None
    with replacing(out) as part:  # papermill writes it again and again
        try:
            papermill.execute_notebook(
                notebook, part, values, kernel_name="python3", cwd=folder,
                execution_timeout=timeout, progress_bar=progress, config=Config(QUIET_KERNEL),
            )
        except PapermillExecutionError as error:
            said = " ".join(error.evalue.strip().splitlines()[:1])
            failed = f"cell [{error.exec_count}] of {name} failed", f"\n{error.ename}: {said}"
        except CellTimeoutError:
            failed = f"a cell of {name} took over {timeout} seconds", ""
        except DeadKernelError:
            failed = f"the kernel of {name} died", ""
    if failed:
        raise CellFailed(f"{failed[0]}; what ran before is in {out}.{failed[1]}")
