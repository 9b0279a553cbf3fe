#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# interop.sh INTEROP LISTER WRONG_BLAS [SIMULATED_CUBLAS]: kernels, other libraries and the program's loop give the bits of
# plain C, on each device that the lister lists; a product without one term is noticed; wrong command lines are refused.
# With the fourth argument the first device is one of cuda or hip, and the checks of CPUs are left out.
set -u
. "$(dirname "$0")/expect.sh"
OPENBLAS_NUM_THREADS=1 # where it is installed
export OPENBLAS_NUM_THREADS

list_devices "$2"
if [ $# -gt 3 ]; then
    for device in $devices; do
        expect 0 '^verified: ' --size 37 --cublas "$4" "$device"
        case $device in
        cuda*) says "^product    cuBLAS, in the queue's stream$" ;;
        *) says '^product    accel_gemm: no other library takes part$' ;;
        esac
        says '^rows       .* in a copy, after a wait$'
        says "^scale      a kernel, with a copy of the loop's results$"
    done
    expect 0 '^product    accel_gemm: no other library takes part$' --size 20 --cublas none
    case $devices in
    cuda*)
        expect 2 '^interop: --cublas: libnone.so: cannot open' --size 8 --cublas libnone.so
        SIMULATED_CUBLAS=refuse
        export SIMULATED_CUBLAS
        expect 2 '^interop: cublasDgemm: its status is 13$' --size 8 --cublas "$4"
        ;;
    esac
    [ $failed -eq 0 ]
    exit
fi

for device in $devices; do
    # Rows with gaps and without.
    for size in 1 64 131; do
        expect 0 '^verified: ' --size $size --openblas none "$device"
    done
    says '^product    accel_gemm: no other library takes part$'
    says "^rows       .* in the buffer's own memory, after a wait$"
    expect 0 '^verified: ' --size 131 "$device" # with OpenBLAS, if it is here
    says '^product    (OpenBLAS, in a host function of the queue|accel_gemm: no other library takes part)$'
done
expect 1 '^NOT VERIFIED$' --size 64 --openblas "$3"
says '^product    OpenBLAS, in a host function of the queue$'
says '^interop: row 0, column 0: '

tab=$(printf '\t')
expect 0 "^interop${tab}[a-z-]+${tab}.*${tab}yes${tab}[0-9.]+$" --size 8 --table-row
expect 1 "^interop${tab}[a-z-]+${tab}.*${tab}NO${tab}[0-9.]+$" --size 8 --table-row --openblas "$3"
expect 0 '^  --cublas LIBRARY ' --help
expect 2 '^interop: --size: "0" is not a number from 1 to 16384$' --size 0
expect 2 '^interop: --size: "8x" is not a number' --size 8x
expect 2 '^interop: --cublas: its value is missing' --cublas
expect 2 '^interop: there is no option "--blas"; interop --help' --blas x
expect 2 '^interop: two devices, "a" and "b": name one$' a b
expect 2 '^interop: --openblas: libnone.so: cannot open' --size 8 --openblas libnone.so
expect 2 '^interop: .*no-such-device' --size 8 no-such-device
ACCEL_BACKEND=no-such-backend expect 2 '^interop: .*no-such-backend' --size 8

[ $failed -eq 0 ]
