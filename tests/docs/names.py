#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Files, functions and links that the documents name exist.

    names.py SOURCE_ROOT

Checked are README.md, docs/ and the READMEs of tests: paths from the root, names of files in backticks, names that begin with
accel_, ACCEL_, cpu_ or gpu_ in backticks, and links. "{a,b}" and "*" stand for several files.
"""
import fnmatch
import pathlib
import re
import sys

ROOMS = ("src", "include", "tests", "tools", "examples", "docs", "packaging")
PATH = re.compile(rf"(?<![\w/.-])(?:{'|'.join(ROOMS)})/[\w./{{}},*-]*[\w/}}*]")
CODE = re.compile(r"`([^`]+)`")
FILE = re.compile(r"[\w{},*-]+(?:/[\w{},*-]+)*\.(?:c|h|S|py|sh|cu)")
NAME = re.compile(r"(?:accel|ACCEL|cpu|gpu)_[A-Za-z]\w+")
LINK = re.compile(r"\]\(([^)#:]+)[^):]*\)")
# Names of programs and kernels in the documents, and what stands for a name or comes with a version.
EXAMPLES = re.compile(r"saxpy|blas1|NAME|accel_bundle_")
PLACEHOLDER = re.compile(r"/(?:[A-Z]{2,}|\d+\.\d+)(?:/|$)")


def braces(text):
    """a/{b,c}.h: a/b.h, a/c.h"""
    found = re.search(r"\{([^{}]*)\}", text)
    if not found:
        return [text]
    return [whole for choice in found[1].split(",") for whole in braces(text[:found.start()] + choice + text[found.end():])]


def main():
    root = pathlib.Path(sys.argv[1])
    files, words = [], set()
    for room in ROOMS:
        for path in sorted((root / room).rglob("*")):
            files.append(str(path.relative_to(root)) + ("/" if path.is_dir() else ""))
            if path.suffix in (".c", ".h", ".cu", ".sh", ".py"):
                words |= set(NAME.findall(path.read_text(encoding="utf-8")))

    def missing(pattern, anywhere):
        for name in braces(pattern):
            place = "*/" + name if anywhere else name
            if not any(fnmatch.fnmatchcase(file.rstrip("/"), place.rstrip("/")) for file in files):
                return name
        return None

    failures = []
    documents = [root / "README.md", *sorted(root.glob("docs/**/*.md")), *sorted(root.glob("tests/*/README.md"))]
    for document in documents:
        fenced = False
        for number, line in enumerate(document.read_text(encoding="utf-8").splitlines(), 1):
            if line.startswith("```"):
                fenced = not fenced
            if fenced and "architecture" not in document.name:
                continue
            where = f"{document.relative_to(root)}:{number}"
            for path in PATH.findall(line):
                if not PLACEHOLDER.search(path) and missing(path, False):
                    failures.append(f"{where}: there is no {missing(path, False)}")
            for code in CODE.findall(line):
                if EXAMPLES.search(code):
                    continue
                if FILE.fullmatch(code) and not code.startswith(ROOMS) and missing(code, True):
                    failures.append(f"{where}: there is no file {missing(code, True)}")
                for name in NAME.findall(code):
                    if name not in words and not any(word.startswith(name) for word in words):
                        failures.append(f"{where}: nothing is called {name}")
            for link in LINK.findall(line):
                if not (document.parent / link).exists():
                    failures.append(f"{where}: the link {link} leads nowhere")
    print(f"{len(documents)} documents")
    sys.exit("\n".join(failures) if failures else 0)


main()
