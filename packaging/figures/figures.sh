#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# figures.sh ACCEL [KOKKOS]: what building a program and its kernels costs, and how large is what is shipped, for the tables of
# docs/guide/shipping-kernels.md.
#
# ACCEL is the prefix of an installed libaccel. KOKKOS is the prefix of an installed Kokkos, static, with Serial and OpenMP:
#
#     cmake -S kokkos -B build -DCMAKE_BUILD_TYPE=Release -DKokkos_ENABLE_SERIAL=ON -DKokkos_ENABLE_OPENMP=ON \
#         -DCMAKE_INSTALL_PREFIX=KOKKOS && cmake --build build --target install
#
# Times are processor time, user and system, the smallest of five. No compiler may be a link to ccache. Sizes are after strip.
set -eu
[ $# -ge 1 ] || { echo 'usage: figures.sh ACCEL [KOKKOS]' >&2; exit 2; }
accel=$(realpath "$1")
kokkos=${2:+$(realpath "$2")}
source=$(realpath "$(dirname "$0")")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
lib=$(dirname "$(find "$accel" -name libaccel.so.1)")
export LD_LIBRARY_PATH=$lib PKG_CONFIG_PATH=$lib/pkgconfig
flags=$(pkg-config --cflags libaccel)
libs=$(pkg-config --libs libaccel)
TIMEFORMAT='%U %S'

seconds()
{
    # seconds WHAT COMMAND...
    what=$1
    shift
    for _ in 1 2 3 4 5; do
        { time "$@" >log 2>&1 || { cat log >&2; exit 1; }; } 2>spent
        awk '{ printf "%.2f\n", $1 + $2 }' spent
    done | sort -n | head -n 1 | sed "s/.*/&\t$what/"
}

size()
{
    # size WHAT FILE: in KiB, rounded up
    cp "$2" stripped
    case $2 in *.ptx | *.hsaco) ;; *) strip stripped ;; esac
    printf '%d\t%s\n' $((($(stat -c %s stripped) + 1023) / 1024)) "$1"
}

echo 'seconds'
# shellcheck disable=SC2086 # several flags
seconds 'libaccel: the program' cc -O2 $flags -c "$source/jacobi.c" -o jacobi.o
# shellcheck disable=SC2086
seconds 'libaccel: linking it' cc jacobi.o -o jacobi $libs
seconds 'libaccel: the kernels, for x86-64-v3' "$accel/bin/accelcc" --targets=x86-64-v3 -o jacobi "$source/jacobi.k.c"
seconds 'libaccel: the kernels, for x86-64, -v3 and -v4' "$accel/bin/accelcc" -o jacobi "$source/jacobi.k.c"
targets='x86-64 x86-64-v3 x86-64-v4'
for target in compute_75 gfx90a; do
    "$accel/bin/accelcc" --print-targets | grep -q "^$target " || continue
    seconds "libaccel: the kernels, for $target" "$accel/bin/accelcc" --targets=$target -o jacobi "$source/jacobi.k.c"
    targets="$targets $target"
done
echo "result: $(./jacobi)"
if [ -n "$kokkos" ]; then
    core=$(find "$kokkos" -name libkokkoscore.a)
    seconds 'Kokkos: program and kernels, for x86-64-v3' \
        c++ -O2 -std=c++17 -march=x86-64-v3 -fopenmp "-I$kokkos/include" -c "$source/jacobi.cpp" -o kokkos.o
    seconds 'Kokkos: linking it' c++ -fopenmp kokkos.o -o kokkos "$core" -ldl
    echo "result: $(OMP_NUM_THREADS=2 OMP_PROC_BIND=false ./kokkos)"
fi

echo 'KiB'
size 'the program' jacobi
for target in $targets; do
    size "its kernels, $target" "$(echo jacobi."$target".*)"
done
[ -z "$kokkos" ] || size 'with Kokkos: all in one' kokkos
size libaccel.so "$lib/libaccel.so.1"
find "$lib/accel" -path '*/bench' -prune -o -type f '(' -name '*.so' -o -name '*.ptx' -o -name '*.hsaco' ')' -print |
    sort | while read -r file; do
    size "${file#"$lib/"}" "$file"
done
