"""axe-core, which finds what keeps readers out: fetched once, as it is no Python package."""

import base64
import hashlib
import io
import tarfile
import urllib.request

from tests.conftest import TOP

VERSION = "4.14.0"
DIGEST = "9WTZxEjsZ7b13TH8JPmbV2z8CHbl80/2hm3XPEG4JgNdQLK81IBRXmSxHfMAOkSqQeRxT/0dwNDz2GOm3zzpcQ=="
# Of the words in code that look the same, coloured by one class, one is enough: the others become
# plain text. That is a good part of what axe would look at.
LIGHTEN = """
const seen = new Set();
for (const word of document.querySelectorAll(".highlight pre span")) {
  const looks = word.className + (word.closest(".cell_output") ? " output" : "");
  if (seen.has(looks)) word.replaceWith(...word.childNodes); else seen.add(looks);
}
"""
RUN = """
const [options, done] = arguments;
options.resultTypes = ["violations"];  // of all else, which takes longer, only samples
axe.run(document, options).then(found => done(
  found.violations.filter(each => ["serious", "critical"].includes(each.impact))
    .flatMap(each => each.nodes.map(node => `${each.id}: ${node.target} ${node.html}`))
), problem => done([String(problem)]));
"""


def script():
    """Its text; OSError where it can neither be found nor fetched."""
    kept = TOP / "_build" / f"axe-core-{VERSION}.tgz"
    if not kept.exists():
        address = f"https://registry.npmjs.org/axe-core/-/{kept.name}"
        content = urllib.request.urlopen(address, timeout=60).read()
        kept.parent.mkdir(exist_ok=True)
        kept.write_bytes(content)
    content = kept.read_bytes()
    assert base64.b64encode(hashlib.sha512(content).digest()).decode() == DIGEST
    with tarfile.open(fileobj=io.BytesIO(content)) as archive:
        return archive.extractfile("package/axe.min.js").read().decode()
