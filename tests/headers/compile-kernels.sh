#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Compiles kernels with every compiler that is there, without warnings, for every target it has, and looks at what
# came out: descriptors, entries, parameter layout.
#
#     compile-kernels.sh [--first] [--for FAMILY] [x.k.c ...]      default: every family, every kernel of the tree
#
# Families: cpu, nvidia, amd. --first: with the first compiler of each family alone, for one processor.
# One line per compiler; "skipped" where it is missing. Exit status 1 if anything failed, 77 if there was no compiler. NVCC, CUDACLANG,
# HIPCLANG and HIP_DEVICE_LIB_PATH name nvcc, clang for NVIDIA and clang for AMD GPUs, and the latter's bitcode libraries
# where they are not found. KERNELS_PART=2/3: of every kernel of the tree each third one, beginning with the second.
set -u

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=$(CDPATH='' cd -- "$here/../.." && pwd)
. "$here/kernels_of.sh"
families='cpu nvidia amd'
first=false
suite=
if [ "${1:-}" = --first ]; then
    first=true
    shift
fi
if [ "${1:-}" = --for ]; then
    families=$2
    shift 2
fi
if [ $# -eq 0 ]; then
    # tests/headers has those that must not compile; tests/mathematics compiles its own, 90 kernels, for few targets.
    cd "$root" || exit 1
    part=${KERNELS_PART:-1/1}
    # shellcheck disable=SC2046 # one word per source
    set -- $(find examples src tests tools -name '*.k.c' ! -path 'tests/headers/*' ! -path 'tests/mathematics/*' | sort |
        sed -n "${part%/*}~${part#*/}p")
    # nvcc, and a newer clang, compile the suite's for NVIDIA where it runs: tests/gpusim/ptx/conformance.sh.
    suite=$(printf '%s\n' "$@" | grep '^src/kernels/\|^tests/kernels/\|^tests/conformance/')
    others=$(printf '%s\n' "$@" | grep -v '^src/kernels/\|^tests/kernels/\|^tests/conformance/')
fi
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
mkdir "$work/objects" || exit 1
export TMPDIR="$work" # clang leaves directories there
failed=0
compiled=0

warnings='-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror'
host="-fPIC -fvisibility=hidden $warnings -I$root/include -I$root/src"

fail() { # label, source, file with the text
    echo "$1: FAILED on $2"
    sed 's/^/    /' "$3"
    bad=1
    failed=1
}

passed() { # label, number of sources
    compiled=$((compiled + 1))
    [ "$bad" -eq 0 ] && echo "$1: $2 sources compiled"
}

symbols() { # of a cubin
    readelf -sW "$1" 2>/dev/null | awk '{ print $NF }'
}

# Label, compiler, flags: no warning, and nothing else.
reads() {
    label=$1 compiler=$2 flags=$3
    shift 3
    if ! command -v "$compiler" >/dev/null 2>&1; then
        echo "$label: skipped, no $compiler"
        return
    fi
    bad=0
    for f in "$@"; do
        # shellcheck disable=SC2086
        "$compiler" $flags -fsyntax-only $warnings -I"$root/include" -I"$root/src" "$f" >"$work/log" 2>&1 || fail "$label" "$f" "$work/log"
    done
    passed "$label" $#
}

# Compiler, flags: accel/kernel.h compiled before all sources, because C++ takes most of its time for reading it.
precompiled() {
    echo '#include <accel/kernel.h>' >"$work/$1.h"
    # shellcheck disable=SC2086
    "$1" -x c++-header $2 $host "$work/$1.h" -o "$work/$1.h.gch" >"$work/log" 2>&1
}

# Label, compiler, flags: one host object per source, each kernel's descriptor exported. Without -O an object is
# made in half the time.
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
        if ! "$compiler" $flags $host -c "$f" -o "$work/host.o" >"$work/log" 2>&1; then
            fail "$label" "$f" "$work/log"
            continue
        fi
        readelf -sW "$work/host.o" | awk '$5 == "GLOBAL" && $6 == "DEFAULT" && $7 != "UND" { print $8 }' >"$work/symbols"
        for k in $(kernels_of "$f"); do
            if ! grep -qx "accel_descriptor_$k" "$work/symbols"; then
                echo "no exported accel_descriptor_$k" >"$work/log"
                fail "$label" "$f" "$work/log"
            fi
        done
    done
    passed "$label" $#
}

# Objects to be inspected are kept until all are there: Python takes longer to begin than to inspect one.
keep() { # source, object, its kernels in a file
    kept=$work/objects/$(echo "$1" | tr / _)
    cp "$2" "$kept"
    echo "$kept $(tr '\n' ' ' <"$3")" >>"$work/objects/list"
}

inspect_kept() { # label: see gpu_object.py
    [ -s "$work/objects/list" ] || return
    python3 "$here/gpu_object.py" --each "$work/objects/list" >"$work/log" 2>&1 || fail "$1" "the sources named" "$work/log"
    rm "$work/objects"/*
}

# The inspection sees what is wrong: a size in a descriptor, and a kernel that is not there.
inspection_fails() { # label, object, what sed changes in it, kernels...
    object=$2
    LC_ALL=C sed "$3" "$object" >"$work/changed"
    label=$1
    shift 3
    if cmp -s "$object" "$work/changed" || python3 "$here/gpu_object.py" "$work/changed" "$@" >"$work/log" ||
        python3 "$here/gpu_object.py" "$object" "$@" and_more >"$work/log"; then
        echo "$label: FAILED: the inspection of objects sees no fault"
        failed=1
    fi
}

find_nvcc() {
    nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
    ptxas=$(dirname "$nvcc")/ptxas
}

# PTX for the oldest architecture that kernel.h and nvcc have, then machine code for it and for the newest, of every tenth
# source for every one; descriptors in both.
on_cuda() {
    find_nvcc
    if ! [ -x "$nvcc" ]; then
        echo "nvcc: skipped, no nvcc"
        return
    fi
    architectures=$("$nvcc" --list-gpu-code | tr '\n' ' ')
    oldest=${architectures%% *} newest=${architectures% } turn=0
    newest=${newest##* }
    bad=0
    for f in "$@"; do
        case $first,$((turn % 10)) in
            true,*) these=$newest ;;
            *,0) these=$architectures ;;
            *) these="$oldest $newest" ;;
        esac
        turn=$((turn + 1))
        if ! "$nvcc" -x cu -std=c++17 -rdc=true --expt-relaxed-constexpr -arch=compute_75 -ptx -Werror all-warnings -I"$root/include" -I"$root/src" "$f" \
            -o "$work/x.ptx" >"$work/log" 2>&1 || [ -s "$work/log" ]; then
            fail nvcc "$f" "$work/log"
            continue
        fi
        kernels_of "$f" >"$work/kernels"
        keep "$f" "$work/x.ptx" "$work/kernels"
        for arch in $these; do
            "$ptxas" -O1 -arch="$arch" "$work/x.ptx" -o "$work/$arch.cubin" >"$work/log" 2>&1 || fail "ptxas $arch" "$f" "$work/log"
        done
        symbols "$work/$newest.cubin" >"$work/symbols"
        while read -r k; do
            if ! grep -qx "accel_descriptor_$k" "$work/symbols"; then
                echo "no accel_descriptor_$k in the cubin" >"$work/log"
                fail "ptxas $newest" "$f" "$work/log"
            fi
        done <"$work/kernels"
    done
    inspect_kept nvcc
    passed "nvcc to compute_75; ptxas to $architectures" $#
    inspection_fails nvcc "$work/x.ptx" 's/\(_param_0\)\[\([0-9]*\)\]/\1[9\2]/' $(kernels_of "$f")
}

# The same by a clang that has none of NVIDIA's headers, for the GPUs it knows, assembled for the oldest that ptxas has.
on_cuda_with_clang() { # clang, sources
    find_nvcc
    clang=$1
    shift
    libdevice=$(dirname "$nvcc")/../nvvm/libdevice/libdevice.10.bc
    if ! command -v "$clang" >/dev/null 2>&1; then
        echo "clang for CUDA: skipped, no $clang"
        return
    fi
    if ! [ -f "$libdevice" ] || ! [ -x "$ptxas" ]; then
        echo "clang for CUDA: skipped, no ptxas and libdevice.10.bc"
        return
    fi
    bad=0
    for f in "$@"; do
        if ! "$clang" -x cuda --cuda-device-only -nocudainc -nocudalib -Wno-unknown-cuda-version -S --cuda-gpu-arch=sm_75 \
            -Xclang -target-feature -Xclang +ptx63 -Xclang -mlink-builtin-bitcode -Xclang "$libdevice" \
            -std=c++17 -O3 -Wall -Wextra -Wshadow -Werror \
            -I"$root/include" -I"$root/src" "$f" -o "$work/x.ptx" >"$work/log" 2>&1; then
            fail "$clang for CUDA" "$f" "$work/log"
            continue
        fi
        kernels_of "$f" >"$work/kernels"
        keep "$f" "$work/x.ptx" "$work/kernels"
        "$ptxas" -arch=sm_75 "$work/x.ptx" -o "$work/x.cubin" >"$work/log" 2>&1 || fail "$clang for CUDA, ptxas" "$f" "$work/log"
    done
    inspect_kept "$clang for CUDA"
    passed "$clang -x cuda to sm_75; ptxas to sm_75" $#
}

# Code objects for a GPU of 64 lanes, and of every fourth source for one of 32.
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
    for arch in $($first && echo gfx90a || echo gfx1030 gfx90a); do
        bad=0 turn=0
        for f in "$@"; do
            turn=$((turn + 1))
            [ $arch = gfx90a ] || [ $((turn % 4)) -eq 1 ] || continue
            if ! "$clang" -x hip --cuda-device-only --no-gpu-bundle-output --offload-arch=$arch -nogpuinc \
                --rocm-path=/usr --rocm-device-lib-path="$libraries" -std=c++17 -O3 -Wall -Wextra -Wshadow -Werror \
                -I"$root/include" -I"$root/src" "$f" -o "$work/x.hsaco" >"$work/log" 2>&1; then
                fail "clang for HIP" "$f" "$work/log"
                continue
            fi
            kernels_of "$f" >"$work/kernels"
            keep "$f" "$work/x.hsaco" "$work/kernels"
        done
        inspect_kept "clang for HIP"
        [ $arch = gfx90a ] || turn=$(((turn + 3) / 4))
        passed "$clang to $arch" $turn
    done
    inspection_fails "clang for HIP" "$work/x.hsaco" 's/ACCK/ACCX/' $(cat "$work/kernels")
}

for family in $families; do
    case $family in
        cpu)
            # The optimiser warns of more, and is the same for all of gcc's languages and processors; clang's does not warn.
            # One compiler's objects of each language are looked at; the suite runs other compilers'.
            on_host 'gcc -std=c11' gcc '-O2 -std=c11' "$@"
            ! $first || continue
            reads 'clang -std=c11' clang '-std=c11' "$@"
            precompiled g++ -std=c++17
            on_host 'g++ -std=c++17' g++ "-x c++ -std=c++17 -include $work/g++.h" "$@"
            precompiled clang++ -std=c++17
            reads 'clang++ -std=c++17' clang++ "-x c++ -std=c++17 -fPIC -fvisibility=hidden -include $work/clang++.h" "$@"
            reads 'aarch64-linux-gnu-gcc -std=c11' aarch64-linux-gnu-gcc '-std=c11' "$@"
            ;;
        nvidia)
            # shellcheck disable=SC2086 # one word per source
            [ -z "$suite" ] || set -- $others
            on_cuda "$@"
            # shellcheck disable=SC2046,SC2086 # one word per source
            $first || on_cuda_with_clang "${CUDACLANG:-clang-14}" "$@" $(printf '%s\n' $suite | sed -n '1~4p')
            ;;
        amd) on_hip "$@" ;;
        *)
            echo "compile-kernels: no family '$family': cpu, nvidia or amd"
            failed=1
            ;;
    esac
done
[ $failed -ne 0 ] || [ $compiled -gt 0 ] || exit 77
exit $failed
