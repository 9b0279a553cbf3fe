#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the inner loops of two kernels by the kinds and numbers of their instructions, in PTX or in machine code.

    compare_loops.py OURS KERNEL THEIRS KERNEL

A file is PTX, or what nvdisasm -c prints of a cubin. The inner loop is the one without another inside that has the most
multiply-adds. In machine code the assembler spells one operation on integers now so, now so (a shift as SHF.L or as
IMAD.SHL, a move as MOV or as IMAD.MOV), and folds more or less of them: there they count together, and ours are the same
if they are not more. The difference is printed. Exit status 0: the same; 1: not; 2: there is no such kernel or loop.
"""
import collections
import re
import sys


def fail(text):
    print(text, file=sys.stderr)
    sys.exit(2)


class Ptx:
    """What a line is, and where a kernel stands."""
    integer = None
    label = re.compile(r"\s*(\$[\w$]+):")
    branch = re.compile(r"\bbra(?:\.uni)?\s+(\$[\w$]+)\s*;")
    instruction = re.compile(r"(?:@!?%p\d+\s+)?([a-z][\w.]*)\b.*;")
    multiply_add = re.compile(r"fma\.")

    @staticmethod
    def body(text, kernel):
        found = re.search(r"\.entry\s+" + re.escape(kernel) + r"\s*\(", text)
        if found is None:
            return None
        begin = text.index("\n{", found.end())
        return text[begin:text.index("\n}", begin)]


class Sass:
    integer = re.compile(r"U?(IADD3|IMAD|MOV|SHF|LEA|LOP3|SEL|PRMT|CS2R)\b")
    label = re.compile(r"(\.L_x?_?\d+):")
    branch = re.compile(r"\bBRA(?:\.[\w.]+)?\s.*`\((\.L_x?_?\d+)\)")
    instruction = re.compile(r"/\*[0-9a-f]+\*/\s+(?:@!?U?P\w+\s+)?([A-Z][\w.]*)\b.*;")
    multiply_add = re.compile(r"[DF]FMA\b")

    @staticmethod
    def body(text, kernel):
        found = re.search(r"^\.text\." + re.escape(kernel) + r":\n(.*?)(?=^\s*\.section\b|\Z)", text, re.M | re.S)
        return found and found[1]


def body_of(path, kernel):
    """The lines of a kernel's body, and how to read them."""
    text = open(path, encoding="utf-8").read()
    language = Ptx if re.search(r"^\.version ", text, re.M) else Sass
    body = language.body(text, kernel)
    if body is None:
        fail(f"{path}: no kernel {kernel}")
    return body.splitlines(), language


def loops_of(lines, language):
    """Ranges of lines from a label to a branch back to it."""
    labels, loops = {}, []
    for number, line in enumerate(lines):
        label = language.label.match(line)
        if label:
            labels[label[1]] = number
        branch = language.branch.search(line)
        if branch and branch[1] in labels:
            loops.append((labels[branch[1]], number))
    return [a for a in loops if not any(a != b and a[0] <= b[0] and b[1] <= a[1] for b in loops)]


def histogram_of(lines, language):
    """Instructions by their full names; predicates are no kind of their own."""
    counts = collections.Counter()
    for line in lines:
        found = language.instruction.match(re.sub(r"//.*", "", line).strip())
        if found:
            counts[found[1]] += 1
    return counts


def inner_loop(path, kernel):
    lines, language = body_of(path, kernel)
    loops = [histogram_of(lines[begin:end + 1], language) for begin, end in loops_of(lines, language)]

    def multiply_adds(counts):
        return sum(n for name, n in counts.items() if language.multiply_add.match(name))

    best = max(loops, key=multiply_adds, default=None)
    if best is None or multiply_adds(best) == 0:
        fail(f"{path}: {kernel} has no loop with multiply-adds")
    return best, language


def same(ours, theirs, language):
    if language.integer is None:
        return ours == theirs

    def integers(counts):
        return sum(n for name, n in counts.items() if language.integer.match(name))

    def others(counts):
        return {name: n for name, n in counts.items() if not language.integer.match(name)}

    return others(ours) == others(theirs) and integers(ours) <= integers(theirs)


def main():
    if len(sys.argv) != 5:
        fail(__doc__)
    (ours, language), (theirs, _) = inner_loop(sys.argv[1], sys.argv[2]), inner_loop(sys.argv[3], sys.argv[4])
    print(f"{sys.argv[2]}: {sum(ours.values())} instructions, {sys.argv[4]}: {sum(theirs.values())}")
    for name in sorted(set(ours) | set(theirs)):
        if ours[name] != theirs[name]:
            print(f"    {name}: {ours[name]} instead of {theirs[name]}")
    return 0 if same(ours, theirs, language) else 1


sys.exit(main())
