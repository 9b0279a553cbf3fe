#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every call of the system and of the simulated drivers fails in turn, on every backend. Outside continuous integration: a
# quarter of an hour.
# Usage: tests/inject/all.sh BUILD [EVERY]
set -eu
build=${1:?usage: tests/inject/all.sh BUILD [EVERY]} every=${2:-1}
build=$(cd "$build" && pwd)
turns=$(dirname "$0")/turns.py
scenario=$build/tests/inject/scenario shim=$build/tests/inject/inject.so
export ACCEL_KERNEL_PATH="$build/tests/gpusim/suite:$build/tests/conformance"
export ACCEL_PLUGIN_PATH="$build/tests/gpusim/suite"
export LD_LIBRARY_PATH="$build/tests/gpusim" ACCEL_HIP_LIBRARY=libamdhip64.so.6 GPUSIM_DELAY=0 GPUSIM_ARCHITECTURE_CUDA=sm_80
status=0
turn() {
    echo "$*"
    python3 "$turns" --every "$every" "$@" "$scenario" || status=1
}
for ACCEL_BACKEND in cpu-serial cpu-threads cpu-omp cuda,cpu-serial hip,cpu-serial; do
    export ACCEL_BACKEND
    echo "$ACCEL_BACKEND"
    turn system "$shim"
    case $ACCEL_BACKEND in cuda*|hip*) turn driver '2,801,700!' ;; esac
done
exit $status
