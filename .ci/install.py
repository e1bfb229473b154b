"""Install exactly what requirements.txt pins into the environment of the Python that runs this.

uv does in less than a minute what takes pip three. It comes from the same lock, by pip and with its
hashes, and is told where pip looks for packages, which it does not read by itself. If it fails, pip
does the work.
"""

import ast
import os
import re
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

LOCK = Path(__file__).parents[1] / "requirements.txt"
# What pip calls a setting, and uv's variable for it with the mark between several values.
SETTINGS = {
    "index-url": ("UV_DEFAULT_INDEX", " "),
    "extra-index-url": ("UV_INDEX", " "),
    "find-links": ("UV_FIND_LINKS", ","),
    "cert": ("SSL_CERT_FILE", " "),
    "timeout": ("UV_HTTP_TIMEOUT", " "),
    "default-timeout": ("UV_HTTP_TIMEOUT", " "),
}
SECTIONS = ("global", "install", ":env:")  # what stands in a later one counts


def pip(*arguments, **options):
    return subprocess.run([sys.executable, "-m", "pip", *arguments], check=True, **options)


def settings_of_pip():
    """Where pip is told to look for packages, as uv's variables."""
    lines = pip("config", "list", capture_output=True, text=True).stdout.splitlines()
    said = [line.partition("=")[::2] for line in lines]
    found = {}
    for section in SECTIONS:
        for name, value in said:
            where, _, key = name.rpartition(".")
            if where == section and key in SETTINGS:
                variable, between = SETTINGS[key]
                found[variable] = between.join(ast.literal_eval(value).split())
    return found


def install_uv():
    text = LOCK.read_text()
    pinned = re.search(r"^uv==.*\n(?: +--hash=.*\n)+", text, re.MULTILINE)[0]
    with TemporaryDirectory() as folder:
        alone = Path(folder, "uv.txt")
        alone.write_text(pinned)
        pip("install", "--quiet", "--require-hashes", "-r", str(alone))


def install_by_uv():
    command = [
        *(sys.executable, "-m", "uv", "--no-config", "pip", "install", "--quiet"),
        *("--python", sys.executable, "--require-hashes", "-r", str(LOCK)),
        # Any index may have the file: the hashes say which one will do.
        *("--index-strategy", "unsafe-best-match"),
        # Otherwise each process that cannot write here, as a caged student's, compiles for itself.
        "--compile-bytecode",
    ]
    subprocess.run(command, env=settings_of_pip() | os.environ, check=True)


if __name__ == "__main__":
    try:
        install_uv()
        install_by_uv()
    except subprocess.CalledProcessError:
        print("uv could not do it; pip goes on, which takes some minutes", file=sys.stderr)
        try:
            pip("install", "--quiet", "--require-hashes", "-r", str(LOCK))
        except subprocess.CalledProcessError as problem:
            sys.exit(problem.returncode)
