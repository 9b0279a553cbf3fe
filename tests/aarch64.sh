#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds everything but the Check tests for 64-bit ARM and runs under qemu-user: the examples, thread kernels of the
# benchmark, and the conformance suite's tests of every kernel in tests/kernels and of libaccel's own kernels.
# Usage: aarch64.sh [BUILD_DIR]     exit status 77 if a tool is missing
set -eu
source=$(dirname "$(dirname "$(realpath "$0")")")
libraries=/usr/aarch64-linux-gnu
for tool in aarch64-linux-gnu-gcc qemu-aarch64 meson ninja; do
    command -v $tool >/dev/null || { echo "aarch64: skipped, no $tool"; exit 77; }
done
[ -e $libraries/lib/libc.so.6 ] || { echo "aarch64: skipped, no C library in $libraries"; exit 77; }
if [ $# -gt 0 ]; then
    build=$1
else
    build=$(mktemp -d)
    trap 'rm -rf "$build"' EXIT
fi

[ -f "$build/build.ninja" ] || meson setup --cross-file "$source/tests/cross/aarch64.txt" -Dtests=false -Dgpu_targets= "$build" "$source"
build=$(realpath "$build")
meson compile -C "$build"

# The kernels' objects, and the tests with the few lines of Check that they need.
accelcc=$build/tools/accelcc/accelcc-native
mkdir -p "$build/aarch64"
"$accelcc" -o "$build/aarch64/kernels" --targets=aarch64 "$source"/tests/kernels/*.k.c
"$accelcc" -o "$build/aarch64/kernels-O0" --targets=aarch64 -O0 "$source"/tests/kernels/*.k.c
suite=$source/tests/conformance
aarch64-linux-gnu-gcc -std=c11 -D_GNU_SOURCE -O2 -g -Wall -Wextra -Wshadow -Wconversion -Werror \
    -I"$source/tests/aarch64" -I"$source/tests/check" -I"$suite" -I"$source/tests/fixtures/faulty" -I"$source/include" \
    "$source/tests/aarch64/main.c" "$suite/suite.c" "$suite/files.c" "$suite/trial.c" "$suite/block_order.c" "$suite/reduction.c" "$suite/scanning.c" \
    "$suite"/kernel_*.c "$suite/reduce_values.c" "$suite/scan_values.c" "$suite/select.c" "$suite/sort.c" "$suite/histogram.c" \
    "$suite/transpose.c" "$suite/gemm.c" \
    -o "$build/aarch64/kernels-test" -L"$build/src" -laccel -lm -pthread -Wl,-rpath,"$build/src"

run()
{
    echo "aarch64: $*"
    program=$1
    shift
    qemu-aarch64 -L $libraries "$build/$program" "$@"
}
export ACCEL_BACKEND=cpu-serial
run tools/accel-info/accel-info
run examples/vector-add/vector-add
run examples/cg/cg --size 10 10 10
# A child process would be the host's own, and not know these programs: without them the case has no native way.
rm -rf "$build"/tools/accel-bench/native.* "$build"/tools/accel-bench/blas.*
run tools/accel-bench/accel-bench --case barrier --quick
export ACCEL_KERNEL_PATH="$build/aarch64"
run aarch64/kernels-test
run aarch64/kernels-test kernels-O0
echo "aarch64: all passed"
