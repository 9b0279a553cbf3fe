#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What a user of a machine sees whose GPU driver is absent, old, broken or without a device: accel-info tells it in a
# sentence, and ACCEL_BACKEND=cuda (hip) fails with that sentence.
# usage: states.sh ACCEL_INFO PROGRAM SIMULATED_DRIVERS_DIRECTORY
# PROGRAM makes an instance with what is asked for, and prints the error.
set -eu
info=$1 program=$2 simulated=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset ACCEL_BACKEND ACCEL_CUDA_LIBRARY ACCEL_DEVICES ACCEL_HIP_LIBRARY ACCEL_LOG CUDA_VISIBLE_DEVICES || true

fail() {
    echo "failed: $*" >&2
    exit 1
}

# state BACKEND STATE WORDS LIBRARIES [VARIABLE=VALUE...]
state() {
    backend=$1 state=$2 words=$3 libraries=$4
    shift 4
    # accel-info breaks its lines; its exit code is about backends at all.
    env LD_LIBRARY_PATH="$libraries" "$@" "$info" --backends >"$work/info" || true
    tr -s ' \n' ' ' <"$work/info" >"$work/line"
    grep -q "^ *$backend  *$state\$" "$work/info" || fail "accel-info does not call $backend \"$state\": $(cat "$work/info")"
    grep -qF "$words" "$work/line" || fail "accel-info does not say \"$words\": $(cat "$work/line")"
    env LD_LIBRARY_PATH="$libraries" "$@" "$info" --backends --json >"$work/json" || true
    sed -n "/\"name\": \"$backend\"/,/}/p" "$work/json" >"$work/own"
    grep -qF "\"state\": \"$state\"" "$work/own" || fail "accel-info --json does not call $backend \"$state\": $(cat "$work/json")"
    grep -qF "$words" "$work/own" || fail "accel-info --json does not say \"$words\": $(cat "$work/json")"
    if env LD_LIBRARY_PATH="$libraries" ACCEL_BACKEND="$backend" "$@" "$program" >"$work/error"; then
        fail "ACCEL_BACKEND=$backend was replaced by something else"
    fi
    grep -qF "$words" "$work/error" || fail "ACCEL_BACKEND=$backend does not fail with \"$words\": $(cat "$work/error")"
}

mkdir "$work/spoiled"
for name in libcuda.so.1 libamdhip64.so.7; do
    echo 'this is no library' >"$work/spoiled/$name"
done
state cuda broken 'the driver library is there, but cannot be loaded: ' "$work/spoiled"
state hip broken 'libamdhip64.so.7' "$work/spoiled" ACCEL_HIP_LIBRARY=libamdhip64.so.7

if [ -d "$simulated" ]; then
    state cuda 'driver too old' 'found CUDA 11.2 (libcuda.so.1), needed CUDA 11.4' "$simulated" GPUSIM_VERSION=11020
    state cuda 'no device' 'cuInit of libcuda.so.1 returned CUDA_ERROR_NO_DEVICE' "$simulated" GPUSIM_DEVICES=0
    state cuda broken 'it lacks the function cuMemFree;' "$simulated" GPUSIM_MISSING=cuMemFree_v2
    state cuda broken 'of different versions' "$simulated" GPUSIM_INIT=803
    state hip 'no device' 'hipInit of libamdhip64.so.6 returned hipErrorNoDevice' "$simulated" GPUSIM_DEVICES=0 \
        ACCEL_HIP_LIBRARY=libamdhip64.so.6
    state hip broken 'it lacks the function hipFree;' "$simulated" GPUSIM_MISSING=hipFree \
        ACCEL_HIP_LIBRARY=libamdhip64.so.6
fi

# Init is reported apart from finding the driver.
if [ -d "$simulated" ]; then
    env LD_LIBRARY_PATH="$simulated" ACCEL_HIP_LIBRARY=libamdhip64.so.6 ACCEL_LOG=info "$info" --backends >"$work/info" 2>"$work/log" ||
        fail "accel-info fails beside usable drivers: $(cat "$work/log")"
    for words in 'cuda: cuInit took [0-9.]* ms; loading libcuda.so.1 and finding its functions before took [0-9.]* ms' \
        'hip: hipInit took [0-9.]* ms; loading libamdhip64.so.6 and'; do
        grep -q "$words" "$work/log" || fail "the log does not say \"$words\": $(cat "$work/log")"
    done
fi

# Without a library at all, where the system has none.
cache=$(PATH=$PATH:/sbin:/usr/sbin ldconfig -p 2>/dev/null || true)
case $cache in
*libcuda.so.1*) echo 'this system has a libcuda.so.1: what is said without one was not tried' ;;
*) state cuda 'no driver' 'no driver library: tried libcuda.so.1,' "$work" ;;
esac
if [ -e /dev/kfd ] || [ -e /dev/dxg ]; then
    echo 'this system has the kernel'"'"'s part for AMD GPUs: what is said without it was not tried'
else
    state hip 'no device' 'there is no /dev/kfd' "$work"
fi
state hip 'no driver' 'ACCEL_HIP_LIBRARY names' "$work" ACCEL_HIP_LIBRARY=libamdhip64.so.99
state cuda 'no driver' 'ACCEL_CUDA_LIBRARY names' "$work" ACCEL_CUDA_LIBRARY=libcuda.so.99
