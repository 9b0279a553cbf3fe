#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Compiles libaccel's own kernels for GPUs and writes the list of their files.
# usage: compile_gpu.sh WISH LIST DEPFILE SOURCE... -- ACCELCC [OPTION...]
# WISH is targets of accelcc, or `auto`: the PTX that runs on most GPUs, and AMD's of today's clusters, as far as a compiler
# here makes them.
set -eu
wish=$1 list=$2 dependencies=$3
shift 3
sources=
while [ "$1" != -- ]; do
    sources="$sources
$1"
    shift
done
shift
output=${list%.*}

# The targets of a list that `accelcc --print-targets` names: the first alone, or all.
first() { for target; do case $known in *" $target "*) echo "$target" && return ;; esac done; }
all() { for target; do case $known in *" $target "*) echo "$target" ;; esac done; }
if [ "$wish" = auto ]; then
    known=" $("$1" --print-targets | awk '$2 ~ /^\// {printf "%s ", $1}')"
    wish=$(
        first compute_75 compute_70
        all gfx90a gfx942 gfx1030 gfx1100
    )
    wish=$(echo $wish | tr ' ' ,)
fi
rm -f "$output".*.ptx "$output".*.cubin "$output".*.hsaco
: >"$dependencies"
if [ -n "$wish" ]; then
    IFS='
'
    "$@" -o "$output" --targets="$wish" -MD -MF "$dependencies" -MT "$list" $sources
fi
for object in "$output".*.ptx "$output".*.cubin "$output".*.hsaco; do
    [ ! -e "$object" ] || basename "$object"
done >"$list"
