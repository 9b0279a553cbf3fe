#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A launch from accel.hpp executes as many instructions as one from C, with exceptions and with results. Counted by callgrind, for
# each compiler that is here. Usage: launch_cost.sh LIBRARY
set -eu
library=$(realpath "$1")
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
command -v valgrind >/dev/null || { echo 'there is no valgrind'; exit 77; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
rounds=1000 failed=0

count() # WHAT FUNCTION: instructions of all its launches
{
    valgrind -q --tool=callgrind --callgrind-out-file="$dir/out" --toggle-collect="$2" "$dir/cost" "$1" >/dev/null 2>&1
    sed -n 's/^\(summary\|totals\): //p' "$dir/out" | head -n 1
}

# Stands for the library's: what is counted is the way to it.
echo 'unsigned accel_launch(void); unsigned accel_launch(void) { return 0; }' >"$dir/launch.c"
cc -O2 -c "$dir/launch.c" -o "$dir/launch.o"

for compiler in g++ clang++; do
    command -v "$compiler" >/dev/null || continue
    "$compiler" -std=c++17 -O2 -I "$here/../../include" "$here/launch_cost.cpp" "$dir/launch.o" "$library" -Wl,-rpath,"$(dirname "$library")" \
        -o "$dir/cost"
    c=$(count c launches_in_c)
    throwing=$(count throw launches_that_throw)
    results=$(count result launches_with_results)
    echo "$compiler: instructions of $rounds launches: $c in C, $throwing that throw, $results with results"
    [ "$c" -gt $((5 * rounds)) ] || { echo "FAILED: nothing was counted"; failed=1; }
    for cpp in "$throwing" "$results"; do
        [ "$cpp" -le $((c + rounds / 10)) ] || { echo "FAILED: a launch from C++ costs more"; failed=1; } # entry and exit aside
    done
done
exit $failed
