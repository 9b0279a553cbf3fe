#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# vector_mathematics.sh ACCELCC: with --vector-math, loops of what gcc and clang make of mathematics.k.c call vector
# functions of the C library, of the level's width; without, none does. Skipped where there is neither compiler, no objdump
# or no libmvec.
set -u
accelcc=$1
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
. "$here/begin.sh"

for compiler in gcc clang; do
    command -v $compiler >/dev/null || { echo "no $compiler here"; continue; }
    [ -f "$($compiler -print-file-name=libmvec.so.1)" ] || { echo "no libmvec for $compiler here"; continue; }
    for source in mathematics.k.c mathematics.k.cpp; do
        cp "$here/mathematics.k.c" "$work/$source"
        "$accelcc" --cc=$compiler -o "$work/strict" --targets=x86-64-v3 "$work/$source" || fail "$compiler: strict"
        "$accelcc" --cc=$compiler --vector-math -o "$work/vector" --targets=x86-64-v3 "$work/$source" || fail "$compiler"
        objdump -d "$work/strict.x86-64-v3.so" | grep -q '<_ZGV' && fail "$compiler $source: strict kernels call libmvec"
        for kernel in exponentials=_ZGVdN4v_exp exponentials_of_floats=_ZGVdN8v_expf sines=_ZGVdN4v_sin powers=_ZGVdN4vv_pow; do
            checked=$((checked + 1))
            objdump -d --no-show-raw-insn "$work/vector.x86-64-v3.so" |
                awk -v name="accel_run_${kernel%=*}[P>]" '$2 ~ name { on = 1; next } /^$/ { on = 0 } on' |
                grep -q "call.*<${kernel#*=}@plt>" || fail "$compiler $source: ${kernel%=*} does not call ${kernel#*=}"
        done
    done
done
[ $checked -gt 0 ] || exit 77
echo "$checked loops looked at"
exit $failed
