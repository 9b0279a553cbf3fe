#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Programs built by Make and pkg-config, from an installed prefix that was moved, with a space in its path.
# Usage: make.sh TOOLS_TESTS_DIR SOURCE_ROOT BUILD_ROOT
tests=$1 source_root=$(realpath "$2") build=$(realpath "$3")
command -v make >/dev/null || { echo '1..0 # SKIP there is no make; install it (Debian: make)'; exit 0; }
. "$tests/tap.sh"
. "$(dirname "$0")/installed.sh"
export LD_LIBRARY_PATH="$lib"

the_example_vector_add_has_a_makefile() {
    cp -r "$source_root/examples/vector-add" here
    status 0 make -C here "TARGETS=$native"
    status 0 here/vector-add
    says out verified
    touch mark
    status 0 make -C here "TARGETS=$native"
    ! newer "here/vector-add.kernels-$native" || fail "it was made again without reason"
    echo '/* changed */' >>here/vector-add.h
    status 0 make -C here "TARGETS=$native"
    newer "here/vector-add.kernels-$native" || fail "a changed header changed nothing"
    status 0 make -C here "TARGETS=$native,check"
    [ -f here/vector-add.check.so ] || fail "another target made no object"
    touch mark
    echo '/* changed */' >>here/vector-add.h
    status 0 make -C here "TARGETS=$native"
    newer "here/vector-add.kernels-$native" || fail "other targets took its dependency file"
    status 0 make -C here clean
    [ -z "$(find here -name '*.so' -o -name '*.d' -o -name 'vector-add.kernels*')" ] || fail "left: $(ls here)"
}

the_example_cg_has_a_makefile() {
    cp -r "$source_root/examples/cg" here
    status 0 make -C here "TARGETS=$native"
    status 0 here/cg --size 8 8 8 --iterations 20
    says out verified
}

the_example_reduction_has_a_makefile() {
    cp -r "$source_root/examples/reduction" here
    status 0 make -C here "TARGETS=$native"
    status 0 here/reduction --elements 100000
    says out verified
}

the_example_histogram_has_a_makefile() {
    cp -r "$source_root/examples/histogram" here
    status 0 make -C here "TARGETS=$native"
    status 0 here/histogram --elements 100000
    says out verified
}

the_example_nbody_has_a_makefile() {
    cp -r "$source_root/examples/nbody" here
    status 0 make -C here "TARGETS=$native"
    status 0 here/nbody --side 8 --steps 2
    says out verified
}

the_example_dgemm_has_a_makefile() {
    cp -r "$source_root/examples/dgemm" here
    status 0 make -C here "TARGETS=$native"
    status 0 here/dgemm --size 64 --repeat 1
    says out verified
}

the_example_image_has_a_makefile() {
    pkg-config --exists libpng || return 0
    cp -r "$source_root/examples/image" here
    status 0 make -C here "TARGETS=$native"
    status 0 here/image here/photo.png
    says out verified
}

the_example_interop_has_a_makefile() {
    cp -r "$source_root/examples/interop" here
    status 0 make -C here "TARGETS=$native"
    status 0 here/interop --size 64
    says out verified
    says out 'OpenMP, threads'
}

the_example_hello_has_a_makefile() {
    cp -r "$source_root/examples/hello" here
    status 0 make -C here "TARGETS=$native"
    status 0 here/hello
    says out verified
}

the_example_heat_has_a_makefile() {
    cp -r "$source_root/examples/heat" here
    status 0 make -C here "TARGETS=$native"
    status 0 here/heat --side 64 --steps 20 --every 5
    says out verified
}

the_example_amplified_emission_has_a_makefile() {
    cp -r "$source_root/examples/amplified-emission" here
    status 0 make -C here "TARGETS=$native"
    status 0 here/amplified-emission --side 2 --layers 1 --rays 1000
    says out verified
}

the_example_multi_has_a_makefile() {
    cp -r "$source_root/examples/multi" here
    status 0 make -C here "TARGETS=$native"
    status 0 here/multi --width 64 --height 64
    says out verified
}

the_example_vector_add_cpp_has_a_makefile() {
    command -v c++ >/dev/null || return 0
    cp -r "$source_root/examples/vector-add-cpp" here
    status 0 make -C here CXX=c++ "TARGETS=$native"
    status 0 here/vector-add-cpp
    says out verified
}

libaccels_own_kernels_move_with_the_prefix_and_can_be_made_again() {
    own=$lib/accel/kernels/accel-algorithms.$native.so
    status 0 env ACCEL_BACKEND=cpu-serial "$prefix/bin/accel-info" --json --objects --library accel-algorithms
    says out "\"$own\""
    rm "$own"
    cd "$lib/accel/kernels"
    status 0 "$prefix/bin/accelcc" -o accel-algorithms "--targets=$native" -Isrc src/kernels/*.k.c
    [ -f "$own" ] || fail "$own was not made"
}

run_tests libaccels_own_kernels_move_with_the_prefix_and_can_be_made_again the_example_vector_add_has_a_makefile \
    the_example_vector_add_cpp_has_a_makefile the_example_cg_has_a_makefile the_example_reduction_has_a_makefile \
    the_example_histogram_has_a_makefile the_example_nbody_has_a_makefile the_example_heat_has_a_makefile \
    the_example_hello_has_a_makefile the_example_amplified_emission_has_a_makefile the_example_multi_has_a_makefile \
    the_example_dgemm_has_a_makefile the_example_image_has_a_makefile the_example_interop_has_a_makefile
