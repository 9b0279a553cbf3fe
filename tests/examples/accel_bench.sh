#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# accel_bench.sh ACCEL_BENCH: the quick cases validate, JSON parses where there is a parser, wrong command lines are
# refused.
set -u
bench=$1
failed=0
fail() { echo "FAILED: $*"; failed=1; }

"$bench" --list | grep -q '^axpy ' || fail "--list lacks axpy"
output=$("$bench" --rounds 2 --case launch --case axpy --case barrier) || fail "exit status: $output"
printf '%s\n' "$output" | grep -q '^5 results, all validated; ' || fail "not five results: $output"
json=$("$bench" --rounds 2 --case launch --json) || fail "--json"
if command -v python3 >/dev/null; then
    printf '%s' "$json" | python3 -c 'import json, sys
row = json.load(sys.stdin)["results"][0]
assert row["unit"] == "ns" and row["native"]["median"] > 0 and row["goal"]["kind"] == "at_most"' || fail "JSON: $json"
fi
for arguments in '--case axpi' '--rounds 0' '--rounds' '--fast'; do
    # shellcheck disable=SC2086 # words
    message=$("$bench" $arguments 2>&1 >/dev/null)
    [ $? -eq 2 ] || fail "$arguments: exit status"
    case $message in accel-bench:*) ;; *) fail "$arguments: $message" ;; esac
done
message=$("$bench" --backend cpu-serail 2>&1 >/dev/null)
[ $? -eq 1 ] || fail "--backend cpu-serail: exit status"
case $message in *cpu-serail*) ;; *) fail "--backend cpu-serail: $message" ;; esac
exit $failed
