#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Ten minutes of stress on each CPU backend, and memory must stay flat. Outside continuous integration.
# Usage: tests/soak.sh BUILD [SECONDS [BACKEND...]]
set -eu
# One arena: with more, what ended threads left behind looks like a leak.
export MALLOC_ARENA_MAX=1
build=${1:?usage: tests/soak.sh BUILD [SECONDS [BACKEND...]]} seconds=${2:-600}
[ $# -gt 2 ] && shift 2 || set -- cpu-threads cpu-omp cpu-serial
log=$(mktemp)
trap 'rm -f "$log"' EXIT
for backend; do
    ACCEL_BACKEND=$backend ACCEL_KERNEL_PATH=$(cd "$build" && pwd)/tests/conformance \
        "$build/tests/stress/stress" "$seconds" 8 >"$log" || { cat "$log"; exit 1; }
    cat "$log"
    # Flat: in its last quarter never more than a twentieth above its second quarter. The first warms up.
    awk '/resident/ { kib[n++] = $(NF - 2) }
        END {
            if (n < 8) { print "too short to judge memory"; exit 1 }
            for (i = int(n / 4); i < n / 2; i++) if (kib[i] > early) early = kib[i]
            for (i = int(3 * n / 4); i < n; i++) if (kib[i] > late) late = kib[i]
            printf "resident: at most %d KiB in the second quarter, %d KiB in the last\n", early, late
            exit late > early * 1.05
        }' "$log"
done
