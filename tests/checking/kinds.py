#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The table of cpu-check's kinds of errors in docs/checking.md: their names, titles, and how many errors are planted.

Usage: kinds.py [--check] SOURCE_ROOT

Writes the table; with --check it is only compared. Each kind has at least two planted errors.
"""
import re
import sys

sys.dont_write_bytecode = True  # the sources' directories stay as they are
from table import put, read

LEAST = 2
LEAKS = {'leak': 'buffer that was never released', 'leak-object': 'object that was never released',
         'released-object': 'use of a released object', 'unawaited': 'result that the host never waited for'}  # of one.c
HOST = {'early': 'result that the host used too early', 'changed': 'host memory that pending work uses was changed'}  # of host.c
ASSERTS = {'assertion': 'failed assertion'}  # of asserts.k.c: queues have a text of their own for them


def planted(tests):
    """Title -> errors that tests expect. A title stands in the call, or in the constant of its test."""
    counts = {}
    for body in re.split(r'START_TEST', tests)[1:]:
        constant = re.search(r'const char kind\[\] = "([^"]+)"', body)
        for kernel, kind in re.findall(r'\bexpect\("(\w+)", (kind|"[^"]+"),', body):
            title = constant[1] if kind == 'kind' else kind.strip('"')
            counts.setdefault(title, set()).add(kernel)
    return {title: len(kernels) for title, kernels in counts.items()}


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != '--check']
    if len(arguments) != 1:
        sys.exit(__doc__)
    root = arguments[0]
    kinds = re.findall(r'\[CHECK_FINDING_\w+\] =\s*\{"([^"]+)",\s*"([^"]+)"',
                       read(root, 'src/plugins/cpu/check/report/description.c'))
    counts = planted(''.join(read(root, 'tests/checking', name) for name in ('checking.c', 'host_memory.c', 'queues.c', 'views.c')))
    for file, names in (('one.c', LEAKS), ('host.c', HOST), ('asserts.k.c', ASSERTS)):
        for name, title in names.items():
            counts[title] = len(re.findall(rf'/\* {name}: \w+ \*/', read(root, 'tests/checking/' + file)))
    few = [title for _, title in kinds if counts.get(title, 0) < LEAST]
    if not kinds or few:
        sys.exit(f'kinds with fewer than {LEAST} planted errors: {", ".join(few)}')
    table = '| kind | title in reports | planted errors |\n| --- | --- | --- |\n'
    table += ''.join(f'| `{name}` | {title} | {counts[title]} |\n' for name, title in sorted(kinds))
    put(root, 'kinds', table, '--check' in sys.argv)


if __name__ == '__main__':
    main()
