#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Writes what programs, plugins and kernel objects of a version are made of: its headers, layouts and exports, and the sources
# of a program, a plugin and a kernel. old.sh runs them with a later library. Done once, when the version is tagged (docs/abi.md).
# Usage: snapshot.sh TAG [DIRECTORY]          from a tag or commit, into tests/abi/TAG or DIRECTORY
#        snapshot.sh --tree SOURCE DIRECTORY  from a source tree as it is
set -eu
parts='include tests/abi/layout.txt tests/abi/symbols.txt tests/abi/version tests/fixtures/faulty'
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
if [ "$1" = --tree ]; then
    out=$3
    # shellcheck disable=SC2086 # words
    (cd "$2" && tar -cf - $parts) | tar -xf - -C "$tree"
else
    root=$(cd "$(dirname "$0")/../.." && pwd)
    out=${2:-$root/tests/abi/$1}
    # shellcheck disable=SC2086 # words
    git -C "$root" archive "$1" -- $parts | tar -xf - -C "$tree"
fi
[ ! -e "$out" ] || { echo "$out is there already: a snapshot never changes" >&2; exit 1; }
mkdir -p "$out"
mv "$tree/include" "$tree/tests/abi/layout.txt" "$tree/tests/abi/symbols.txt" "$out"
mv "$tree/tests/abi/version" "$out/program"
mv "$tree/tests/fixtures/faulty" "$out/plugin"
rm -f "$out/plugin/meson.build" "$out/include/meson.build"
echo "$out: $(find "$out" -type f | wc -l) files"
