#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the inner loops of two kernels in PTX by the kinds and numbers of their instructions.

    compare_loops.py OURS.ptx KERNEL THEIRS.ptx KERNEL

The inner loop is the one without another inside that has the most multiply-adds. Exit status 0: the same; 1: the
difference is printed; 2: there is no such kernel or loop.
"""
import collections
import re
import sys


def fail(text):
    print(text, file=sys.stderr)
    sys.exit(2)


def body_of(path, kernel):
    """The lines of a kernel's body."""
    text = open(path, encoding="utf-8").read()
    found = re.search(r"\.entry\s+" + re.escape(kernel) + r"\s*\(", text)
    if found is None:
        fail(f"{path}: no kernel {kernel}")
    begin = text.index("\n{", found.end())
    return text[begin:text.index("\n}", begin)].splitlines()


def loops_of(lines):
    """Ranges of lines from a label to a branch back to it."""
    labels, loops = {}, []
    for number, line in enumerate(lines):
        label = re.match(r"\s*(\$[\w$]+):", line)
        if label:
            labels[label[1]] = number
        branch = re.search(r"\bbra(?:\.uni)?\s+(\$[\w$]+)\s*;", line)
        if branch and branch[1] in labels:
            loops.append((labels[branch[1]], number))
    return [a for a in loops if not any(a != b and a[0] <= b[0] and b[1] <= a[1] for b in loops)]


def histogram_of(lines):
    """Instructions by their full names; predicates are no kind of their own."""
    counts = collections.Counter()
    for line in lines:
        line = re.sub(r"//.*", "", line).strip()
        found = re.match(r"(?:@!?%p\d+\s+)?([a-z][\w.]*)\b.*;", line)
        if found:
            counts[found[1]] += 1
    return counts


def inner_loop(path, kernel):
    lines = body_of(path, kernel)
    loops = [histogram_of(lines[begin:end + 1]) for begin, end in loops_of(lines)]
    best = max(loops, key=lambda counts: sum(n for name, n in counts.items() if name.startswith("fma.")), default=None)
    if best is None or not any(name.startswith("fma.") for name in best):
        fail(f"{path}: {kernel} has no loop with multiply-adds")
    return best


def main():
    if len(sys.argv) != 5:
        fail(__doc__)
    ours, theirs = inner_loop(sys.argv[1], sys.argv[2]), inner_loop(sys.argv[3], sys.argv[4])
    print(f"{sys.argv[2]}: {sum(ours.values())} instructions, {sys.argv[4]}: {sum(theirs.values())}")
    for name in sorted(set(ours) | set(theirs)):
        if ours[name] != theirs[name]:
            print(f"    {name}: {ours[name]} instead of {theirs[name]}")
    return 0 if ours == theirs else 1


sys.exit(main())
