#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every parameter of every prototype has a name. Usage: parameters.py HEADER..."""
import re
import sys


def prototypes(text):
    """Lists of parameters: of functions, slots and types of functions; not of macros, casts and calls."""
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    text = re.sub(r"^[ \t]*#(.*\\\n)*.*$", "", text, flags=re.M)
    text = re.sub(r"ACCEL_PRINTF_FORMAT\([^)]*\)|__attribute__\(\(.*?\)\)", "", text)
    text = re.sub(r"\)\s*\{\n.*?^\}", ");", text, flags=re.S | re.M)  # bodies of inline functions
    return re.findall(r"[\w)]\(([^()]+)\)\s*;", text)


def has_name(parameter):
    words = re.sub(r"\b(const|volatile|struct|enum|unsigned|restrict)\b", "", parameter)
    return words.strip() in ("void", "...") or re.search(r"\w[\s*]+\w+(\[\w*\])*$", words) is not None


def main():
    bad = count = 0
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as file:
            lists = prototypes(file.read())
        for parameters in lists:
            for parameter in parameters.split(","):
                parameter = " ".join(parameter.split())
                count += 1
                if not has_name(parameter):
                    print(f"{path}: \"{parameter}\" of ({' '.join(parameters.split())}) has no name")
                    bad += 1
    if count < 100:
        sys.exit(f"only {count} parameters were seen")
    sys.exit(1 if bad else 0)


main()
