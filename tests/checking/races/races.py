#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What cpu-check says of the patterns of this folder, and the table of it in docs/checking.md.

Usage: races.py [--check] SOURCE_ROOT PROGRAM LIBRARY...

PROGRAM launches kernels (races.c). Of each LIBRARY there are two: LIBRARY-right and LIBRARY-wrong, compiled with
RACES_WRONG. Of the right one nothing may be reported, in any order of blocks and threads, and whatever share of the blocks is checked. Of a wrong one the reports must have the kinds and lines that
comments in the source say (variation.h), and all libraries must agree. Writes the table; with --check it is only compared.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # the sources' directories stay as they are
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from table import put, read

KERNEL = re.compile(r'ACCEL_(?:THREAD_)?KERNEL(?:_NOSYNC)?\((\w+),')
COMMENT = re.compile(r'/\* (?:([a-z, -]+?) )?(here, other|here|other|missed|backwards|waits) \*/')
ORDERS = 'backwards', '7'


class Pattern:
    """A kernel, and what its comments say."""

    def __init__(self):
        self.required, self.allowed, self.here, self.other = set(), set(), set(), set()
        self.missed = self.backwards = self.waits = False

    def comment(self, line, kinds, where):
        names = [name for name in (kinds or '').split(', ') if name]
        self.required.update(names[:1])
        self.allowed.update(names)
        self.missed |= where == 'missed'
        self.backwards |= where == 'backwards'
        self.waits |= where == 'waits'
        if where.startswith('here') or where == 'backwards':
            self.here.add(line)
        if where.endswith('other') or where == 'backwards':
            self.other.add(line)

    def wrong(self, reports):
        """What is wrong with the reports of the kernel; ''."""
        if self.missed:
            return 'is found, but its comment says "missed"' if reports else ''
        if not {report['kind'] for report in reports} & self.required:
            return f'is not found: {" or ".join(sorted(self.required))}'
        for report in reports:
            here, other = report['here']['line'], report.get('other', {}).get('line')
            if report['kind'] not in self.allowed or here not in self.here or (other is not None and other not in self.other):
                return f'has a report of {report["kind"]} at line {here}, other {other}'
        return ''


def patterns_of(path):
    """Name -> pattern."""
    found, current = {}, None
    for number, line in enumerate(read(path).split('\n'), 1):
        kernel = KERNEL.match(line)
        if kernel:
            current = found.setdefault(kernel[1], Pattern())
        for kinds, where in COMMENT.findall(line):
            current.comment(number, kinds, where)
    return found


def reports_of(program, library, names, order='forwards', share='1'):
    """Kernel -> its reports."""
    found = {name: [] for name in names}
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'reports.json')
        environment = dict(os.environ, ACCEL_CHECK_JSON=path, ACCEL_CHECK_STOP='0', ACCEL_CHECK_ORDER=order,
                           ACCEL_CHECK_SHARE=share)
        subprocess.run([program, library, *names], env=environment, check=True)
        for line in read(path).splitlines():
            report = json.loads(line)
            found[report['kernel']].append(report)
            memory, name = report.get('memory', ''), report.get('buffer', '')
            if 'made at' in memory and (name == '' or f' buffer "{name}" (' not in memory):
                sys.exit(f'{library}: {report["kernel"]}: a report does not name its buffer: {report}')
    return found


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != '--check']
    if len(arguments) < 3:
        sys.exit(__doc__)
    root, program, libraries = arguments[0], arguments[1], arguments[2:]
    folder = os.path.join(root, 'tests/checking/races')
    families = {name: patterns_of(os.path.join(folder, name)) for name in sorted(os.listdir(folder)) if name.endswith('.k.c')}
    names = [name for family in families.values() for name in family]
    patterns = {name: pattern for family in families.values() for name, pattern in family.items()}
    right = {library: reports_of(program, library + '-right', names) for library in libraries}
    wrong = {library: reports_of(program, library + '-wrong', names) for library in libraries}
    for library in libraries:
        free = [name for name in names if not patterns[name].waits]
        for order in ORDERS:
            for name, reports in reports_of(program, library + '-right', free, order).items():
                right[library][name] += reports
        for name, reports in reports_of(program, library + '-right', names, share='2').items():
            right[library][name] += reports
        turned = [name for name in names if patterns[name].backwards]
        faults = [name for name in turned if wrong[library][name]]
        if faults:
            sys.exit(f'{library}-wrong: is found forwards, but its comment says "backwards": {", ".join(faults)}')
        wrong[library].update(reports_of(program, library + '-wrong', turned, 'backwards'))
    faults, rows, sums = [], '', [0, 0, 0, 0]
    for file, family in families.items():
        alarms, missed = set(), []
        for name, pattern in family.items():
            for library in libraries:
                if right[library][name]:
                    alarms.add(name)
                    faults.append(f'{library}-right: {name} has a false alarm: {right[library][name]}')
                fault = pattern.wrong(wrong[library][name])
                if fault:
                    faults.append(f'{library}-wrong: {file}: {name} {fault}')
            if pattern.missed:
                missed.append(name)
        subject = re.search(r'^/\* (?!SPDX)(.*)\. \*/$', read(os.path.join(folder, file)), re.MULTILINE)[1]
        counts = [len(family), len(family) - len(missed), len(family), len(alarms)]
        sums = [a + b for a, b in zip(sums, counts)]
        rows += f'| {subject} (`{file}`) | {counts[0]} | {counts[1]} | {counts[2]} | {counts[3]} |\n'
        rows += ''.join(f'| ... found with `--order=backwards`: `{name}` | | | | |\n' for name in family if family[name].backwards)
        rows += ''.join(f'| ... not found: `{name}` | | | | |\n' for name in missed)
    if faults:
        sys.exit('\n'.join(faults))
    table = '| patterns | wrong | found | right | false alarms |\n| --- | --- | --- | --- | --- |\n' + rows
    table += '| all | ' + ' | '.join(map(str, sums)) + ' |\n'
    put(root, 'races', table, '--check' in sys.argv)


if __name__ == '__main__':
    main()
