#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# dgemm.sh DGEMM LISTER WRONG_BLAS: each way gives the product of plain C, on each device that the lister lists; a product
# without one term is noticed; wrong command lines are refused.
set -u
. "$(dirname "$0")/expect.sh"
OPENBLAS_NUM_THREADS=1 # where it is installed
export OPENBLAS_NUM_THREADS

list_devices "$2"
for device in $devices; do
    # Whole tiles and bands, less than one, and a number more or less than some.
    for size in 1 7 64 129 261; do
        expect 0 '^verified: ' --size $size --repeat 1 --blas none "$device"
    done
    says '^no OpenBLAS: compared with plain C alone$'
    for way in accel_gemm 'kernel "packs"' 'kernel "tiles"'; do
        says "^$way +[0-9.]+ +[0-9.]+ +[0-9.]+e-"
    done
done

# Other sums than those of plain C, if OpenBLAS is here.
expect 0 '^verified: ' --size 64 --repeat 1
case $output in *'no OpenBLAS'*) ;; *) says '^OpenBLAS for [A-Za-z0-9]+, threads: 1 +[0-9.]+ ' ;; esac
expect 1 '^NOT VERIFIED$' --size 64 --repeat 1 --blas "$3"
says 'wrong-blas.so +[0-9.]+ +[0-9.]+ +[0-9.]+e[+]'

tab=$(printf '\t')
expect 0 "^dgemm${tab}[a-z-]+${tab}.*${tab}yes${tab}[0-9.]+$" --size 8 --table-row
expect 1 "^dgemm${tab}[a-z-]+${tab}.*${tab}NO${tab}[0-9.]+$" --size 8 --table-row --blas "$3"
expect 0 '^  --blas LIBRARY ' --help
expect 2 '^dgemm: --size: "0" is not a number from 1 to 16384$' --size 0
expect 2 '^dgemm: --repeat: "2x" is not a number from 1 to 1000$' --repeat 2x
expect 2 '^dgemm: --size: its value is missing' --size
expect 2 '^dgemm: there is no option "--sise"; dgemm --help' --sise
expect 2 '^dgemm: two devices, "a" and "b": name one$' a b
expect 2 '^dgemm: --blas: libnone.so: cannot open' --size 8 --blas libnone.so
expect 2 '^dgemm: .*no-such-device' no-such-device
expect 2 '^dgemm: .*no-such-backend' no-such-backend:0
ACCEL_BACKEND=no-such-backend expect 2 '^dgemm: .*no-such-backend' --size 8

[ $failed -eq 0 ]
