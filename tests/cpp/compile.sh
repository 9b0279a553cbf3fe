#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# accel.hpp compiles alone, without a warning, by every C++ compiler that is here, in every standard from C++17 on, with and
# without exceptions and run-time types; each file of refused/ is refused, and the user sees the text that it names.
#
#     compile.sh [--first]      --first: by one compiler in one standard
set -u
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
include=$(CDPATH='' cd -- "$here/../../include" && pwd)
warnings='-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wold-style-cast -Wundef -Werror'
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
standards='17 20 2b'
[ "${1:-}" != --first ] || standards=17
failed=0 count=0

alone() # COMPILER STANDARD FLAGS HEADER
{
    printf '#include <accel/%s>\n#include <accel/%s>\n' "$4" "$4" >"$dir/alone.cpp"
    count=$((count + 1))
    # shellcheck disable=SC2086 # words
    "$1" "-std=c++$2" $3 $warnings -I "$include" -fsyntax-only "$dir/alone.cpp" >"$dir/log" 2>&1 && return
    echo "FAILED: $4 does not compile alone: $1 -std=c++$2 $3"
    sed 's/^/    /' "$dir/log"
    failed=1
}

refused() # COMPILER SOURCE
{
    text=$(sed -n 's|^/\* The compiler says: \(.*\) \*/$|\1|p' "$2")
    flags=$(sed -n 's|^/\* Flags: \(.*\) \*/$|\1|p' "$2")
    count=$((count + 1))
    # shellcheck disable=SC2086 # words
    if "$1" -std=c++17 $flags -I "$include" -fsyntax-only "$2" >"$dir/log" 2>&1; then
        echo "FAILED: $1 accepts $(basename "$2")"
        failed=1
    elif [ -z "$text" ] || ! grep -qF "$text" "$dir/log"; then
        echo "FAILED: $1 does not say of $(basename "$2"): $text"
        sed 's/^/    /' "$dir/log"
        failed=1
    fi
}

for compiler in g++ clang++; do
    command -v "$compiler" >/dev/null || continue
    [ "${1:-}" != --first ] || [ $count -eq 0 ] || continue
    for standard in $standards; do
        alone "$compiler" "$standard" '' accel.hpp
        alone "$compiler" "$standard" '-fno-exceptions -fno-rtti' accel.hpp
    done
    [ "${1:-}" = --first ] || for header in "$include"/accel/cpp/*.hpp; do
        alone "$compiler" 17 '' "cpp/$(basename "$header")"
    done
    for source in "$here"/refused/*.cpp; do
        refused "$compiler" "$source"
    done
done
echo "$count compilations"
[ $count -gt 0 ] || exit 77
exit $failed
