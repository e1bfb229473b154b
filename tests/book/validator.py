"""`make valid`: what the Nu HTML Checker says of every built page.

Needs Java, and Node.js, which fetches the checker. Writes book/validator.json, which the status
page shows. Errors fail; what is only a warning comes from the theme, and is counted.
"""

import json
import subprocess
import sys
from collections import Counter
from datetime import date

from tests.book.lighthouse import BUILT
from tests.conftest import TOP

sys.path.append(str(TOP / "book"))
from pages_stamp import stamp

VERSION = "26.9.27"
RESULT = TOP / "book" / "validator.json"


def built_pages():
    pages = [path.relative_to(BUILT) for path in BUILT.rglob("*.html")]
    return sorted(str(page) for page in pages if page.parts[0] not in ("_static", "_sources"))


def messages(pages):
    """Everything that the checker says of these pages."""
    command = ["npx", "--yes", f"vnu-jar@{VERSION}", "--format", "json", "--stdout", *pages]
    done = subprocess.run(command, cwd=BUILT, capture_output=True, text=True, check=False)
    if not done.stdout:
        raise SystemExit(f"The checker says nothing but: {done.stderr[-500:]}")
    return json.loads(done.stdout)["messages"]


def main():
    pages, before = built_pages(), stamp()
    said = messages(pages)
    errors = [each for each in said if each["type"] != "info"]
    for each in errors:
        print(f"{each['url']}, line {each.get('lastLine')}: {each['message']}")
    others = Counter(each["message"].partition(".")[0] for each in said if each["type"] == "info")
    found = {
        "date": date.today().isoformat(),
        "stamp": before,
        "checker": VERSION,
        "pages": len(pages),
        "errors": len(errors),
        "warnings": dict(others.most_common()),
    }
    RESULT.write_text(json.dumps(found, indent=1) + "\n")
    print(f"{len(errors)} errors on {len(pages)} pages.")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
