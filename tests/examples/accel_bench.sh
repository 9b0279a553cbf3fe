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
manual=$(dirname "$0")/../../docs/man/accel-bench.1
for name in $("$bench" --list | sed 's/ .*//'); do
    grep -Eq "^\\.BR? (.* )?$name( |\$)" "$manual" || fail "the manual lacks the case $name"
done
rows=$("$bench" --quick --html "$work/page.html") || fail "exit status: $rows"
printf '%s\n' "$rows" | grep -Eq '^[1-9][0-9]+ results, all validated; ' || fail "no last line: $rows"
for part in 'aria-label="Latency"' 'aria-label="Bandwidth of triad"' 'aria-label="Roofline"' '</html>'; do
    grep -q "$part" "$work/page.html" || fail "--html lacks $part"
done
if grep -Eq '<script|<link|<img|url\(|(src|href)=' "$work/page.html"; then fail "--html refers to something outside"; fi
if grep -Eq '[ "=]-?(nan|inf)[ "]' "$work/page.html"; then fail "--html has a number that is none"; fi
if printf '%s\n' "$rows" | grep -Eq 'goals reached|MISSED|: reached'; then fail "--quick judges goals: $rows"; fi
printf '%s\n' "$rows" | grep -q '^QUICK: .* no goal is judged' || fail "--quick does not say what it shows: $rows"
if grep -Eq 'class="(reached|missed)"|goals reached' "$work/page.html"; then fail "--html with --quick judges goals"; fi
grep -q 'no goal was judged' "$work/page.html" || fail "--html does not say that no goal was judged"
"$bench" --quick --case launch --html /nowhere/page.html >"$work/out" 2>"$work/err" && fail "--html to nowhere succeeds"
grep -q '"/nowhere/page.html" cannot be written: .*; name a file' "$work/err" || fail "--html to nowhere: $(cat "$work/err")"
[ ! -s "$work/out" ] || fail "--html to nowhere runs cases first: $(cat "$work/out")"
if [ -w /dev/full ]; then
    for option in --help --version --list; do
        "$bench" $option >/dev/full 2>"$work/err" && fail "$option to a full disk succeeds"
        grep -q 'could not be written' "$work/err" || fail "$option to a full disk says nothing"
    done
    "$bench" --quick --case launch --json >/dev/full 2>"$work/err" && fail "--json to a full disk succeeds"
    grep -q '^accel-bench: standard output: ' "$work/err" || fail "--json to a full disk: $(cat "$work/err")"
fi

# The best native way beside itself; rows without one are left out.
rows=$("$bench" --quick --itself --case barrier --case axpy) || fail "--itself: exit status: $rows"
printf '%s\n' "$rows" | grep -q '^ITSELF: ' || fail "--itself does not say what it shows: $rows"
printf '%s\n' "$rows" | grep -Eq '^axpy, n = 1000 .* axpy-(c|omp) ' || fail "--itself lacks a row: $rows"
if printf '%s\n' "$rows" | grep -q 'barrier,\|libaccel to the best'; then fail "--itself has a row of libaccel's: $rows"; fi

# One CPU has no signal between threads, so the line begins with the triad, if there is one. Goals are judged without --quick.
rows=$("$bench" --backend=cpu-serial --case=barrier --rounds=2) || fail "cpu-serial: $rows"
printf '%s\n' "$rows" | sed -n 2p | grep -Eq '^(Native triad |Medians)' || fail "line behind the device: $rows"
printf '%s\n' "$rows" | grep -q '^1 results, all validated; [01] of 1 goals reached$' || fail "goals: $rows"
"$bench" --backend cpu-serial --case launch --rounds 2 --json >"$work/goals" || fail "goals as JSON: exit status"

"$bench" --backend cpu-serial --quick --case gpu-copy --case barrier >"$work/out" 2>"$work/err" || fail "skipped case: exit status"
[ "$(cat "$work/err")" = "accel-bench: case gpu-copy skipped: it is for GPUs, and cpu-serial:0 is none; --backend names a device" ] ||
    fail "skipped case: $(cat "$work/err")"
"$bench" --backend cpu-serial --quick --case barrier 2>"$work/err" >"$work/out" || fail "barrier: exit status"
[ ! -s "$work/err" ] || fail "barrier alone: $(cat "$work/err")"
"$bench" --version | grep -Eq '^accel-bench \(libaccel\) [0-9]+\.[0-9]+\.[0-9]+$' || fail "--version: $("$bench" --version 2>&1)"
"$bench" --quick --backend cpu-serial --json >"$work/json" || fail "cpu-serial: exit status"
"$bench" --list | while read -r name rest; do
    case $name in gpu-*) continue ;; esac # with a GPU, or the simulated one
    grep -q "\"case\": \"$name\"" "$work/json" || echo "no row of case $name" >>"$work/missing"
done
[ ! -e "$work/missing" ] || fail "$(cat "$work/missing")"
if command -v python3 >/dev/null; then
    python3 -c 'import sys, xml.dom.minidom as m; m.parse(sys.argv[1])' "$work/page.html" || fail "--html: not well-formed"
    python3 - "$work/json" "$work/goals" <<'PYTHON' || fail "JSON: $(cat "$work/json")"
import json, sys
report = json.load(open(sys.argv[1]))
assert report["quick"] is True and not any("goal" in row for row in report["results"])
assert report["format"] == 2 and report["device"] == "cpu-serial:0" and report["compute_units"] == 1
for row in report["results"]:
    assert row["unit"] in ("ns", "GB/s", "GFLOP/s", "G/s", "KiB") and row["rounds"] == 2, row
    for value in [row["libaccel"]] + row["native"]:
        assert 0 < value["low"] <= value["median"] <= value["high"], row
    if row["native"]:
        ratio = row["ratio"]
        assert ratio["to"] in [native["name"] for native in row["native"]], row
        assert ratio["of"] == {"ns": "times", "KiB": "sizes"}.get(row["unit"], "rates"), row
        assert 0 < ratio["low"] <= ratio["median"] <= ratio["high"] and ratio["of_medians"] > 0, row
judged = json.load(open(sys.argv[2]))
assert "quick" not in judged
call = [row for row in judged["results"] if row["name"] == "launch and wait, 1 block"][0]
assert call["goal"]["kind"] == "at_most" and call["native"][0]["name"] == "call", call
PYTHON
fi
for arguments in '--case axpi' '--rounds 0' '--rounds=0' '--rounds' '--html' '--roundss=2' '--case=axpi' '--fast'; do
    # shellcheck disable=SC2086 # words
    message=$("$bench" $arguments 2>&1 >/dev/null)
    [ $? -eq 2 ] || fail "$arguments: exit status"
    case $message in accel-bench:*) ;; *) fail "$arguments: $message" ;; esac
done
message=$("$bench" --backend cpu-serail 2>&1 >/dev/null)
[ $? -eq 1 ] || fail "--backend cpu-serail: exit status"
case $message in *cpu-serail*) ;; *) fail "--backend cpu-serail: $message" ;; esac
exit $failed
