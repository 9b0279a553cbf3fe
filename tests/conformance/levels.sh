#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs the conformance suite's tests of libaccel's own kernels with objects of one level of CPUs. A machine that can run a better
# level would not choose them, so libaccel looks first into a directory that has these objects alone.
# Usage: levels.sh CONFORMANCE KERNEL_DIR LEVEL [argument of CONFORMANCE...]
set -u
conformance=$1 kernels=$2 level=$3
shift 3
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
mkdir "$work/kernels" || exit 1
ln -s "$kernels/accel-algorithms.$level.so" "$work/kernels/" || exit 1
export ACCEL_PLUGIN_PATH="$work:$ACCEL_PLUGIN_PATH" OWN_KERNELS_LEVEL="$level"
for noun in gemm histogram 'reduce values' 'scan values' select sort transpose; do
    CK_RUN_SUITE=$noun "$conformance" "$@" >"$work/log" 2>&1
    status=$?
    if [ $status -ne 0 ]; then
        cat "$work/log"
        echo "levels: FAILED: $noun, with $level"
        exit 1
    fi
    grep '^# [0-9]* passed' "$work/log" | sed "s/^#/$noun:/"
done
