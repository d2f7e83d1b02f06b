#!/usr/bin/env python3
"""Do links between pages lead where they did before an import?

  OCTAVO_BUILD=build tests/arrive/links.py FOLDER...      or make links

Imports each folder (a checkout of real documentation) into a space of a new installation. Links of its
Markdown files that name another imported file by its path are found without Octavo's code; each must be a
link from the page to the page in the index of links. (Whether an anchor exists there is in the report of the
import: at the source, it may be missing as well.) Prints the share for each folder, and the first links
that are lost. The exit status is 1 if a folder has less than 99.5 %, or no link.
"""
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import urllib.parse

LEAST = 99.5
MARKDOWN = (".md", ".mdx", ".markdown")
INLINE = re.compile(r"(?<!!)\[(?:[^\[\]\\]|\\.|!?\[[^\]]*\](?:\([^)]*\))?){0,400}\]\(\s*(<[^>\n]*>|[^()\s<>]+)")
DEFINITION = re.compile(r"^[ >]{0,8}\[([^\]^][^\]]*)\]:\s*(<[^>\n]*>|\S+)", re.M)
COMMENT = re.compile(r"<!--.*?-->|\{/\*.*?\*/\}", re.S)
CODE = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)", re.S)
FENCE = re.compile(r"^[\s>]*(`{3,}|~{3,})")


def prose(text):
    """The text without front matter, fenced code, code spans and comments."""
    lines, fence = [], None
    text = re.sub(r"\A---\n.*?\n---\n", "", text, flags=re.S)
    for line in text.split("\n"):
        mark = FENCE.match(line)
        if fence is None and mark:
            fence = mark.group(1)
        elif fence is not None:
            if mark and mark.group(1).startswith(fence) and line.strip(" >\t").strip(fence[0]) == "":
                fence = None
        elif not re.match(r"^(\t| {4,})\S", line) or "](" in line:
            lines.append(line)
    return CODE.sub("", COMMENT.sub("", "\n".join(lines)))


def name_of(path):
    """What a source's file and the imported page have in common: the path without its ending."""
    path = re.sub(r"\.(md|mdx|markdown)$", "", path)
    return re.sub(r"(^|/)(index|_index|readme)$", "", path.lower())


def file_named(folder, target):
    """The Markdown file of a path that may lack its ending; None: there is none."""
    endings = ("",) if target.endswith(MARKDOWN) else (".md", ".mdx", "/index.md", "/README.md", "/_index.md")
    for ending in endings:
        path = os.path.normpath(target + ending)
        if not path.startswith("..") and os.path.isfile(os.path.join(folder, path)):
            return path
    return None


def used_definitions(text):
    """The targets of reference links: a definition that no text uses is no link."""
    uses = DEFINITION.sub("", text).lower()
    return [target for label, target in DEFINITION.findall(text) if f"[{label.lower()}]" in uses]


def links_of(folder, root, path):
    """Files that the links of a file name by their paths."""
    with open(os.path.join(folder, path), encoding="utf-8", errors="replace") as f:
        text = prose(f.read())
    for spelling in INLINE.findall(text) + used_definitions(text):
        target = urllib.parse.unquote(spelling.strip("<>").split("#")[0].split("?")[0])
        if target == "" or ":" in target or "{" in target or target.startswith("//"):
            continue
        at = root if target.startswith("/") else os.path.dirname(path)
        to = file_named(folder, os.path.join(at, target.lstrip("/")))
        if to is not None:
            yield spelling, to


def files_of(folder):
    for at, folders, files in os.walk(folder):
        # Older versions and translations are not imported, and have the same paths below their folders.
        folders[:] = [f for f in folders if not f.startswith(".") and f not in ("node_modules", "versioned_docs", "i18n")]
        for name in files:
            if name.endswith(MARKDOWN):
                yield os.path.relpath(os.path.join(at, name), folder)


def imported(octavo, data, folder):
    """The id of each page by name, and the pairs of pages that links connect."""
    out = subprocess.run([octavo, "import", folder, "--dir", data, "--title", "Links", "--json"], stdout=subprocess.PIPE, check=True)
    space = json.loads(out.stdout)["result"]["space"]
    db = sqlite3.connect(f"file:{data}/octavo.db?mode=ro", uri=True)
    rows = db.execute("SELECT n.id, n.git_path FROM node n JOIN space s ON s.branch = n.branch "
                      "WHERE s.id = ? AND n.kind = 'document' AND n.git_path IS NOT NULL", [space])
    pages = {name_of(path): page for page, path in rows}
    pairs = set(db.execute("SELECT l.source, t.node FROM link_edition e JOIN space s ON s.branch = e.branch "
                           "JOIN link l ON l.edition = e.no JOIN link_target t ON t.id = l.target "
                           "WHERE s.id = ? AND e.shown = 1 AND t.kind = 'page'", [space]))
    db.close()
    return pages, pairs


def root_of(pages, files):
    """The folder of the pages: the one below which most files are pages."""
    roots = {""}
    for path in files:
        roots.update(os.path.dirname(path)[:i] for i, c in enumerate(os.path.dirname(path) + "/") if c == "/" and i > 0)
    return max(sorted(roots), key=lambda root: sum(page_of(pages, root, path) is not None for path in files))


def page_of(pages, root, path):
    if root != "" and not path.startswith(root + "/"):
        return None
    return pages.get(name_of(path[len(root) + 1:] if root != "" else path))


def measure(octavo, data, folder):
    pages, pairs = imported(octavo, data, folder)
    files = sorted(files_of(folder))
    root = root_of(pages, files)
    found, lost = 0, []
    for path in files:
        source = page_of(pages, root, path)
        for spelling, to in links_of(folder, root, path) if source else ():
            target = page_of(pages, root, to)
            if target is None or target == source:
                continue
            if (source, target) in pairs:
                found += 1
            else:
                lost.append(f"{path}: {spelling}")
    share = 100 * found / (found + len(lost)) if found else 0
    print(f"{os.path.basename(folder)}: {found} of {found + len(lost)} links between {len(pages)} pages, {share:.2f} %", flush=True)
    for line in lost[:10]:
        print(f"  lost: {line}")
    return share >= LEAST


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    octavo = os.path.abspath(os.environ.get("OCTAVO_BUILD", "build") + "/octavo")
    data = tempfile.mkdtemp() + "/data"
    try:
        subprocess.run([octavo, "init", "--dir", data, "--email", "a@example.com", "--name", "A", "--org", "Docs"],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        good = [measure(octavo, data, os.path.abspath(folder)) for folder in sys.argv[1:]]
    finally:
        shutil.rmtree(os.path.dirname(data))
    sys.exit(0 if all(good) else 1)


main()
