#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The headers' plain comments as Doxygen reads them, on standard output. Doxygen calls it for each file.

    api_filter.py HEADER

A comment before a declaration documents it, and so does one behind a member, an enumerator or a macro. The comment at the file's top
documents the file. Rulers between sections, and comments inside functions and behind #endif, stay plain.
"""
import pathlib
import re
import sys

RULER = re.compile(r"\s*/\* -{3,}")
LICENCE = "/* SPDX"


def main():
    depth_of_function, first, lines = 0, True, []
    for line in pathlib.Path(sys.argv[1]).read_text(encoding="utf-8").splitlines():
        text = line
        if depth_of_function or RULER.match(line) or line.startswith(LICENCE):
            pass
        elif line == "/*" and first:
            first, text = False, "/** @file"
        elif re.match(r"\s*/\*(\s|$)", line):
            text = line.replace("/*", "/**", 1)
        elif "/* " in line and not line.startswith(("#endif", "#else", "#if")):
            text = line.replace("/* ", "/**< ", 1)
        if re.match(r"[{}]", line): # a function's body begins and ends in the first column
            depth_of_function = int(line[0] == "{" and not line.endswith(("}", ";")))
        lines.append(re.sub(r"^( \*.*)<([a-z]+)>", r"\1\\<\2\\>", text)) # the name of a header, not HTML
    print("\n".join(lines))


main()
