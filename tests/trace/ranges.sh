#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# W6: regions reach the libraries of NVTX and roctx where they are found, without a tool. Usage: ranges.sh PROGRAM LIBRARY
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
for name in libnvToolsExt.so.1 libroctx64.so.4; do
    mkdir "$dir/$name.d"
    cp "$2" "$dir/$name.d/$name"
done
runs() # DIRECTORIES: the calls of a run that finds these libraries
{
    rm -f "$dir/calls"
    touch "$dir/calls"
    RANGES_FILE="$dir/calls" LD_LIBRARY_PATH="$1${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" "$program" end | grep -q '^8$'
}
has() # COUNT LINE
{
    [ "$(grep -cx "$2" "$dir/calls" || true)" -eq "$1" ] || { echo "FAILED: not $1 times \"$2\":"; cat "$dir/calls"; exit 1; }
}
program=$1
runs "$dir/libnvToolsExt.so.1.d"
has 1 'nvtx push rounds'; has 4 'nvtx push round'; has 5 'nvtx pop '; has 0 'roctx.*'
runs "$dir/libroctx64.so.4.d"
has 1 'roctx push rounds'; has 4 'roctx push round'; has 5 'roctx pop '; has 0 'nvtx.*'
runs "$dir/libnvToolsExt.so.1.d:$dir/libroctx64.so.4.d"
has 5 'nvtx push .*'; has 5 'roctx push .*'
echo verified
