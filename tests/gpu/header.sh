#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Compiles our declarations of a driver beside the vendor's header, where that is installed; then spoils them in several
# ways, each of which must not compile.
# usage: header.sh cuda|hip COMPILER TESTS_DIRECTORY SOURCES_DIRECTORY
set -eu
family=$1 compiler=$2 source=$3/header_$1.c sources=$4 driver=plugins/gpu/driver/$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

case $family in
cuda)
    header=cuda.h
    nvcc=$(command -v nvcc || true)
    places="${CUDA_HOME:-/nowhere}/include /usr/local/cuda/include ${nvcc:+$(dirname "$nvcc")/../include} /usr/include"
    ;;
hip)
    header=hip/hip_runtime_api.h
    places="${ROCM_PATH:-/opt/rocm}/include /usr/include"
    ;;
esac
for place in $places; do
    [ -f "$place/$header" ] && break
done
if [ ! -f "$place/$header" ]; then
    echo "skipped: $header is not in $places" | tee /dev/stderr
    exit 77
fi

compile() { # directories that are searched before the sources
    "$compiler" -std=c11 -fsyntax-only -Werror -isystem "$place" "$@" -I"$sources" -I"$(dirname "$source")" "$source"
}

compile
echo "the same as $place/$header"

# An enumerator, an attribute's number, a struct's order, a parameter, a result, a pointer's type.
case $family in
cuda) spoilers='
s/CUDA_ERROR_ILLEGAL_ADDRESS, 700/CUDA_ERROR_ILLEGAL_ADDRESS, 701/
s/CU_DEVICE_ATTRIBUTE_WARP_SIZE, 10/CU_DEVICE_ATTRIBUTE_WARP_SIZE, 11/
s/^    size_t src_lod;/    uint32_t src_lod;/
s/^    size_t depth;/    size_t depth, breadth;/
s/^    cuda_array src_array;/    cuda_array dst_array_of_old;/;s/^    cuda_context src_context;.*/    cuda_array src_array; cuda_context src_context;/
s/typedef uint64_t cuda_device_pointer;/typedef uint32_t cuda_device_pointer;/
s/(cuda_device \* device, int ordinal)/(cuda_device * device, unsigned int ordinal)/
s/(cuda_event event, cuda_stream stream)/(cuda_stream stream, cuda_event event)/
s/cuDeviceTotalMem_v2/cuDeviceTotalMem/
s/bool (\*cuda_host_function)/int (*cuda_host_function)/;s/typedef void (\*cuda_host_function)/typedef int (*cuda_host_function)/' ;;
hip) spoilers='
s/hipErrorNotReady, 600/hipErrorNotReady, 601/
s/hipDeviceAttributeWarpSize, 87/hipDeviceAttributeWarpSize, 86/
s/^    hip_array src_array;/    size_t flags; hip_array src_array;/
s/^    hip_copy_kind kind;/    hip_copy_kind kind; size_t more;/
s/HIP_PROPERTIES_R0000_SIZE = 792, HIP_PROPERTIES_R0600_SIZE = 1472/HIP_PROPERTIES_R0000_SIZE = 800, HIP_PROPERTIES_R0600_SIZE = 1480/
s/(void \*dst, int dst_device, const void \*src/(void *dst, int dst_device, void *src/
s/(hip_stream stream, hip_event event, unsigned int flags)/(hip_stream stream, hip_event event)/
s/const char \*, (hip_result error)/char *, (hip_result error)/
s/hip_result status, void \*user)/int status, void *user)/' ;;
esac
spoiled=0
echo "$spoilers" | grep . >"$work/spoilers"
while read -r spoiler; do
    rm -rf "$work/src"
    mkdir -p "$work/src/$(dirname "$driver")"
    cp -r "$sources/$driver" "$work/src/$driver"
    sed -i "$spoiler" "$work/src/$driver/declarations.h" "$work/src/$driver/functions.h"
    if diff -r "$sources/$driver" "$work/src/$driver" >/dev/null; then
        echo "failed: nothing to spoil with $spoiler" >&2
        exit 1
    fi
    if compile -I"$work/src" 2>/dev/null; then
        echo "failed: it compiles although spoiled with $spoiler" >&2
        exit 1
    fi
    spoiled=$((spoiled + 1))
done <"$work/spoilers"
echo "and different when spoiled, $spoiled times"
