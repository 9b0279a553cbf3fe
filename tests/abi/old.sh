#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Programs, plugins and kernel objects of every tagged version work with this library, and nothing that they rely on moved.
# Usage: old.sh SOURCE_ROOT LIBRARY LAYOUT_PROGRAM. Beside the snapshots of versions (tests/abi/TAG) it takes one of the tree as it
# is, which shows that the snapshot of the next version is going to work.
set -eu
root=$1 library=$2 layout=$3
here=$root/tests/abi
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cc=${CC:-cc}
case $(uname -m) in
x86_64) target=x86-64 ;;
*) target=$(uname -m) ;;
esac
"$layout" > "$dir/layout.txt"
sh "$here/snapshot.sh" --tree "$root" "$dir/tree"
unset ACCEL_BACKEND ACCEL_DEVICES ACCEL_LOG

for snapshot in "$here"/*/layout.txt "$dir/tree/layout.txt"; do
    [ -f "$snapshot" ] || continue # no version was tagged: the pattern stands for itself
    old=$(dirname "$snapshot")
    echo "== $(basename "$old")"
    sh "$here/kept.sh" "$old/layout.txt" "$dir/layout.txt"
    sh "$here/kept.sh" "$old/symbols.txt" "$here/symbols.txt"
    rm -rf "$dir/build"
    mkdir "$dir/build"
    $cc -std=gnu11 -I "$old/include" "$old/program/program.c" "$library" -Wl,-rpath,"$(dirname "$library")" -o "$dir/build/program"
    $cc -std=gnu11 -I "$old/include" -fPIC -shared -fvisibility=hidden "$old/program/kernel.c" -o "$dir/build/version.$target.so"
    $cc -std=gnu11 -D_GNU_SOURCE -I "$old/include" -fPIC -shared -fvisibility=hidden -DFAULTY_NAME='"faulty"' "$old"/plugin/*.c -pthread -ldl \
        -o "$dir/build/libaccel-faulty.so"
    for backend in faulty cpu-serial cpu-threads; do
        ACCEL_PLUGIN_PATH=$dir/build ACCEL_KERNEL_PATH=$dir/build "$dir/build/program" "$backend"
    done
done
