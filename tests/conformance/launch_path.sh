#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# W3: without a tool a launch executes no function of src/core/tools, and as many instructions as the limit says; with a tool
# the count is higher, so the check sees it. Counted by callgrind. Usage: launch_path.sh PROGRAM
set -eu
command -v valgrind >/dev/null || { echo 'there is no valgrind'; exit 77; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
rounds=200 passes=5 most=260

count() # FILE: instructions of a launch
{
    valgrind -q --tool=callgrind --callgrind-out-file="$dir/$1" --toggle-collect=launches "$program" blocking $rounds >/dev/null
    total=$(sed -n 's/^\(summary\|totals\): //p' "$dir/$1" | head -n 1)
    echo $((total / rounds / passes))
}
program=$1
plain=$(count plain)
tool=$(ACCEL_TOOL=recorder count tool)
echo "instructions of a launch: $plain without a tool (at most $most), $tool with one"
[ "$plain" -gt 50 ] || { echo 'FAILED: nothing was counted'; exit 1; }
[ "$plain" -le $most ] || { echo 'FAILED: a launch without a tool became longer'; exit 1; }
[ "$tool" -gt "$plain" ] || { echo 'FAILED: the tool was not seen'; exit 1; }
grep -q 'src/core/tools/' "$dir/tool" || { echo 'SKIPPED: no line information'; exit 0; }
if grep 'src/core/tools/' "$dir/plain"; then echo 'FAILED: these ran without a tool'; exit 1; fi
