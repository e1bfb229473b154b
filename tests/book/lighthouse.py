"""`make lighthouse`: what Google's Lighthouse says of five pages, on a phone and on a desktop.

Medians of five runs, pages served compressed. Needs Chromium, and Node.js, which fetches Lighthouse
unless there is one. Writes book/lighthouse.json, which the status page shows.

    python -m tests.book.lighthouse [RUNS]
"""

import functools
import gzip
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import threading
from datetime import date
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from tests.conftest import TOP

sys.path.append(str(TOP / "book"))
from pages_stamp import stamp

CHROMIUM = os.environ.get("CHROMIUM", "chromium")
VERSION = "12.8.2"
RESULT = TOP / "book" / "lighthouse.json"
BUILT = TOP / "_build" / "html"
LEAST = {"performance": 90, "accessibility": 95, "best-practices": 95, "seo": 95}
SCREENS = {"phone": [], "desktop": ["--preset=desktop"]}


class Compressed(SimpleHTTPRequestHandler):
    """A folder, as a good server hands it out."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        path = Path(self.translate_path(self.path))
        if not path.is_file():
            self.send_error(404)
            return
        body, packed = path.read_bytes(), path.suffix in (".html", ".css", ".js", ".svg", ".json")
        body = gzip.compress(body, 9, mtime=0) if packed else body
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(str(path)))
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "max-age=31536000")
        if packed:
            self.send_header("Content-Encoding", "gzip")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


def chosen():
    """Front page, the chapters with most formulas and most figures, ledger, an experiment."""
    chapters = {
        f"notebooks/{path.name}": path.read_text("utf-8")
        for path in (BUILT / "notebooks").glob("[0-9]*.html")
    }
    formulas = max(chapters, key=lambda page: chapters[page].count("<math"))
    figures = max(chapters, key=lambda page: len(re.findall("<img|data-figure", chapters[page])))
    experiment = "notebooks/experiments/6-homo-peaked-bernoulli-discounted.html"
    return {
        "front page": "book/intro.html",
        "most formulas": formulas,
        "most figures": figures,
        "ledger": "book/claims.html",
        "experiment": experiment,
    }


def scores(address, screen):
    """One run: the four scores, and what the page weighs on the way."""
    flags = "--headless=new --no-sandbox --disable-gpu --disable-background-networking"
    found = shutil.which("lighthouse")
    command = [found] if found else ["npx", "--yes", f"lighthouse@{VERSION}"]
    done = subprocess.run(
        [*command, address, *SCREENS[screen], "--quiet", "--output=json", f"--chrome-flags={flags}",
         f"--only-categories={','.join(LEAST)}"],
        capture_output=True, text=True, check=True,
        env={**os.environ, "CHROME_PATH": shutil.which(CHROMIUM) or ""},
    )  # fmt: skip
    report = json.loads(done.stdout)
    for name, audit in report["audits"].items() if "EXPLAIN" in os.environ else ():
        if audit["score"] is not None and audit["score"] < 0.9:
            print("  ", name, audit.get("displayValue", ""), audit["title"])
    said = {name: round(100 * report["categories"][name]["score"]) for name in LEAST}
    weight = report["audits"]["total-byte-weight"]["numericValue"]
    return said | {"kilobytes": round(weight / 1000)}


def medians(found):
    return {name: round(statistics.median(each[name] for each in found)) for name in found[0]}


def main(runs):
    server = ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(Compressed, directory=str(BUILT)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    rows, before = [], stamp()
    for page, path in chosen().items():
        for screen in SCREENS:
            address = f"http://127.0.0.1:{server.server_port}/{path}"
            found = [scores(address, screen) for _ in range(runs)]
            rows.append({"page": page, "path": path, "screen": screen} | medians(found))
            print(rows[-1], flush=True)
    server.shutdown()
    short = [row for row in rows for name, least in LEAST.items() if row[name] < least]
    if runs == 5:
        found = {"date": date.today().isoformat(), "stamp": before, "lighthouse": VERSION}
        RESULT.write_text(json.dumps({**found, "runs": runs, "scores": rows}, indent=1) + "\n")
    return 1 if short else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 5))
