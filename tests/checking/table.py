# SPDX-License-Identifier: Apache-2.0
"""Tables in docs/checking.md that tests make. Each stands between two comments: <!-- NAME --> and <!-- end of NAME -->."""
import os
import sys


def read(*path):
    with open(os.path.join(*path), encoding='utf-8') as stream:
        return stream.read()


def put(root, name, table, only_compares):
    """Writes the table into the page; ends with a text where it is only to be compared, and differs."""
    begin, end = f'<!-- {name} -->\n', f'<!-- end of {name} -->\n'
    path = os.path.join(root, 'docs/checking.md')
    page = read(path)
    before, rest = page.split(begin)
    made = before + begin + table + end + rest.split(end)[1]
    if made == page:
        return
    if only_compares:
        sys.exit(f'{path}: the table of {name} is not up to date; run {sys.argv[0]} without --check')
    with open(path, 'w', encoding='utf-8') as stream:
        stream.write(made)
