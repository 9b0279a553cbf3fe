#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The same as compare.sh in machine code: what ptxas makes of both, for each processor, as nvdisasm prints it.
# Usage: compare_code.sh SOURCE_ROOT ACCELCC [SM_XX...]      default: sm_80 sm_90
# NVDISASM names nvdisasm where it is neither on PATH nor beside nvcc (NVIDIA: cuda-nvdisasm; PyPI: nvidia-cuda-nvdisasm).
root=$1 accelcc=$(realpath "$2")
shift 2
. "$root/tests/tools/tap.sh"
processors=${*:-sm_80 sm_90}
kernels=$root/tests/kernels
loops=$root/tests/ptx/compare_loops.py
sample=$root/tests/ptx/sample.sass

# Both as PTX, once; then the machine code of each.
nvcc=$("$accelcc" --print-targets | sed -n 's/^compute_75  *\(.*nvcc\)$/\1/p')
nvdisasm=${NVDISASM:-$(command -v nvdisasm || echo "${nvcc%nvcc}nvdisasm")}
if [ -n "$nvcc" ] && [ -x "$nvdisasm" ]; then
    code=$work/code
    mkdir "$code"
    "$nvcc" -x cu -std=c++17 -arch=compute_75 -ptx -I "$kernels" "$root/tests/ptx/hand_written.cu" -o "$code/hand.ptx" &&
        "$accelcc" -o "$code/ours" "$kernels/axpy.k.c" "$kernels/dgemm.k.c" --targets=compute_75 || exit 99
    for processor in $processors; do
        for who in hand:hand.ptx ours:ours.compute_75.ptx; do
            "${nvcc%nvcc}ptxas" -arch="$processor" "$code/${who#*:}" -o "$code/x.cubin" &&
                "$nvdisasm" -c "$code/x.cubin" >"$code/${who%:*}.$processor.sass" || exit 99
        done
    done
fi

# same KERNEL HAND_WRITTEN, for every processor
same() {
    [ -n "$nvcc" ] || skip "no nvcc"
    [ -x "$nvdisasm" ] || skip "no nvdisasm: neither on PATH nor beside nvcc, nor named by NVDISASM"
    result=0
    for processor in $processors; do
        printf '%s: ' "$processor"
        python3 "$loops" "$code/ours.$processor.sass" "accel_kernel_$1" "$code/hand.$processor.sass" "$2" || result=1
    done >table 2>&1
    cat table >>"$work/tables"
    [ $result -eq 0 ] || fail "$(cat table)"
}

daxpy_in_machine_code_is_as_written_by_hand() {
    same axpy axpy
    same axpy_shares axpy
    same axpy_32 axpy_32
}

dgemm_in_machine_code_is_as_written_by_hand() {
    same dgemm_block dgemm
    same dgemm_fixed dgemm
    same dgemm_thread dgemm
}

# changed SED: the sample with a change.
changed() {
    sed "$1" "$sample" >changed.sass
    cmp -s "$sample" changed.sass && fail "nothing was changed by $1"
    return 0
}

# In what nvdisasm printed of the hand-written kernel, for sm_90.
a_difference_in_machine_code_is_seen() {
    status 0 python3 "$loops" "$sample" axpy "$sample" axpy
    says out 'axpy: 15 instructions'
    for change in 's/^.*DFMA.*/&\n&/' 's/LDG\.E\.64/LDG.E.64.CONSTANT/' '/STG/d' 's/^.*IADD3.*/&\n&/'; do
        changed "$change"
        status 1 python3 "$loops" changed.sass axpy "$sample" axpy
    done
    # Integers may be fewer, and spelled in another way.
    for change in '/IMAD\.SHL/d' 's/IMAD\.SHL\.U32/SHF.L.U32/'; do
        changed "$change"
        status 0 python3 "$loops" changed.sass axpy "$sample" axpy
    done
    status 2 python3 "$loops" "$sample" no_such_kernel "$sample" axpy
}

run_tests daxpy_in_machine_code_is_as_written_by_hand dgemm_in_machine_code_is_as_written_by_hand \
    a_difference_in_machine_code_is_seen
[ ! -f "$work/tables" ] || sed 's/^/# /' "$work/tables"
