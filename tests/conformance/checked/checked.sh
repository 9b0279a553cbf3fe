#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# checked.sh CONFORMANCE REPORTS ARGUMENT...: runs the suite and compares what cpu-check reports with a list of what the
# tests provoke: kind, kernel, test. A report beyond it fails the run, and so does an entry without a report. Prints TAP.
set -u
conformance=$1
list=$2
shift 2
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
failed=0

ACCEL_CHECK_JSON=$work/reports
export ACCEL_CHECK_JSON
: >"$work/reports"
"$conformance" "$@" >"$work/results" || failed=1
cat "$work/results"

sed -n 's/^{"kind":"\([^"]*\)".*"kernel":"\([^"]*\)","here".*/\1 \2/p; t
    s/^{"kind":"\([^"]*\)".*/\1 -/p' "$work/reports" | sort -u >"$work/found"
[ "$(grep -c . "$work/reports")" -eq "$(grep -c '^{"kind"' "$work/reports")" ] || { echo '# reports that are no JSON'; failed=1; }
while read -r kind kernel test; do
    case $kind in '' | '#'*) continue ;; esac
    # A test that did not run provokes nothing.
    ran=$(grep -E "^(not )?ok [0-9]+ - $test( |\$)" "$work/results" | grep -v '# SKIP')
    [ -z "$ran" ] || echo "$kind $kernel"
done <"$list" | sort -u >"$work/provoked"
comm -23 "$work/found" "$work/provoked" >"$work/surplus"
comm -13 "$work/found" "$work/provoked" >"$work/missing"
while read -r kind kernel; do
    failed=1
    echo "# no test provokes this report: $kind, kernel $kernel"
    if [ "$kernel" = - ]; then kernel=; else kernel=".*\"kernel\":\"$kernel\""; fi
    grep "^{\"kind\":\"$kind\"$kernel" "$work/reports" | head -n 3 | sed 's/^/#   /'
done <"$work/surplus"
while read -r kind kernel; do
    failed=1
    echo "# stale: there was no report of $kind in kernel $kernel"
done <"$work/missing"
exit $failed
