#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The inner loops of DAXPY and of the tiled DGEMM in PTX are those of hand-written CUDA: the same kinds and numbers of
# instructions. Usage: compare.sh SOURCE_ROOT ACCELCC
root=$1 accelcc=$(realpath "$2")
. "$root/tests/tools/tap.sh"
nvcc=$("$accelcc" --print-targets | sed -n 's/^compute_75  *\(.*nvcc\)$/\1/p')
if [ -z "$nvcc" ]; then
    echo "1..0 # SKIP no nvcc"
    exit 0
fi
kernels=$root/tests/kernels
ptx=$work/ptx
mkdir "$ptx"
"$nvcc" -x cu -std=c++17 -arch=compute_75 -ptx -I "$kernels" "$root/tests/ptx/hand_written.cu" -o "$ptx/hand.ptx" || exit 99
"$accelcc" -o "$ptx/ours" "$kernels/axpy.k.c" "$kernels/dgemm.k.c" --targets=compute_75 || exit 99

# same KERNEL HAND_WRITTEN
same() {
    python3 "$root/tests/ptx/compare_loops.py" "$ptx/ours.compute_75.ptx" "accel_kernel_$1" "$ptx/hand.ptx" "$2"
}

daxpy_is_as_written_by_hand() {
    same axpy axpy
    same axpy_shares axpy
}

daxpy_with_indices_of_32_bits_is_as_written_by_hand() {
    same axpy_32 axpy_32
}

dgemm_as_block_kernel_is_as_written_by_hand() {
    same dgemm_block dgemm
    same dgemm_fixed dgemm
}

dgemm_as_thread_kernel_is_as_written_by_hand() {
    same dgemm_thread dgemm
}

# The comparison sees one instruction more, and one of another kind.
a_difference_is_seen() {
    sed 's/^\(\t*\)fma\.rn\.f64.*/&\n\1add.f64 %fd1, %fd1, %fd1;/' "$ptx/hand.ptx" >more.ptx
    sed 's/^\(\t*\)ld\.global\.f64/\1ld.global.nc.f64/' "$ptx/hand.ptx" >other.ptx
    cmp -s "$ptx/hand.ptx" more.ptx && fail "nothing was changed"
    cmp -s "$ptx/hand.ptx" other.ptx && fail "nothing was changed"
    for changed in more.ptx other.ptx; do
        status 1 python3 "$root/tests/ptx/compare_loops.py" $changed axpy "$ptx/hand.ptx" axpy
        status 1 python3 "$root/tests/ptx/compare_loops.py" $changed dgemm "$ptx/hand.ptx" dgemm
    done
    status 1 python3 "$root/tests/ptx/compare_loops.py" "$ptx/ours.compute_75.ptx" accel_kernel_dgemm_thread_fixed "$ptx/hand.ptx" dgemm
    status 2 python3 "$root/tests/ptx/compare_loops.py" "$ptx/hand.ptx" no_such_kernel "$ptx/hand.ptx" axpy
}

run_tests daxpy_is_as_written_by_hand daxpy_with_indices_of_32_bits_is_as_written_by_hand \
    dgemm_as_block_kernel_is_as_written_by_hand dgemm_as_thread_kernel_is_as_written_by_hand a_difference_is_seen
