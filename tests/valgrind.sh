#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The fiber paths, and everything around them, under valgrind: no invalid access, no use of undefined values, no leak.
# Valgrind does not know AVX-512: the suite's kernel objects go up to x86-64-v3, and of the noun `kernels` those of clang,
# which `meson test` makes.
# Usage: valgrind.sh BUILD_DIR [noun...]
set -eu
build=$(realpath "$1")
shift
source=$(dirname "$(realpath "$0")")
[ $# -gt 0 ] || set -- 'thread kernel' 'block kernel' launch atomic fill buffer event failure 'across backends' release kernels
export ACCEL_BACKEND=cpu-serial ACCEL_PLUGIN_PATH="$build/tests/fixtures/faulty" ACCEL_KERNEL_PATH="$build/tests/conformance"
export CK_FORK=no
failed=0
for noun; do
    echo "valgrind: $noun"
    CK_RUN_SUITE="$noun" valgrind --quiet --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite \
        --show-leak-kinds=definite --fair-sched=yes --suppressions="$source/valgrind.supp" \
        "$build/tests/conformance/conformance" --partner faulty --kernels kernels-clang \
        --unsupported "$source/conformance/lists/cpu-serial.unsupported" \
        --expected-failures "$source/conformance/lists/cpu-serial.xfail" || failed=$((failed + 1))
done
echo "valgrind: $failed nouns failed"
[ "$failed" -eq 0 ]
