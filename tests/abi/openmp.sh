#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# OpenMP stays out of every object: no symbol of it, and no runtime among what is needed. The plugin cpu-omp, too, finds its
# functions at run time. Usage: openmp.sh [uses PROGRAM] FILE...: PROGRAM uses OpenMP, and so shows that it would be seen.
set -eu

# Prints what the file has of OpenMP.
openmp_of() {
    LC_ALL=C nm -D "$1" | awk '{ print $NF }' | grep -E '^(GOMP|GOACC|omp|ompt|kmpc?|__kmpc?)_' || true
    LC_ALL=C readelf -dW "$1" | sed -n 's/.*(NEEDED).*\[\(lib[gi]*omp.*\)\]/\1/p'
}

if [ "$1" = uses ]; then
    seen=$(openmp_of "$2")
    [ -n "$(echo "$seen" | grep '_')" ] && [ -n "$(echo "$seen" | grep '^lib')" ] ||
        { echo "$2 uses OpenMP, but only this was seen of it: $seen" >&2; exit 1; }
    shift 2
fi
[ $# -gt 0 ]
for file; do
    seen=$(openmp_of "$file")
    [ -z "$seen" ] || { echo "$file: OpenMP:" $seen >&2; exit 1; }
    echo "$file"
done
