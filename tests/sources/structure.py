#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds the rules of docs/architecture.md about the files of src.

Usage: structure.py SOURCE_ROOT [FOLDER...]

With folders of src, only what is wrong in these counts.

 - No two files include each other's headers in a circle, directly or through others. NAME.c and NAME.h are one file here.
 - Plugins include no header of core, and src/object includes none of core or of a plugin.
 - Quoted includes are written from src, or from include, and exist.
 - A folder has at most 25 source files, a file at most 450 lines.
"""
import os
import re
import sys

MOST_FILES = 25
MOST_LINES = 450
SOURCES = ('.c', '.h', '.S')
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)


def read_tree(src):
    """Path below src -> text."""
    files = {}
    for folder, _, names in os.walk(src):
        for name in names:
            if name.endswith(SOURCES):
                path = os.path.join(folder, name)
                with open(path, encoding='utf-8') as stream:
                    files[os.path.relpath(path, src)] = stream.read()
    return files


def stem(path):
    return os.path.splitext(path)[0]


def circles(arrows):
    """Strongly connected components of more than one node (Tarjan)."""
    index, low, on_stack, stack, found = {}, {}, set(), [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        on_stack.add(node)
        for other in sorted(arrows.get(node, ())):
            if other not in index:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in on_stack:
                low[node] = min(low[node], index[other])
        if low[node] == index[node]:
            members = []
            while not members or members[-1] != node:
                members.append(stack.pop())
                on_stack.discard(members[-1])
            if len(members) > 1:
                found.append(sorted(members))

    for node in sorted(arrows):
        if node not in index:
            visit(node)
    return found


def check(files, rooms):
    """What is wrong with files in one of the folders."""
    def counts(path):
        return any(path == room or path.startswith(room + '/') for room in rooms) or not rooms

    problems = []
    arrows = {stem(path): set() for path in files}
    folders = {}
    for path, text in sorted(files.items()):
        folders.setdefault(os.path.dirname(path), []).append(path)
        lines = text.count('\n')
        if lines > MOST_LINES and counts(path):
            problems.append(f'{path}: {lines} lines, at most {MOST_LINES} are allowed')
        for included in INCLUDE.findall(text):
            if included not in files:
                if counts(path):
                    problems.append(f'{path}: includes "{included}", which is no path below src')
                continue
            if path.startswith('plugins/') and included.startswith('core/') and counts(path):
                problems.append(f'{path}: a plugin includes "{included}" of core')
            if path.startswith('object/') and not included.startswith('object/'):
                problems.append(f'{path}: file formats depend on "{included}"')
            if stem(included) != stem(path):
                arrows[stem(path)].add(stem(included))
    for folder, members in sorted(folders.items()):
        if len(members) > MOST_FILES and counts(folder):
            problems.append(f'{folder}: {len(members)} source files, at most {MOST_FILES} are allowed')
    for members in circles(arrows):
        if not any(counts(member) for member in members):
            continue
        problems.append(f'{len(members)} files include each other in a circle:')
        for member in members:
            for other in sorted(arrows[member] & set(members)):
                problems.append(f'    {member} -> {other}')
    return problems


def main():
    problems = check(read_tree(os.path.join(sys.argv[1], 'src')), sys.argv[2:])
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == '__main__':
    sys.exit(main())
