#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs the conformance suite on cuda with PTX of a compiler that is here, on the simulated driver. Its kernels are
# compiled once; then the suite runs with each seed.
# usage: conformance.sh BUILD nvcc|clang [SEED...]
# GPUSIM_PTX_ADVERSARY=1 and GPUSIM_PTX_INEXACT=1 work as in ../README.md, CK_RUN_SUITE chooses a noun (clang: kernels).
set -eu
root=$(cd "$(dirname "$0")/../../.." && pwd)
build=$(cd "$1" && pwd)
compiler=$2
shift 2
[ $# -gt 0 ] || set -- 1
accelcc=$build/tools/accelcc/accelcc
. "$root/tests/headers/kernels_of.sh"

# The compiler's command and the target that it is asked for; nothing if it is not here.
find_compiler() {
    if [ "$compiler" = nvcc ]; then
        "$accelcc" --print-targets | sed -n 's/^\(compute_75\)  *\(.*nvcc\)$/\2 \1/p'
        return
    fi
    # Its PTX needs libdevice, for the functions of mathematics.
    echo '#include <accel/kernel.h>
ACCEL_KERNEL(one, accel_no_args, args) { (void)args; (void)exp(0.5); }' >"$work/one.k.c"
    for command in clang-20 clang-19 clang-18 clang-17 clang-16 clang-15 clang-14 clang; do
        if "$accelcc" -o "$work/one" --cc-for=cuda="$command" --targets=compute_70 "$work/one.k.c" >"$work/log" 2>&1; then
            echo "$command compute_70"
            return
        fi
    done
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 99' INT TERM HUP
found=$(find_compiler)
if [ -z "$found" ]; then
    echo "1..0 # SKIP no $compiler that makes PTX"
    exit 0
fi
command=${found% *} target=${found##* }
# compile LIBRARY DIRECTORY: without warnings, the check of regions having seen the sources elsewhere; the object is what an
# engine can launch from, and assembles for the newest GPU.
compile() {
    warnings='-Wall -Wextra -Wshadow'
    [ "$compiler" != nvcc ] || warnings=
    # shellcheck disable=SC2086 # one word per flag
    "$accelcc" --no-lint -o "$work/$1" -I"$root/src" --cc-for=cuda="$command" --targets="$target" $warnings -Werror "$root/$2"/*.k.c >&2
    # shellcheck disable=SC2046 # one word per kernel
    python3 "$root/tests/headers/gpu_object.py" "$work/$1.$target.ptx" $(kernels_of "$root/$2"/*.k.c) >&2
    [ "$compiler" = nvcc ] || return 0
    newest=$("$command" --list-gpu-code | tail -n 1)
    "$(dirname "$command")/ptxas" -O1 -arch="$newest" "$work/$1.$target.ptx" -o "$work/$1.cubin" >&2
}
compile conformance tests/conformance/kernels &
first=$!
compile kernels tests/kernels
mkdir "$work/kernels"
compile kernels/accel-algorithms src/kernels
wait "$first"
export ACCEL_BACKEND=cuda ACCEL_PLUGIN_PATH="$build/tests/fixtures/faulty:$work" LD_LIBRARY_PATH="$build/tests/gpusim"
export ACCEL_KERNEL_PATH="$work:$build/tests/conformance" GPUSIM_ARCHITECTURE_CUDA=sm_80
# What the host does is the same with PTX; clang's runs one noun, nvcc's, which users have, all that depend on kernels.
export CK_EXCLUDE_TAGS="${CK_EXCLUDE_TAGS:-host tools}"
[ "$compiler" = nvcc ] || export CK_RUN_SUITE="${CK_RUN_SUITE:-kernels}"
status=0
for seed in "$@"; do
    GPUSIM_PTX_SEED=$seed "$build/tests/conformance/conformance" --partner faulty \
        --unsupported "$root/tests/conformance/lists/cuda.unsupported" \
        --expected-failures "$root/tests/conformance/lists/cuda.xfail" || status=$?
done
exit "$status"
