#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Applies each mutation of mutations.py to a copy of the tree, and names those that no test notices.

Usage: mutants.py [-j N] [--limit SECONDS] FOLDER [WORD...]
       mutants.py --check SOURCE_ROOT

FOLDER holds the copy (tree) and its build (build). A second run with the same folder builds only what has changed since.
With words, only mutations that have one of them in their name or file are applied. A test that runs longer than the limit
has noticed something.

First every test runs without a mutation, and must pass. The exit status is 1 if a mutation was not noticed, does not
compile, or is stale.

--check looks only whether the text of each mutation still stands in its file, exactly once.
"""
import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time

sys.dont_write_bytecode = True  # the sources may be read-only
from mutations import MUTATIONS  # noqa: E402

SKIPPED = 77


def stale(root):
    """Names of mutations that no longer apply, and why."""
    found = []
    for what, path, text, instead, _ in MUTATIONS:
        place = os.path.join(root, 'src', path)
        if not os.path.exists(place):
            found.append(f'{what}: there is no src/{path}')
            continue
        with open(place, encoding='utf-8') as stream:
            count = stream.read().count(text)
        if count != 1 or text == instead:
            found.append(f'{what}: stale, "{text}" stands {count} times in src/{path}')
    return found


def copy_tree(source, target):
    """Copies what git knows or would add. A file that has not changed keeps its time, so nothing is built for it."""
    listed = subprocess.run(['git', '-C', source, 'ls-files', '--cached', '--others', '--exclude-standard'], check=True,
                            stdout=subprocess.PIPE, text=True).stdout.splitlines()
    for path in listed:
        old, new = os.path.join(source, path), os.path.join(target, path)
        if not os.path.isfile(old):
            continue
        os.makedirs(os.path.dirname(new), exist_ok=True)
        with open(old, 'rb') as stream:
            content = stream.read()
        if os.path.exists(new):
            with open(new, 'rb') as stream:
                if stream.read() == content:
                    continue
        shutil.copy(old, new)
    shutil.rmtree(os.path.join(target, '.git'), ignore_errors=True)


def end_session(leader):
    """Ends everything that the program has started, also what has left its process group."""
    for entry in os.listdir('/proc'):
        if not entry.isdigit():
            continue
        try:
            if os.getsid(int(entry)) == leader:
                os.kill(int(entry), signal.SIGKILL)
        except OSError:
            continue


class Build:
    def __init__(self, folder, jobs, limit):
        self.tree, self.folder = os.path.join(folder, 'tree'), os.path.join(folder, 'build')
        self.jobs, self.limit = jobs, limit
        if not os.path.exists(os.path.join(self.folder, 'build.ninja')):
            subprocess.run(['meson', 'setup', self.folder, self.tree, '-Dtests=true', '--libdir=lib'], check=True,
                           stdout=subprocess.DEVNULL)
        self.ninja('build.ninja')
        files = {target['id']: target['filename'] for target in self.introspect('targets')}
        self.tests = {test['name']: (test, [os.path.relpath(name, self.folder) for target in test['depends']
                                            for name in files[target]])
                      for test in self.introspect('tests')}

    def introspect(self, what):
        return json.loads(subprocess.run(['meson', 'introspect', '--' + what, self.folder], check=True,
                                         stdout=subprocess.PIPE, text=True).stdout)

    def ninja(self, *targets):
        """The compiler's words, or an empty text if all is well."""
        jobs = ['-j', str(self.jobs)] if self.jobs else []
        done = subprocess.run(['ninja', '-C', self.folder, *jobs, *targets], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)
        return '' if done.returncode == 0 else done.stdout

    def notices(self, wanted):
        """Runs the test: what was wrong, or an empty text."""
        name, _, settings = wanted.partition(' [')
        test, targets = self.tests[name]
        words = self.ninja(*targets)
        if words:
            raise RuntimeError(words)
        environment = dict(os.environ, **test['env'])
        for setting in settings.rstrip(']').split(','):
            variable, _, value = setting.partition('=')
            if variable:
                environment[variable] = value
        process = subprocess.Popen(test['cmd'], env=environment, cwd=test['workdir'] or self.folder, text=True,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                   start_new_session=True)
        try:
            words, _ = process.communicate(timeout=self.limit)
        except subprocess.TimeoutExpired:
            end_session(process.pid)
            process.communicate()
            return f'it runs longer than {self.limit} s'
        end_session(process.pid)
        if process.returncode in (0, SKIPPED) and not re.search(r'^not ok (?!.*# (TODO|SKIP))', words, re.MULTILINE):
            return ''
        failures = re.findall(r'^not ok .*|^.*:[FE]:.*', words, re.MULTILINE)
        return (failures + words.strip().splitlines() + [f'exit status {process.returncode}'])[0][:160]

    def try_mutation(self, path, text, instead, tests):
        """The first test that notices it, and how; an empty text if there is none."""
        place = os.path.join(self.tree, 'src', path)
        with open(place, encoding='utf-8') as stream:
            good = stream.read()
        try:
            with open(place, 'w', encoding='utf-8') as stream:
                stream.write(good.replace(text, instead))
            for test in tests:
                how = self.notices(test)
                if how:
                    return f'{test}: {how}'
            return ''
        finally:
            with open(place, 'w', encoding='utf-8') as stream:
                stream.write(good)


def report(word, text):
    print(f'{word:9} {text}', flush=True)


def run(options, source):
    os.makedirs(options.folder, exist_ok=True)
    folder = os.path.realpath(options.folder)
    copy_tree(source, os.path.join(folder, 'tree'))
    build = Build(folder, options.j, options.limit)
    chosen = [m for m in MUTATIONS if not options.words or any(word in m[0] or word in m[1] for word in options.words)]
    for test in dict.fromkeys(test for mutation in chosen for test in mutation[4]):
        how = build.notices(test)
        if how:
            report('failed', f'without any mutation: {test}: {how}')
            return 1
    noticed, left = 0, []
    for what, path, text, instead, tests in chosen:
        begin = time.monotonic()
        try:
            how = build.try_mutation(path, text, instead, tests)
        except RuntimeError as error:
            report('broken', f'{what}: {error}')
            left.append(what)
            continue
        if how:
            noticed += 1
            report('noticed', f'{what} ({path}, {time.monotonic() - begin:.0f} s)\n{"":10}by {how}')
        else:
            left.append(what)
            report('SURVIVES', f'{what} ({path}); tests: {", ".join(tests)}')
    print(f'{noticed} of {len(chosen)} mutations were noticed')
    for what in left:
        print(f'not noticed: {what}')
    return 1 if left else 0


def main():
    source = os.path.realpath(os.path.join(os.path.dirname(__file__), '..', '..'))
    parser = argparse.ArgumentParser(usage=__doc__.split('Usage: ')[1].split('\n\n')[0])
    parser.add_argument('-j', type=int, default=0)
    parser.add_argument('--limit', type=int, default=120)
    parser.add_argument('--check', action='store_true')
    parser.add_argument('folder')
    parser.add_argument('words', nargs='*')
    options = parser.parse_args()
    problems = stale(options.folder if options.check else source)
    for problem in problems:
        print(problem)
    if problems or options.check:
        return 1 if problems else 0
    return run(options, source)


if __name__ == '__main__':
    sys.exit(main())
