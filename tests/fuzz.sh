#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs the fuzz targets of tests/fuzz with libFuzzer, AddressSanitizer and UndefinedBehaviorSanitizer (needs clang): SECONDS
# (5) each, as many at once as there are CPUs. Sets BUILD up if it is not there. What is found stays in BUILD/fuzz, so that
# the next run goes on from there. A target runs in an empty folder below BUILD: files that it makes are an error.
# Usage: tests/fuzz.sh BUILD [SECONDS [TARGET...]]
set -eu
build=${1:?usage: tests/fuzz.sh BUILD [SECONDS [TARGET...]]} seconds=${2:-5}
root=$(cd "$(dirname "$0")/.." && pwd)
[ $# -gt 2 ] && shift 2 || set -- $(cd "$root/tests/fuzz/corpus" && ls)
export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 ASAN_OPTIONS=detect_leaks=1:strict_string_checks=1
[ -d "$build" ] || CC="${CC:-clang}" meson setup -Dtests=true -Dfuzzer=true -Db_lundef=false -Db_sanitize=address,undefined \
    -Doptimization=1 "$build" "$root" >/dev/null
ninja -C "$build" fuzz >/dev/null
build=$(cd "$build" && pwd)

# One target. Inputs that fail are left as BUILD/fuzz/TARGET-crash-...
run()
{
    scratch=$build/fuzz/$1-scratch
    rm -rf "$scratch"
    mkdir -p "$build/fuzz/$1" "$scratch"
    (cd "$scratch" && "$build/tests/fuzz/fuzz-$1" -max_total_time="$seconds" -timeout=60 -print_final_stats=1 \
        -artifact_prefix="$build/fuzz/$1-" "$build/fuzz/$1" "$root/tests/fuzz/corpus/$1") >"$build/fuzz/$1.log" 2>&1 ||
        echo "$1" >>"$build/fuzz/failed"
    made=$(ls -A "$scratch")
    if [ -n "$made" ]; then
        echo "$1" >>"$build/fuzz/failed"
        echo "it made files: $made" >>"$build/fuzz/$1.log"
    fi
}
mkdir -p "$build/fuzz"
rm -f "$build/fuzz/failed"
jobs=$(nproc)
for target; do
    run "$target" &
    jobs=$((jobs - 1))
    if [ "$jobs" -eq 0 ]; then
        wait
        jobs=$(nproc)
    fi
done
wait
for target; do
    awk -v target="$target" '/number_of_executed_units/ { n = $2 } END { printf "%-14s %12d executions\n", target, n }' \
        "$build/fuzz/$target.log"
done
[ -f "$build/fuzz/failed" ] || exit 0
while read -r target; do
    tail -n 60 "$build/fuzz/$target.log"
    echo "fuzz-$target failed; the input is beside $build/fuzz/$target.log"
done <"$build/fuzz/failed"
exit 1
