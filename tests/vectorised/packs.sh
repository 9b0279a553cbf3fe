#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# packs.sh ACCELCC: what gcc and clang make of packs.k.c for x86-64-v3 has vector instructions and no scalar ones for
# numbers; with --vector-math functions of packs are calls of vector functions. Skipped where there is neither compiler
# or no objdump.
set -u
accelcc=$1
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
. "$here/begin.sh"

code() { # object kernel
    objdump -d --no-show-raw-insn "$1" | awk -v name="<accel_run_$2>:" '$2 == name { on = 1; next } /^$/ { on = 0 } on'
}

for compiler in gcc clang; do
    command -v $compiler >/dev/null || { echo "no $compiler here"; continue; }
    "$accelcc" --cc=$compiler -o "$work/$compiler" --targets=x86-64-v3 "$here/packs.k.c" || fail "$compiler"
    for kernel in 'choose=vp?blendv[a-z]* .*%ymm' 'order=vcmp.*pd .*%ymm' 'roots=vsqrtpd .*%ymm' 'rounded=vroundps .*%ymm' \
        'fused=vfmadd[0-9]*pd .*%ymm' 'ends=v(p?maskmov[a-z]*) %ymm' 'integers=vpmulld .*%ymm|vpaddd .*%ymm' \
        'converted=vcvtdq2ps .*%ymm|vcvtdq2ps .*\(.*%ymm' 'voted=vmovmskpd|vtestpd' 'sums=vaddpd .*%ymm' \
        'transposed=v(shuf|unpck|perm|blend|insert)[a-z0-9]* .*%ymm'; do
        checked=$((checked + 1))
        code "$work/$compiler.x86-64-v3.so" "${kernel%%=*}" >"$work/code"
        grep -Eq "${kernel#*=}" "$work/code" || fail "$compiler: ${kernel%%=*} has no ${kernel#*=}"
        scalar=$(grep -Ec '[[:space:]]v(add|sub|mul|div|sqrt|round|fmadd[0-9]*|cvtsi2)s[sd]' "$work/code")
        case ${kernel%%=*} in
        sums) limit=1 ;; # the last addition
        *) limit=0 ;;
        esac
        [ "$scalar" -le $limit ] || fail "$compiler: ${kernel%%=*} has $scalar scalar instructions"
    done
    [ -f "$($compiler -print-file-name=libmvec.so.1)" ] || { echo "no libmvec for $compiler here"; continue; }
    "$accelcc" --cc=$compiler --vector-math -o "$work/vector" --targets=x86-64,x86-64-v3 "$here/packs.k.c" || fail "$compiler"
    for call in x86-64/exponentials=_ZGVbN2v_exp x86-64/tangents=_ZGVbN4v_tanhf \
        x86-64-v3/exponentials=_ZGVdN4v_exp x86-64-v3/tangents=_ZGVdN8v_tanhf; do
        checked=$((checked + 1))
        kernel=${call%=*}
        code "$work/vector.${kernel%/*}.so" "${kernel#*/}" | grep -q "\(call\|jmp\).*<${call#*=}@plt>" ||
            fail "$compiler: $kernel does not call ${call#*=}"
    done
done
[ $checked -gt 0 ] || exit 77
echo "$checked kernels looked at"
exit $failed
