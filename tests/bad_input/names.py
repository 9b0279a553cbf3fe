#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What refuses NULL names the parameter as the header does. Usage: names.py NULL_C HEADER...

null.c says what each call must name; here that is compared with the declaration.
"""
import re
import sys


def arguments(text, begin):
    """The arguments of the call whose opening parenthesis is at `begin`, and where it ends."""
    depth, found, start = 0, [], begin + 1
    for at in range(begin, len(text)):
        if text[at] in "([{":
            depth += 1
        elif text[at] in ")]}":
            depth -= 1
        if depth == 0 or (depth == 1 and text[at] == ","):
            found.append(text[start:at].strip())
            start = at + 1
        if depth == 0:
            return found, at
    raise SystemExit("a call does not end")


def parameters():
    """Of each function, in order."""
    known = {}
    for path in sys.argv[2:]:
        text = re.sub(r"/\*.*?\*/", "", open(path, encoding="utf-8").read(), flags=re.S)
        for match in re.finditer(r"ACCEL_API [^;(]*?(accel_\w+)(\()", text):
            words, _ = arguments(text, match.start(2))
            known[match[1]] = [re.sub(r"\[.*?\]", "", word).split()[-1].lstrip("*") for word in words]
    return known


def main():
    known, wrong, count = parameters(), [], 0
    text = open(sys.argv[1], encoding="utf-8").read()
    for match in re.finditer(r"null_refused(\()(accel_\w+)\(", text):
        (call, name, *_), _ = arguments(text, match.start(1))
        passed, _ = arguments(call, call.index("("))
        (name, member, _), function = name.strip('"').partition("->"), match[2]
        count += 1
        if name not in known[function]:
            wrong.append(f"{function} names {name}; its parameters are {', '.join(known[function])}")
        elif member == "" and passed[known[function].index(name)] != "NULL":
            wrong.append(f"{call} does not pass NULL for {name}")
    assert count > 100, f"only {count} calls are found"
    for line in wrong:
        print(line)
    return 1 if wrong else 0


sys.exit(main())
