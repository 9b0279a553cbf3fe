#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Compiles kernels with every compiler that is there, without warnings, for every target it has, and looks at what
# came out: descriptors, entries, parameter layout.
#
#     compile-kernels.sh [x.k.c ...]      default: every kernel of the tree
#
# One line per compiler; "skipped" where it is missing. Exit status 1 if anything failed. NVCC, HIPCLANG and
# HIP_DEVICE_LIB_PATH name nvcc, clang for AMD GPUs and its bitcode libraries where they are not found.
set -u

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=$(CDPATH='' cd -- "$here/../.." && pwd)
if [ $# -eq 0 ]; then
    # tests/headers has those that must not compile.
    cd "$root" || exit 1
    # shellcheck disable=SC2046 # one word per source
    set -- $(find examples tests tools -name '*.k.c' ! -path 'tests/headers/*' | sort)
fi
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0

warnings='-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror'
host="-O2 -fPIC -shared -fvisibility=hidden $warnings -I$root/include"

kernels_of() { # names of the kernels defined in a source
    sed -n 's/^ACCEL_[A-Z_]*KERNEL[A-Z_]*(\([A-Za-z_0-9]*\),.*/\1/p' "$1"
}

fail() { # label, source, file with the text
    echo "$1: FAILED on $2"
    sed 's/^/    /' "$3"
    bad=1
    failed=1
}

passed() { # label, number of sources
    [ "$bad" -eq 0 ] && echo "$1: $2 sources compiled"
}

symbols() { # dynamic symbols of a host object, or all of a GPU object
    readelf -sW "$1" 2>/dev/null | awk '$5 == "GLOBAL" || $5 == "WEAK" { print $8 }'
}

# Compiler, label, flags: one host object per source, each kernel's descriptor exported.
on_host() {
    label=$1
    compiler=$2
    shift 2
    flags=$1
    shift
    if ! command -v "$compiler" >/dev/null 2>&1; then
        echo "$label: skipped, no $compiler"
        return
    fi
    bad=0
    for f in "$@"; do
        # shellcheck disable=SC2086
        if ! "$compiler" $flags $host "$f" -o "$work/host.so" >"$work/log" 2>&1; then
            fail "$label" "$f" "$work/log"
            continue
        fi
        readelf --dyn-syms -W "$work/host.so" | awk '{ print $8 }' >"$work/symbols"
        for k in $(kernels_of "$f"); do
            if ! grep -qx "accel_descriptor_$k" "$work/symbols"; then
                echo "no exported accel_descriptor_$k" >"$work/log"
                fail "$label" "$f" "$work/log"
            fi
        done
    done
    passed "$label" $#
}

# PTX for the oldest architecture that nvcc has, then machine code for newer ones; symbols in both.
on_cuda() {
    nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
    if ! [ -x "$nvcc" ]; then
        echo "nvcc: skipped, no nvcc"
        return
    fi
    ptxas=$(dirname "$nvcc")/ptxas
    bad=0
    for f in "$@"; do
        if ! "$nvcc" -x cu -std=c++17 -rdc=true -arch=compute_75 -ptx -Werror all-warnings -I"$root/include" "$f" \
            -o "$work/x.ptx" >"$work/log" 2>&1 || [ -s "$work/log" ]; then
            fail nvcc "$f" "$work/log"
            continue
        fi
        for k in $(kernels_of "$f"); do
            if ! grep -q "visible .global .* accel_descriptor_$k\[" "$work/x.ptx" ||
                ! grep -q "visible .entry accel_kernel_$k(" "$work/x.ptx" ||
                ! grep -q "accel_kernel_${k}_param_1\[136\]" "$work/x.ptx"; then
                echo "descriptor, entry or parameters of $k are missing in the PTX" >"$work/log"
                fail nvcc "$f" "$work/log"
            fi
        done
        for arch in sm_75 sm_80 sm_90 sm_100; do
            if ! "$ptxas" -arch=$arch "$work/x.ptx" -o "$work/x.cubin" >"$work/log" 2>&1; then
                fail "ptxas $arch" "$f" "$work/log"
                continue
            fi
            symbols "$work/x.cubin" >"$work/symbols"
            for k in $(kernels_of "$f"); do
                if ! grep -qx "accel_descriptor_$k" "$work/symbols"; then
                    echo "no accel_descriptor_$k in the cubin" >"$work/log"
                    fail "ptxas $arch" "$f" "$work/log"
                fi
            done
        done
    done
    passed "nvcc to compute_75; ptxas to sm_75, sm_80, sm_90, sm_100" $#
}

# A code object for gfx90a; symbols, and the two parameters at their places with nothing behind them.
on_hip() {
    clang=${HIPCLANG:-clang-15}
    if ! command -v "$clang" >/dev/null 2>&1; then
        echo "clang for HIP: skipped, no $clang"
        return
    fi
    libraries=${HIP_DEVICE_LIB_PATH:-/usr/lib/x86_64-linux-gnu/amdgcn/bitcode}
    if ! [ -f "$libraries/ocml.bc" ]; then
        echo "clang for HIP: skipped, no device libraries in $libraries"
        return
    fi
    readelf=$(command -v llvm-readelf || command -v llvm-readelf-15 || echo false)
    bad=0
    for f in "$@"; do
        if ! "$clang" -x hip --cuda-device-only --no-gpu-bundle-output --offload-arch=gfx90a -nogpuinc \
            --rocm-path=/usr --rocm-device-lib-path="$libraries" -std=c++17 -O3 -Wall -Wextra -Wshadow -Werror \
            -I"$root/include" "$f" -o "$work/x.hsaco" >"$work/log" 2>&1; then
            fail "clang for HIP" "$f" "$work/log"
            continue
        fi
        symbols "$work/x.hsaco" >"$work/symbols"
        "$readelf" --notes "$work/x.hsaco" >"$work/notes" 2>/dev/null
        for k in $(kernels_of "$f"); do
            if ! grep -qx "accel_descriptor_$k" "$work/symbols" || ! grep -qx "accel_kernel_$k.kd" "$work/symbols"; then
                echo "descriptor or entry of $k is missing" >"$work/log"
                fail "clang for HIP" "$f" "$work/log"
            fi
        done
        # Every kernel: arguments from 0, the grid behind them, aligned to 8, and nothing else.
        if ! awk '/\.args:/ { count = 0 }
                  /\.offset:/ { offset[count] = $NF }
                  /\.size:/ { size[count++] = $NF }
                  /\.kernarg_segment_size:/ {
                      place = int((size[0] + 7) / 8) * 8
                      if (count != 2 || offset[0] != 0 || offset[1] != place || size[1] != 136 || $NF != place + 136)
                          wrong = 1
                  }
                  END { exit wrong }' "$work/notes"; then
            fail "clang for HIP" "$f (parameter layout)" "$work/notes"
        fi
    done
    passed "$clang to gfx90a" $#
}

on_host 'gcc -std=c11' gcc '-std=c11' "$@"
on_host 'gcc -std=gnu11' gcc '-std=gnu11' "$@"
on_host 'clang -std=c11' clang '-std=c11' "$@"
on_host 'clang -std=gnu11' clang '-std=gnu11' "$@"
on_host 'g++ -std=c++17' g++ '-x c++ -std=c++17' "$@"
on_host 'clang++ -std=c++17' clang++ '-x c++ -std=c++17' "$@"
on_host 'aarch64-linux-gnu-gcc -std=c11' aarch64-linux-gnu-gcc '-std=c11' "$@"
on_cuda "$@"
on_hip "$@"
exit $failed
