#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# vectorised.sh ACCELCC [COMPILER LEVEL]: in what gcc and clang make of loops.k.c, at every x86-64 level, each kernel has a
# loop that multiplies packed doubles, of the level's width. Skipped where there is neither compiler or no objdump.
set -u
accelcc=$1
compilers=${2:-gcc clang}
levels=${3:-x86-64 x86-64-v2 x86-64-v3 x86-64-v4}
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
. "$here/begin.sh"

# Disassembly of one function: is there a jump back over an instruction that matches? Exit status 0 if so.
has_loop() { # pattern
    awk -v pattern="$1" '
        { address = $1; sub(":", "", address); line[address] = NR; if ($0 ~ pattern) packed[NR] = 1 }
        $2 ~ /^j/ && $3 in line {
            for (i = line[$3]; i <= NR; i++)
                if (i in packed) found = 1
        }
        END { exit !found }'
}

for compiler in $compilers; do
    command -v $compiler >/dev/null || { echo "no $compiler here"; continue; }
    "$accelcc" --cc=$compiler -o "$work/$compiler" --targets="$(echo "$levels" | tr ' ' ,)" "$here/loops.k.c" ||
        { echo "FAILED: $compiler"; failed=1; continue; }
    for level in $levels; do
        case $level in
        x86-64-v4) pattern='v(fmadd[0-9]*|mul)pd .*%zmm' ;;
        x86-64-v3) pattern='v(fmadd[0-9]*|mul)pd .*%ymm' ;;
        *) pattern='mulpd .*%xmm' ;;
        esac
        for kernel in $(sed -n 's/^ACCEL_KERNEL[A-Z_]*(\([a-z_]*\),.*/\1/p' "$here/loops.k.c"); do
            objdump -d --no-show-raw-insn "$work/$compiler.$level.so" |
                awk -v name="<accel_run_$kernel>:" '$2 == name { on = 1; next } /^$/ { on = 0 } on' >"$work/code"
            [ -s "$work/code" ] || { echo "FAILED: no accel_run_$kernel in $compiler.$level.so"; failed=1; }
            checked=$((checked + 1))
            has_loop "$pattern" <"$work/code" ||
                { echo "FAILED: $compiler for $level: no loop of $kernel multiplies packed doubles"; failed=1; }
        done
    done
done
[ $checked -gt 0 ] || exit 77
echo "$checked loops looked at"
exit $failed
