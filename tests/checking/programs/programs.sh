#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# programs.sh ACCEL_CHECK PHOTO PROGRAM...: accel-check finds nothing in these programs: no error of their kernels, no result
# that the host has not waited for or uses too early, and nothing that is not released.
set -u
accel_check=$1
photo=$2
shift 2
failed=0
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT

# finds_nothing PATTERN PROGRAM ARGUMENT...: a line of its output matches.
finds_nothing()
{
    pattern=$1
    shift
    for option in --leaks --host; do
        if ! "$accel_check" $option "$@" >"$work/out" 2>&1 || ! grep -Eq -e "$pattern" "$work/out" ||
            ! grep -q '^accel-check: no errors of kernels were found' "$work/out"; then
            failed=1
            echo "FAILED: $option $*"
            tail -n 40 "$work/out"
        fi
    done
}

for program in "$@"; do
    case $(basename "$program") in
    hello) finds_nothing . "$program" ;;
    vector-add | vector-add-cpp | interop) finds_nothing verified "$program" ;;
    cg) finds_nothing verified "$program" --size 6 6 6 --iterations 5 ;;
    reduction | histogram) finds_nothing verified "$program" --elements 4097 ;;
    dgemm) finds_nothing verified "$program" --size 70 --repeat 1 --blas none ;;
    multi) finds_nothing verified "$program" --width 64 --height 48 ;;
    nbody) finds_nothing verified "$program" --side 8 --steps 2 ;;
    heat) finds_nothing verified "$program" --side 33 --steps 5 --every 2 ;;
    amplified-emission) finds_nothing verified "$program" --side 2 --layers 2 --rays 1000 ;;
    image) finds_nothing verified "$program" "$photo" ;;
    accel-bench)
        # The cases that have kernels. Those of launches measure time alone.
        for case in axpy turns stream cg barrier dgemm-thread dgemm-block dgemm-packs reduce min-sum pattern order scan scatter \
            counts rows sort histogram select gemm transpose tensor; do
            finds_nothing 'all validated' "$program" --quick --backend cpu-check --case $case
        done
        ;;
    *) failed=1 && echo "FAILED: what is $program?" ;;
    esac
done
exit $failed
