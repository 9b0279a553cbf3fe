#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# vectorised.sh ACCELCC [COMPILER LEVEL]: in what gcc and clang make of loops.k.c, at every x86-64 level, each kernel has a
# loop that multiplies packed doubles, of the level's width; of reductions.k.c each has one with the instruction that it is named
# after, with an order and without, and of scans.k.c from x86-64-v3 on. None gathers elements, and scans store no halves of vectors
# that are loaded whole. From there on those of structs.k.c have hardly an instruction that moves numbers within vectors.
# Skipped where there is neither compiler or no objdump.
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

# disassemble COMPILER LEVEL FUNCTION
disassemble() {
    objdump -d --no-show-raw-insn "$work/$1.$2.so" |
        awk -v name="^<$3([.][a-z0-9.]*)?>:$" '$2 ~ name { on = 1; next } /^$/ { on = 0 } on' >"$work/code"
    [ -s "$work/code" ] || { echo "FAILED: no $3 in $1.$2.so"; failed=1; }
    checked=$((checked + 1))
}

# look COMPILER LEVEL FUNCTION PATTERN
look() {
    disassemble $1 $2 $3
    ! grep -q gather "$work/code" || { echo "FAILED: $1 for $2: $3 gathers elements that lie side by side"; failed=1; }
    has_loop "$4" <"$work/code" || { echo "FAILED: $1 for $2: no loop of $3 has an instruction like $4"; failed=1; }
}

# look_at_moves COMPILER LEVEL FUNCTION: within vectors, at most one for each two additions and multiplications.
look_at_moves() {
    disassemble $1 $2 $3
    moves=$(grep -cE 'vunpck|vperm|vshuf|vinsert|vextract' "$work/code")
    computes=$(grep -cE 'v(add|mul|f[a-z]*add[0-9]*)pd' "$work/code")
    [ $((2 * moves)) -le $computes ] ||
        { echo "FAILED: $1 for $2: $3 moves numbers within vectors $moves times, and computes $computes times"; failed=1; }
}

# kernels SOURCE MACRO: their names.
kernels() { sed -n "s/^$2(\([a-z_]*\),.*/\1/p" "$here/$1"; }

for compiler in $compilers; do
    command -v $compiler >/dev/null || { echo "no $compiler here"; continue; }
    "$accelcc" --cc=$compiler -o "$work/$compiler" --targets="$(echo "$levels" | tr ' ' ,)" "$here/loops.k.c" "$here/reductions.k.c" \
        "$here/scans.k.c" "$here/structs.k.c" ||
        { echo "FAILED: $compiler"; failed=1; continue; }
    for level in $levels; do
        case $level in
        x86-64-v4) multiply='v(fmadd[0-9]*|mul)pd' width=zmm ;;
        x86-64-v3) multiply='v(fmadd[0-9]*|mul)pd' width=ymm ;;
        *) multiply=mulpd width=xmm ;;
        esac
        case $compiler in
        clang) unordered=accel_loose_rows_of_ ;;
        *) unordered=accel_loose_of_ ;;
        esac
        for kernel in $(kernels loops.k.c 'ACCEL_KERNEL[A-Z_]*'); do
            look $compiler $level accel_run_$kernel "$multiply .*%$width"
        done
        for kernel in $(kernels reductions.k.c ACCEL_REDUCE); do
            look $compiler $level accel_run_$kernel "v?$kernel .*%$width"
            # minpd joins structs, which keep their order without AVX.
            [ "$kernel $width" = "minpd xmm" ] || look $compiler $level $unordered$kernel "v?$kernel .*%$width"
        done
        [ $width != xmm ] || continue
        for kernel in $(kernels structs.k.c ACCEL_REDUCE); do
            look_at_moves $compiler $level accel_run_$kernel
        done
        for kernel in $(kernels scans.k.c ACCEL_SCAN); do
            for step in total exclusive inclusive; do
                look $compiler $level accel_${step}_of_$kernel "v$kernel .*%$width"
                ! grep -E 'vmov(dq|[ua]p)[a-z0-9]* +%xmm[0-9]+,.*\(' "$work/code" ||
                    { echo "FAILED: $compiler for $level: $kernel, $step, stores halves of vectors"; failed=1; }
            done
        done
    done
done
[ $checked -gt 0 ] || exit 77
echo "$checked loops looked at"
exit $failed
