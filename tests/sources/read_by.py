#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Another compiler reads each C source of a folder once, with paths, macros and warnings of a build, and makes nothing of it.
Warnings are errors.
usage: read_by.py BUILD COMPILER FOLDER"""
import json
import os
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor


def read(entry, compiler):
    words = shlex.split(entry['command'])
    if os.path.basename(words[0]) == 'ccache':
        words = words[1:]
    kept = [word for word in words[1:] if word.startswith(('-I', '-D', '-U', '-W', '-std', '-isystem', '-pthread', '-fopenmp'))]
    command = [compiler, *kept, '-fsyntax-only', '-Werror', entry['file']]
    done = subprocess.run(command, cwd=entry['directory'], stderr=subprocess.PIPE, text=True)
    return '' if done.returncode == 0 else shlex.join(command) + '\n' + done.stderr


def main():
    build, compiler, folder = sys.argv[1:]
    folder = os.path.realpath(folder) + os.sep
    with open(os.path.join(build, 'compile_commands.json'), encoding='utf-8') as file:
        entries = json.load(file)
    paths = ((os.path.realpath(os.path.join(entry['directory'], entry['file'])), entry) for entry in entries)
    chosen = {path: entry for path, entry in paths if path.startswith(folder) and path.endswith('.c')}.values()
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        wrong = [text for text in pool.map(lambda entry: read(entry, compiler), chosen) if text]
    print('\n'.join(wrong), end='')
    print(f'{len(chosen)} sources, {len(wrong)} with a warning or an error')
    return 1 if wrong or not chosen else 0


if __name__ == '__main__':
    sys.exit(main())
