#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Code objects as clang makes them, and what the hip plugin reads in them; the simulated device is a gfx90a:sramecc+:xnack-.
# Usage: code_objects.sh SOURCE_ROOT ACCELCC ACCEL_INFO
root=$1 accelcc=$(realpath "$2") info=$(realpath "$3")
. "$root/tests/tools/tap.sh"

# make NAME TARGET
make() {
    "$accelcc" --print-targets | grep -q '^gfx1030  *\(/[^ ]*\)$' || skip "no clang for AMD GPUs with device libraries"
    "$accelcc" -o "$1" --targets="$2" "$root/tests/kernels/warp.k.c"
}

objects() {
    status 0 env ACCEL_KERNEL_PATH="$PWD" "$info" --objects
    tr '\n' ' ' <out | tr -s ' ' >line
}

an_object_under_its_own_name_is_chosen() {
    make warp gfx90a:xnack-
    objects
    says line 'chosen by hip:0, hip:1: best here: made for this processor'
}

an_object_under_the_name_of_another_processor_is_not() {
    make warp gfx1030
    mv warp.gfx1030.hsaco warp.gfx90a.hsaco
    objects
    says line 'not chosen by hip:0, hip:1: cannot run here: it was made for gfx1030, and is named for gfx90a'
}

nor_is_one_whose_features_are_not_in_its_name() {
    make warp gfx90a:xnack+
    mv warp.gfx90a:xnack+.hsaco warp.gfx90a.hsaco
    objects
    says line 'cannot run here: it was made for gfx90a:xnack+, and is named for gfx90a'
}

run_tests an_object_under_its_own_name_is_chosen an_object_under_the_name_of_another_processor_is_not \
    nor_is_one_whose_features_are_not_in_its_name
