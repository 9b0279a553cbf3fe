#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A C++17 program compiles, links and runs. Usage: cplusplus.sh INCLUDE_DIR LIBRARY SOURCE
set -eu
include=$1 library=$2 source=$3
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
built=0
for compiler in g++ clang++; do
    command -v "$compiler" > /dev/null || continue
    "$compiler" -std=c++17 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -I "$include" "$source" "$library" \
        -Wl,-rpath,"$(dirname "$library")" -o "$dir/program"
    "$dir/program"
    built=$((built + 1))
done
[ "$built" -gt 0 ] || exit 77 # no C++ compiler: skipped
