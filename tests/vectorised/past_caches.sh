#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# past_caches.sh LIBRARY: in the machine code of the CPU engine, the copy and the fill of what is larger than the caches have loops
# of stores that go past them (movnt). Only x86-64 has a way of its own. Skipped where there is no objdump.
set -u
command -v objdump >/dev/null || { echo "no objdump here"; exit 77; }
objdump -f "$1" | grep -q 'architecture: i386:x86-64' || { echo "x86-64 only"; exit 77; }
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
failed=0

# The compiler may have put the function of its own into its only caller.
for operation in copy fill; do
    objdump -d --no-show-raw-insn "$1" |
        awk -v name="^<(cpu_bytes_$operation|${operation}_past_caches)[.a-z0-9]*>:$" \
            '$2 ~ name { on = 1; next } /^$/ { on = 0 } on' >"$work/code"
    [ -s "$work/code" ] || { echo "FAILED: no cpu_bytes_$operation in $1"; failed=1; }
    # A jump back over such a store.
    awk '{ address = $1; sub(":", "", address); line[address] = NR; if ($2 ~ /^v?movnt/) past[NR] = 1 }
        $2 ~ /^j/ && $3 in line {
            for (i = line[$3]; i <= NR; i++)
                if (i in past) found = 1
        }
        END { exit !found }' "$work/code" ||
        { echo "FAILED: $operation has no loop of stores past the caches"; failed=1; }
done
exit $failed
