#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Lays out the pages of the site as Sphinx reads them: README, docs/, the examples' and tests' READMEs, and the manual pages.

    stage.py SOURCE_ROOT STAGE

The page docs/X.md becomes X.html, and a README the index of its directory. Links are rewritten for that; those to files that are no
page become source:PATH, which conf.py resolves. SECTIONS is the navigation. A page that it does not name is an error.
"""
import os
import pathlib
import re
import shutil
import sys
import xml.etree.ElementTree

import manual
import plots

# Title of the section, then its pages in order; "*" stands for the ones that no other pattern names.
SECTIONS = [
    ("Begin", ["docs/guide/README.md", "docs/guide/first-program.md", "docs/guide/build.md", "backends"]),
    ("Guide", ["docs/guide/kernels.md", "docs/guide/patterns.md", "docs/guide/algorithms.md", "docs/guide/memory-and-queues.md",
               "docs/guide/shipping-kernels.md", "docs/guide/where-it-runs.md", "docs/guide/cpp.md", "docs/guide/languages.md",
               "docs/guide/errors.md", "docs/guide/debugging.md", "docs/guide/performance.md", "docs/guide/timeline.md",
               "docs/guide/plugin.md", "docs/guide/*.md"]),
    ("Porting", ["docs/guide/porting.md", "docs/guide/from-*.md"]),
    ("Examples", ["examples/hello/README.md", "examples/*/README.md"]),
    ("Reference", ["api-reference", "docs/semantics.md", "docs/kernels.md", "docs/mathematics.md", "docs/environment.md",
                   "docs/checking.md", "docs/abi.md", "docs/man/*.1"]),
    ("Measurements", ["docs/performance.md", "results-plotted", "docs/accel-bench.md"]),
    ("For maintainers", ["docs/architecture.md", "docs/gpu.md", "docs/notebook/README.md", "docs/notebook/*.md",
                         "tests/*/README.md", "docs/*.md"]),
]
# Where two documents have one title.
TITLES = {"docs/kernels.md": "Kernels: what does not fit in the header", "docs/performance.md": "Performance: figures and bounds",
          "docs/checking.md": "cpu-check: what it finds", "docs/gpu.md": "The GPU backends", "docs/notebook/gpu.md": "Notebook: GPU engine"}
GENERATED = ("backends", "api-reference", "results-plotted")
LINK = re.compile(r"(\]\()([^)#:\s]*)(#[^)\s]*)?(\))")
HIDDEN = re.compile(r"^<!-- (?:file|sh).*?^-->\n", re.MULTILINE | re.DOTALL)
FENCE = re.compile(r"^```(\S+)( .*)?$")
# What Pygments calls a language.
LEXERS = {"cuda": "cpp", "make": "makefile", "sh": "sh"}


def page_name(path):
    """The page of a document, without its suffix."""
    name = path.removeprefix("docs/")
    if name == "README.md" or name.endswith("/README.md"):
        name = name.removesuffix("README.md") + "index"
    return name.removesuffix(".md").removesuffix(".1")


def ordered(root):
    """[(title, [document])] of all documents; each belongs to the first pattern that names it, and the longest wins over wildcards."""
    every = {str(path.relative_to(root)) for pattern in
             ("docs/*.md", "docs/guide/*.md", "docs/notebook/*.md", "docs/man/*.1", "examples/*/README.md", "tests/*/README.md")
             for path in root.glob(pattern)}
    literal = {name for _, patterns in SECTIONS for name in patterns if "*" not in name}
    missing = sorted(literal - every - set(GENERATED))
    if missing:
        sys.exit(f"docs/site/stage.py: there is no {missing[0]}")
    left, sections = every - literal, []
    # from-*.md before *.md, whatever the order of the sections.
    wild = sorted((pattern for _, patterns in SECTIONS for pattern in patterns if "*" in pattern), key=len, reverse=True)
    found = {}
    for pattern in wild:
        found[pattern] = sorted(path for path in left if pathlib.PurePath(path).match(pattern) and
                                path.count("/") == pattern.count("/"))
        left -= set(found[pattern])
    for title, patterns in SECTIONS:
        sections.append((title, [page for pattern in patterns for page in found.get(pattern, [pattern])]))
    return sections, every | {"README.md"}


def rewritten(text, document, root, pages, pictures):
    """The document with links that are right in the site, and without what readers do not see. Adds to the pictures that it shows."""
    where, here = os.path.dirname(document), os.path.dirname(page_name(document)) or "."

    def link(found):
        target, fragment = found[2], found[3] or ""
        if not target:
            return found[0]
        path = os.path.normpath(os.path.join(where, target))
        if not (root / path).exists():
            sys.exit(f"{document}: the link {target} leads nowhere")
        if path in pages:
            place = os.path.relpath(page_name(path), here) + ".md" + fragment
        elif pathlib.Path(path).suffix in (".svg", ".png", ".jpg", ".gif"):
            pictures.add(path)
            place = os.path.relpath("pictures/" + path, here)
        else:
            place = f"source:{path}{fragment}"
        return found[1] + place + found[4]

    lines, fenced = [], False
    for line in HIDDEN.sub("", text).splitlines():
        fence = FENCE.match(line)
        if line.startswith("```"):
            fenced = not fenced
            if fence:
                line = "```" + LEXERS.get(fence[1], fence[1])
        elif not fenced:
            line = "`".join(part if number % 2 else LINK.sub(link, part) for number, part in enumerate(line.split("`")))
        lines.append(line)
    return "\n".join(lines) + "\n"


def section_of(text, title):
    """The lines below a heading, up to the next one."""
    return re.search(rf"^## {title}\n(.*?)(?=^## )", text, re.MULTILINE | re.DOTALL)[1]


def names_of_headers():
    """Header -> the names in C that Doxygen found in it."""
    found = {}
    for compound in xml.etree.ElementTree.parse(os.environ["SITE_TAGS"]).getroot().iterfind("compound[@kind='file']"):
        names = [name.text for name in compound.findall("class[@kind='struct']") + compound.findall("member/name") +
                 compound.findall("member/enumvalue") if re.fullmatch(r"(accel|ACCEL)_(?!\w+_ACCEL_)\w*[^_\W]", name.text)]
        header = compound.findtext("path").rpartition("/include/")[2] + compound.findtext("name")
        if names and header.endswith(".h"):
            found[header] = list(dict.fromkeys(names))
    return dict(sorted(found.items()))


def api_reference(root):
    """The headers that Doxygen reads, each with the first sentence of its comment."""
    settings = (root / "docs/Doxyfile").read_text(encoding="utf-8").replace("\\\n", " ")
    read, excluded = (re.search(rf"^{name} *= *(.*)", settings, re.MULTILINE)[1].split() for name in ("INPUT", "EXCLUDE"))
    kernel = "include/accel/kernel"
    tables = {"For programs, and for those who extend libaccel": [name for name in read if name.endswith((".h", ".hpp"))],
              "For kernels": [f"{kernel}/{path.name}" for path in sorted((root / kernel).glob("*.h"))]}
    rows = ["# API reference", "", "The reference is made from the comments of the public headers, which say the same. "
            '<a href="api/index.html">Open the reference</a>, or one header:', ""]
    for title, headers in tables.items():
        rows += [f"## {title}", "", "| header | what it is | source |", "| --- | --- | --- |"]
        for header in headers:
            text = (root / header).read_text(encoding="utf-8")
            found = re.search(r"^ \* accel/\S+ - ((?:.|\n)*?)\.(?:\s|$)", text, re.MULTILINE)
            if header in excluded:
                continue
            if not found:
                sys.exit(f"{header}: its comment does not begin with its name and what it is")
            what = re.sub(r"\s*\n \*\s*", " ", found[1])
            rows.append(f"| [`{header.removeprefix('include/')}`](api:{header}) | {what} | [text](source:{header}) |")
        rows.append("")
    rows += ["## Names", "", "The names in C of each header. A name leads to its text.", ""]
    for header, names in names_of_headers().items():
        rows += [f"### {header}", "", ", ".join(f"`{name}`" for name in names), ""]
    return "\n".join(rows)


def main():
    root, stage = (pathlib.Path(path).resolve() for path in sys.argv[1:])
    sections, documents = ordered(root)

    def write(name, text):
        (stage / name).parent.mkdir(parents=True, exist_ok=True)
        (stage / name).write_text(text, encoding="utf-8")

    pictures = set()
    texts = {document: (root / document).read_text(encoding="utf-8") for document in documents}
    for document, text in texts.items():
        if document.endswith(".1"):
            text = manual.markdown(text)
        else:
            text = rewritten(text, document, root, documents, pictures)
        if document == "README.md":
            write("backends.md", "# Backends\n\n" + section_of(text, "Backends"))
            for title, pages in sections:
                entries = "\n".join(f"{TITLES[page]} </{page_name(page)}>" if page in TITLES else "/" + page_name(page) for page in pages)
                text += f"\n```{{toctree}}\n:hidden:\n:maxdepth: 1\n:caption: {title}\n\n{entries}\n```\n"
        write(page_name(document) + ".md", text)
    write("api-reference.md", api_reference(root))
    write("results-plotted.md", plots.page(root / "docs/results", stage / "pictures"))
    for picture in pictures:
        (stage / "pictures" / picture).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(root / picture, stage / "pictures" / picture)


if __name__ == "__main__":
    main()
