#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What cpu-check reads of objects for GPUs is what their assemblers say. Usage: registers.sh TOOLS_TESTS_DIR ACCELCC REGISTERS SOURCE...
tests=$1 accelcc=$(realpath "$2") registers=$(realpath "$3")
shift 3
sources=$(realpath "$@")
. "$tests/tap.sh"

# "KERNEL REGISTERS" of each, sorted: as accelcc prints what the assembler says, or as the object says.
compare() {
    "$accelcc" -o object $sources --targets="$1" --no-lint --resource-usage >out 2>err ||
        skip "there is no compiler for $1: $(head -n 1 err)"
    sed -n "$2" out | sort >assembler
    "$registers" object."$1"."$3" | sort >read
    [ -s assembler ] || fail "accelcc names no kernels: $(cat out)"
    cmp assembler read || fail "$(diff assembler read)"
}

registers_of_cubins_are_those_of_ptxas() {
    for target in sm_75 sm_90 sm_120; do
        compare $target 's/^sm_[0-9]*: \([a-z_]*\): \([0-9]*\) registers.*/\1 \2/p' cubin
    done
}

registers_of_code_objects_are_those_of_accelcc() {
    compare gfx90a 's/^gfx90a: \([a-z_]*\): \([0-9]*\) vector.*/\1 \2/p' hsaco
}

run_tests registers_of_cubins_are_those_of_ptxas registers_of_code_objects_are_those_of_accelcc
