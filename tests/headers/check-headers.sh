#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What must compile does, without warnings; what must not is refused: misuse of kernel forms by every compiler that is
# there (refused/), barriers in NOSYNC kernels by optimising host compilers (refused_on_cpu/), and leaving a region by
# the check that accelcc makes (left/). Exit status 1 if anything is otherwise.
#
#     check-headers.sh [--first]      --first: with gcc and g++ alone
set -u

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=$(CDPATH='' cd -- "$here/../.." && pwd)
include="-I$root/include"
warnings='-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror'
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export TMPDIR="$work" # clang leaves directories there
log=$work/log
failed=0
checked=0

others=${1:-}
there() {
    case ${1%% *} in
        gcc | g++) ;;
        *) [ "$others" != --first ] || return 1 ;;
    esac
    command -v "${1%% *}" >/dev/null 2>&1
}

accepts() { # command, source
    there "$1" || return
    checked=$((checked + 1))
    # shellcheck disable=SC2086
    $1 $include "$2" >"$log" 2>&1 && return
    echo "FAILED: should compile: $1 $2"
    sed 's/^/    /' "$log"
    failed=1
}

refuses() { # command, source
    there "$1" || return
    checked=$((checked + 1))
    # shellcheck disable=SC2086
    $1 $include "$2" >"$log" 2>&1 || return
    echo "FAILED: should be refused: $1 $2"
    failed=1
}

for f in "$here"/c11_*.c; do
    accepts "gcc -std=c11 -Wstrict-prototypes -Wmissing-prototypes $warnings -c -o /dev/null" "$f"
    accepts "clang -std=c11 -Wstrict-prototypes -Wmissing-prototypes $warnings -c -o /dev/null" "$f"
done
for f in "$here"/cxx17_*.cpp; do
    accepts "g++ -std=c++17 $warnings -c -o /dev/null" "$f"
    accepts "clang++ -std=c++17 $warnings -c -o /dev/null" "$f"
done
for f in "$here"/refused/*.k.c "$here"/refused_on_cpu/*.k.c; do
    refuses "gcc -std=c11 -O2 -c -o /dev/null" "$f"
    refuses "clang -std=c11 -O2 -c -o /dev/null" "$f"
    refuses "g++ -x c++ -std=c++17 -O2 -c -o /dev/null" "$f"
    refuses "clang++ -x c++ -std=c++17 -O2 -c -o /dev/null" "$f"
done
for f in "$here"/refused/*.k.c; do
    refuses "nvcc -x cu -std=c++17 -arch=compute_75 -ptx -o /dev/null" "$f"
    refuses "clang-15 -x hip --cuda-device-only --offload-arch=gfx90a -nogpuinc -nogpulib -std=c++17 -c -o /dev/null" \
        "$f"
    refuses "clang-15 -x cuda --cuda-device-only --cuda-gpu-arch=sm_75 -nocudainc -nocudalib -std=c++17 -S -o /dev/null" \
        "$f"
done
for f in "$here"/left/*.k.c; do
    refuses "clang -std=gnu11 -DACCEL_LINT -fopenmp-simd -fsyntax-only" "$f"
    refuses "gcc -std=gnu11 -DACCEL_LINT -fopenmp-simd -S -o /dev/null" "$f"
done
for f in "$root"/tests/kernels/*.k.c; do
    accepts "clang -std=gnu11 -DACCEL_LINT -fopenmp-simd -fsyntax-only" "$f"
    accepts "gcc -std=gnu11 -DACCEL_LINT -fopenmp-simd -S -o /dev/null" "$f"
done

[ "$others" = --first ] || for c in gcc clang g++ clang++ nvcc clang-15; do
    there $c || echo "$c: skipped, not there"
done
echo "$checked compilations checked"
[ $checked -gt 0 ] || exit 77
exit $failed
