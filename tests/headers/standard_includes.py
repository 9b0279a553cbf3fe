#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Each public C++ header includes the standard header of each name of std that it uses.

    standard_includes.py FOLDER

Standard libraries include other headers of their own in each version, so a header that relies on that compiles today and
not with the next compiler (with gcc 14 accel.hpp did not, for want of <cstdint>).
"""
import re
import sys
from pathlib import Path

# Header -> names of std that come from it. Also a name that several headers declare has one here.
HEADERS = {
    'atomic': 'atomic memory_order_acq_rel memory_order_relaxed',
    'chrono': 'chrono',
    'cstddef': 'byte nullptr_t size_t',
    'cstdint': 'int32_t uint32_t uint64_t',
    'cstdio': 'vsnprintf',
    'exception': 'current_exception exception_ptr rethrow_exception terminate',
    'new': 'launder nothrow nothrow_t',
    'span': 'span',
    'stdexcept': 'runtime_error',
    'type_traits': 'conditional_t decay_t enable_if_t is_const_v is_constructible_v is_convertible_v is_floating_point_v is_integral_v '
                   'is_invocable_v is_lvalue_reference_v is_reference_v is_same_v is_signed_v is_standard_layout_v '
                   'is_trivially_copyable_v is_unsigned_v is_void_v is_volatile_v remove_all_extents_t remove_cv_t remove_pointer_t '
                   'remove_reference_t void_t',
    'utility': 'declval exchange forward move',
}
HEADER_OF = {name: header for header, names in HEADERS.items() for name in names.split()}
COMMENT = re.compile(r'/\*.*?\*/|//[^\n]*', re.DOTALL)


def check(path):
    """What is wrong with the header."""
    text = COMMENT.sub('', path.read_text(encoding='utf-8'))
    included = set(re.findall(r'#\s*include <([a-z_]+)>', text))
    problems = []
    for name in sorted(set(re.findall(r'\bstd::(\w+)', text))):
        if name not in HEADER_OF:
            problems.append(f'{path}: std::{name} is not in the table of {__file__}: add it to its header there')
        elif HEADER_OF[name] not in included:
            problems.append(f'{path}: uses std::{name} and does not include <{HEADER_OF[name]}>')
    return problems


def main():
    problems = [problem for path in sorted(Path(sys.argv[1]).rglob('*.hpp')) for problem in check(path)]
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == '__main__':
    sys.exit(main())
