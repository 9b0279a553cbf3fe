#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Compiles kernels for the simulated GPU into one host shared object, with every definition of accel/kernel.h as CUDA or
# HIP have it. Needs g++.
#
#     compile.sh G++ cuda|hip INCLUDE OUT.so DEPFILE X.k.c...
#
# -O1, and none of the transformations that copy or merge code: lanes meet where the code is the same, as on a GPU.
set -eu
compiler=$1 form=$2 include=$3 out=$4 depfile=$5
shift 5
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
case $form in
cuda) macro=__CUDACC__ ;;
hip) macro=__HIP__ ;;
*) echo "compile.sh: $form is neither cuda nor hip" >&2; exit 1 ;;
esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# compile LANGUAGE SOURCE OBJECT DEPENDENCIES
compile() {
    "$compiler" -x "$1" -std=c++17 -O1 -fPIC -fno-tree-ch -fno-thread-jumps -fno-reorder-blocks \
        -fno-guess-branch-probability -fno-crossjumping -fno-strict-aliasing \
        -ffp-contract=fast -Wall -Wextra -Wno-attributes -Wno-unknown-pragmas -Werror -D$macro -I "$here/clang" \
        -I "$include" -I "$(dirname "$include")/src" -include "$words" -MD -MF "$4" -MT "$out" \
        -c -o "$3" "$2"
}
# What all sources begin with is compiled once.
words=$here/${form}_words.h
printf '#include "%s"\n#include <accel/kernel.h>\n' "$words" >"$work/words.h"
compile c++-header "$work/words.h" "$work/words.h.gch" "$work/0.d"
words=$work/words.h
n=0
for source in "$here/object.cpp" "$@"; do
    n=$((n + 1))
    compile c++ "$source" "$work/$n.o" "$work/$n.d"
done
"$compiler" -shared -Wl,-Bsymbolic -Wl,--as-needed -o "$out" "$work"/*.o
sed "s|$work/words.h||" "$work"/*.d >"$depfile"
