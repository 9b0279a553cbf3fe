#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the scenario once for each call that may fail: that one fails, all others succeed.

Usage: turns.py [--every N] [--verbose] system SHIM SCENARIO
       turns.py [--every N] [--verbose] driver CODES SCENARIO

system: calls of libaccel and its plugins for memory, mappings, threads, files and libraries. SHIM is preloaded.
driver: calls of the simulated driver. CODES are error codes, "out of memory,refused,sticky": the device of the last is
        lost for the process from then on.

After each failure: the call that met it returned the right status with a text that says what was missing; the call
succeeded when it was made again; the scenario ran to its end with the right results; it holds no more memory, mappings,
files and threads than without a failure. --every N takes every Nth call, beginning at another one for each class.
"""
import argparse
import collections
import os
import re
import subprocess
import sys
import tempfile

TIME_LIMIT = int(os.environ.get('INJECT_LIMIT', '120'))  # seconds of one run, which takes 0.02 s on an idle machine

TRIES = 8  # of a run that leaves more than those without a failure: a defect does each time, chance one time in four

# What fails -> the statuses that may be returned, and the words that the text must have.
MEMORY = (('ACCEL_OUT_OF_MEMORY',), ('memory',))
FILES = (('ACCEL_IO',), (os.strerror(24), 'ulimit -n', '/'))
THREADS = (('ACCEL_LIMIT', 'ACCEL_OUT_OF_MEMORY'), ('thread',))
EXPECTED = {
    'malloc': MEMORY, 'calloc': MEMORY, 'realloc': MEMORY, 'aligned_alloc': MEMORY, 'posix_memalign': MEMORY,
    'strdup': MEMORY, 'realpath': MEMORY, 'mmap': MEMORY, 'mprotect': MEMORY, 'pthread_atfork': MEMORY,
    'mkostemp': FILES, 'open': FILES, 'fopen': FILES, 'opendir': FILES, 'memfd_create': FILES,
    'dlopen': (FILES[0], FILES[1][:2]),
    'pthread_create': THREADS,
    'pthread_key_create': THREADS,
}


# Calls that give something back: if the driver refuses, what it keeps is its own.
GIVES_BACK = re.compile(r'Destroy|Free|Unload|Release|Pool.*Trim')


class Run:
    """What a run of the scenario printed."""

    def __init__(self, command, environment):
        self.errors, self.live, self.counts = [], collections.Counter(), {}
        self.failed, self.end, self.problems = '', '', []
        try:
            done = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, timeout=TIME_LIMIT, check=False)
        except subprocess.TimeoutExpired:
            self.problems.append(f'it hangs: no end within {TIME_LIMIT} s')
            return
        for line in done.stdout.decode(errors='replace').splitlines():
            self.read(line)
        if done.returncode != 0:
            words = done.stderr.decode(errors='replace').strip().splitlines()
            self.problems.append(f'exit status {done.returncode}: ' + ' / '.join(words[:12]))

    def read(self, line):
        word, _, rest = line.partition(' ')
        if word == 'error':
            self.errors.append(rest.split('|', 2))
        elif word == 'live':
            self.live[rest] += 1
        elif word in ('calls', 'threads', 'files'):
            self.counts[word] = int(rest)
        elif word == 'failed':
            self.failed = rest
        elif word == 'wrong':
            self.problems.append(rest)
        elif word in ('through', 'ended'):
            self.end = word
        elif self.errors:  # a further line of a text
            self.errors[-1][2] += '\n' + line

    def more_left(self, clean, keeps=False):
        """What is left that a run without failures does not leave: a driver that refuses to give something back may keep
        threads and files of its own."""
        more = [f'{count} more left from {site}' for site, count in (self.live - clean.live).items()]
        return more + [f'{self.counts[what]} {what} are left, {clean.counts[what]} without a failure'
                       for what in (() if keeps else ('threads', 'files')) if self.counts.get(what, 0) > clean.counts[what]]

    def limits(self):
        """For a run with a failure: what may be left."""
        return {'INJECT_THREADS': str(self.counts['threads']), 'INJECT_LIVE': str(sum(self.live.values()))}

    def judge_texts(self):
        for call, status, text in self.errors:
            if not text.startswith(call) and not call.startswith('accel_ '):
                self.problems.append(f'{call}: {status}: the text does not begin with the function: {text}')

    def judge_driver(self, code):
        """A failure of the driver bears its number, or says which queue's failure is passed on."""
        for call, status, text in self.errors:
            wanted = {'2': 'ACCEL_OUT_OF_MEMORY', '700!': 'ACCEL_KERNEL_FAULT'}.get(code)
            if call != 'accel_instance_create' and wanted not in (None, status):
                self.problems.append(f'{call}: {status}, expected {wanted}: {text}')
            if f'({code.rstrip("!")}' not in text and 'wait for that queue to see its text' not in text:
                self.problems.append(f'{call}: {status}: the text lacks the number {code}: {text}')

    def judge_expected(self, expected):
        statuses, words = expected
        for call, status, text in self.errors:
            missing = [word for word in words if word not in text]
            if status not in statuses or missing:
                self.problems.append(f'{call}: {status}, expected {" or ".join(statuses)}; missing words {missing}: '
                                     f'{text}')

    def leave_also(self, other):
        """Adds what another run without failures left and this one did not: caches and pools of threads grow by chance."""
        self.live |= other.live
        for what, count in other.counts.items():
            self.counts[what] = max(count, self.counts[what])

    def show(self, title):
        for problem in self.problems:
            print(f'# {title}: {problem}')
        if self.problems:
            for call, status, text in self.errors:
                print(f'#   {call}: {status}: {text}')
        return not self.problems


def run_clean(command, environment, times=20):
    """A run without failures, which leaves the most that one of several leaves."""
    runs = [Run(command, environment) for _ in range(times)]
    for run in runs:
        if not run.show('without a failure') or run.end != 'through' or run.errors:
            sys.exit('the scenario fails without a failure')
        runs[0].leave_also(run)
    return runs[0]


def system_turns(options, environment):
    environment = dict(environment, LD_PRELOAD=options.what)
    command = [options.scenario]
    clean = run_clean(command, environment)
    good = injected = optional = 0
    for turn in range(1, clean.counts['calls'] + 1, options.every):
        for _ in range(TRIES):
            run = Run(command, dict(environment, INJECT_TURN=str(turn), **clean.limits()))
            if run.problems or not run.more_left(clean):
                break
        if not run.failed and not run.problems:
            continue  # threads of this run made fewer calls
        injected += 1
        optional += not run.errors
        if run.end != 'through' and not run.problems:
            run.problems.append('it did not run through')
        run.judge_texts()
        run.judge_expected(EXPECTED.get(run.failed.split(' ')[0], ((), ())))
        run.problems += run.more_left(clean)
        good += run.show(f'call {turn}, {run.failed}')
        if options.verbose:
            print(f'{turn} {run.failed}: {run.errors}')
    print(f'# calls of the system: {clean.counts["calls"]}, failed in turn: {injected}, harmless: {optional}, '
          f'wrong: {injected - good}')
    return good == injected and injected > 0


def driver_turns(options, environment):
    with tempfile.TemporaryDirectory() as scratch:
        trace = os.path.join(scratch, 'trace')
        clean = run_clean([options.scenario], dict(environment, GPUSIM_TRACE=trace), 1)
        with open(trace, encoding='utf-8') as stream:
            names = [line.strip() for line in stream if ' ' not in line]
    counts = collections.Counter()
    turns = []
    for name in names:
        counts[name] += 1
        turns.append((name, counts[name]))
    good = injected = optional = 0
    for number, code in enumerate(options.what.split(',')):
        sticky = code.endswith('!')
        for name, turn in turns[number % options.every::options.every]:
            command = [options.scenario] + (['sticky'] if sticky else [])
            keeps = GIVES_BACK.search(name) is not None
            allow = {'GPUSIM_ALLOW': 'leak,order', 'INJECT_THREADS': '1000'} if keeps else {}
            for _ in range(TRIES):
                run = Run(command, dict(environment, GPUSIM_FAIL=f'{name}@{turn}={code}', **{**clean.limits(), **allow}))
                if run.problems or not run.more_left(clean, keeps):
                    break
            injected += 1
            optional += not run.errors
            if run.end != 'through' and not sticky and not run.problems:
                run.problems.append('it did not run through')
            run.judge_texts()
            run.judge_driver(code)
            run.problems += run.more_left(clean, keeps)
            good += run.show(f'{name}, call {turn}, code {code}')
            if options.verbose:
                print(f'{name}@{turn}={code}: {run.errors}')
    print(f'# calls of the driver: {len(names)}, failed in turn: {injected}, harmless: {optional}, '
          f'wrong: {injected - good}')
    return good == injected and injected > 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--every', type=int, default=1)
    parser.add_argument('--verbose', action='store_true')
    parser.add_argument('mode', choices=('system', 'driver'))
    parser.add_argument('what')
    parser.add_argument('scenario')
    options = parser.parse_args()
    turns = system_turns if options.mode == 'system' else driver_turns
    sys.exit(0 if turns(options, dict(os.environ)) else 1)


main()
