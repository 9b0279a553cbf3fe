#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# accel_bench.sh ACCEL_BENCH: every case validates on the CPU backends, JSON is what docs/accel-bench.md says and the page is
# well-formed, where there is something to parse them, wrong command lines are refused.
set -u
bench=$1
failed=0
fail() { echo "FAILED: $*"; failed=1; }
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT

"$bench" --list | grep -q '^axpy ' || fail "--list lacks axpy"
rows=$("$bench" --quick --html "$work/page.html") || fail "exit status: $rows"
printf '%s\n' "$rows" | grep -Eq '^[1-9][0-9]+ results, all validated; ' || fail "no last line: $rows"
for part in 'aria-label="Latency"' 'aria-label="Bandwidth of triad"' 'aria-label="Roofline"' '</html>'; do
    grep -q "$part" "$work/page.html" || fail "--html lacks $part"
done
if grep -Eq '<script|<link|<img|url\(|(src|href)=' "$work/page.html"; then fail "--html refers to something outside"; fi
if grep -Eq '[ "=]-?(nan|inf)[ "]' "$work/page.html"; then fail "--html has a number that is none"; fi
"$bench" --quick --case launch --html /nowhere/page.html >"$work/out" 2>&1 && fail "--html to nowhere succeeds"
grep -q '/nowhere/page.html' "$work/out" || fail "--html to nowhere: $(cat "$work/out")"
"$bench" --quick --backend cpu-serial --json >"$work/json" || fail "cpu-serial: exit status"
"$bench" --list | while read -r name rest; do
    case $name in gpu-*) continue ;; esac # with a GPU, or the simulated one
    grep -q "\"case\": \"$name\"" "$work/json" || echo "no row of case $name" >>"$work/missing"
done
[ ! -e "$work/missing" ] || fail "$(cat "$work/missing")"
if command -v python3 >/dev/null; then
    python3 -c 'import sys, xml.dom.minidom as m; m.parse(sys.argv[1])' "$work/page.html" || fail "--html: not well-formed"
    python3 - "$work/json" <<'PYTHON' || fail "JSON: $(cat "$work/json")"
import json, sys
report = json.load(open(sys.argv[1]))
assert report["format"] == 2 and report["device"] == "cpu-serial:0" and report["compute_units"] == 1
for row in report["results"]:
    assert row["unit"] in ("ns", "GB/s", "GFLOP/s", "G/s") and row["rounds"] == 2, row
    for value in [row["libaccel"]] + row["native"]:
        assert 0 < value["low"] <= value["median"] <= value["high"], row
    if row["native"]:
        ratio = row["ratio"]
        assert ratio["to"] in [native["name"] for native in row["native"]], row
        assert ratio["of"] == ("times" if row["unit"] == "ns" else "rates"), row
        assert 0 < ratio["low"] <= ratio["median"] <= ratio["high"] and ratio["of_medians"] > 0, row
call = [row for row in report["results"] if row["name"] == "launch and wait, 1 block"][0]
assert call["goal"]["kind"] == "at_most" and call["native"][0]["name"] == "call", call
PYTHON
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
