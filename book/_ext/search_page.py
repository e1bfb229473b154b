"""A search page that knows the glossary, and works from a disk.

A term of the glossary comes first, with its definition. Browsers refuse to read pages from a disk
by script, which Sphinx does for the excerpts: there, the texts are embedded in a file of their own.
"""

import json
import posixpath
import re
from html import unescape
from pathlib import Path

GLOSSARY = "book/glossary"
ENTRY = re.compile(r'<dt id="(term-[^"]*)">(.*?)</dt>\s*<dd>(.*?)</dd>', re.DOTALL)
SHOW = """
addEventListener("DOMContentLoaded", () => {
  // Words without hyphens, articles and endings of the plural, in whatever order.
  const words = (text) => new Set((text.toLowerCase().match(/[\\p{L}\\p{N}]+/gu) || [])
    .filter((each) => !["a", "an", "the", "of"].includes(each))
    .map((each) => each.replace(/(?<=.{3})ies$/, "y").replace(/(?<=.{2}[^s])s$/, "")));
  const wanted = words(new URLSearchParams(location.search).get("q") || "");
  const telling = [...wanted].some((each) => each.length > 2);
  const has = ([name]) => telling && [...wanted].every((each) => words(name).has(each));
  const found = TERMS.filter((term) => has(term) && words(term[0]).size === wanted.size);
  const also = TERMS.filter((term) => has(term) && !found.includes(term));
  const place = document.getElementById("search-results");
  for (const [name, address, definition] of [...found, ...also.slice(0, 3)].reverse()) {
    const box = document.createElement("div");
    box.className = "term-found";
    const head = `<a href="${address}">${name}</a> <span class="kind">glossary</span>`;
    box.innerHTML = `<p>${head}</p>${definition}`;
    place.before(box);
  }
});
"""
TEXTS = """
window.fetch = (address) => {
  const name = address.replace(/^(\\.\\/)*/, "").replace(/\\.html.*$/, "");
  const text = SEARCH_TEXTS[name] || "", page = document.implementation.createHTMLDocument("");
  const main = page.body.appendChild(page.createElement("div"));
  main.setAttribute("role", "main");
  main.textContent = text;
  return Promise.resolve({ text: () => Promise.resolve(page.documentElement.outerHTML) });
};
"""


def terms(text):
    """Name, address and definition of each term, seen from the search page."""
    folder = posixpath.dirname(GLOSSARY)

    def moved(link):
        target = link[1]
        if target.startswith("#"):
            target = f"{posixpath.basename(GLOSSARY)}.html{target}"
        if "://" not in target:
            target = posixpath.normpath(posixpath.join(folder, target))
        return f'href="{target}"'

    return [
        (
            plain(name).lower(),
            f"{GLOSSARY}.html#{place}",
            re.sub(r'href="([^"]*)"', moved, definition).strip(),
        )
        for place, name, definition in ENTRY.findall(text)
    ]


def plain(html):
    html = re.sub(
        r'<a class="headerlink".*?</a>|<(script|style)\b.*?</\1>', " ", html, flags=re.DOTALL
    )
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", html)).split())


def write(app, error):
    if error or app.builder.name != "html":
        return
    out = Path(app.outdir)
    known = terms((out / f"{GLOSSARY}.html").read_text("utf-8"))
    (out / "_static" / "terms.js").write_text(f"const TERMS = {json.dumps(known)};{SHOW}", "utf-8")
    texts = {}
    for name in sorted(app.env.found_docs):
        page = (out / f"{name}.html").read_text("utf-8")
        article = re.search(r'<article class="bd-article".*?</article>', page, re.DOTALL)
        texts[name] = plain(article[0])
    (out / "_static" / "search-texts.js").write_text(
        f"const SEARCH_TEXTS = {json.dumps(texts, ensure_ascii=False)};{TEXTS}", "utf-8"
    )


def setup(app):
    app.connect(
        "build-finished", write, priority=940
    )  # when pages are mended, before they are made light
    return {"parallel_read_safe": True, "parallel_write_safe": True}
