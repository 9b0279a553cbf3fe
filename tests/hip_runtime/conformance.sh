#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Nouns of the conformance suite on Debian's libamdhip64, with the stand-in in place of libhsakmt: README.md.
# Usage: conformance.sh STAND_IN OBJECT HOST_OBJECT CONFORMANCE [argument ...], with CK_RUN_SUITE set
set -u
stand_in=$(dirname "$(realpath "$1")") object=$(realpath "$2") host_object=$3 conformance=$4
shift 4

skip() {
    echo "1..0 # SKIP $1"
    exit 0
}
runtime=$(ldconfig -p | sed -n 's/^[[:space:]]*libamdhip64\.so\.5 .*=> //p' | head -n 1)
[ -n "$runtime" ] || skip "there is no libamdhip64.so.5 (Debian: libamdhip64-5)"
case $(readlink -f "$runtime") in
*.so.5.2.*) ;;
*) skip "$(readlink -f "$runtime") is not HIP 5.2, for which the stand-in was made" ;;
esac
[ -s "$object" ] || skip "no clang makes kernels for gfx90a (Debian: clang-15, lld-15, rocm-device-libs)"

# Copies by kernels of the runtime, because the stand-in has no SDMA engines. One process: the runtime does not survive fork.
export LD_LIBRARY_PATH="$stand_in${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
export HIP_STANDIN_KERNELS="$host_object" HSA_ENABLE_SDMA=0 CK_FORK=no
export ACCEL_HIP_LIBRARY=libamdhip64.so.5 ACCEL_BACKEND=hip ACCEL_KERNEL_PATH="${object%/*}"
exec "$conformance" "$@"
