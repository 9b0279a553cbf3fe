#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# accelcc finds its headers in an installed prefix, also a moved one. Usage: accelcc_installed.sh TESTS_DIR ACCELCC INCLUDE_DIR
tests=$1 accelcc=$(realpath "$2") include=$3
. "$tests/tap.sh"
. "$tests/kernels.sh"

# Lays out a prefix as installing does.
install_prefix() {
    mkdir -p "$1/bin" "$1/include"
    cp "$accelcc" "$1/bin/accelcc"
    cp -r "$include/accel" "$1/include/accel"
}

a_prefix_uses_its_own_headers() {
    axpy_sources
    install_prefix "$PWD/prefix"
    status 0 prefix/bin/accelcc -o blas1 axpy.k.c --targets=native-levels -MD
    says blas1.d "$PWD/prefix/include/accel/kernel.h"
}

a_moved_prefix_uses_the_headers_that_moved_with_it() {
    axpy_sources
    install_prefix "$PWD/before"
    mv before "moved to"
    status 0 "moved to/bin/accelcc" -o blas1 axpy.k.c --targets=native-levels -MD
    says blas1.d 'moved\ to/include/accel/kernel.h'
}

a_link_to_the_tool_finds_the_headers_of_the_tool() {
    axpy_sources
    install_prefix "$PWD/prefix"
    mkdir bin
    ln -s ../prefix/bin/accelcc bin/accelcc
    status 0 bin/accelcc -o blas1 axpy.k.c --targets=native-levels -MD
    says blas1.d "prefix/include/accel/kernel.h"
}

run_tests a_prefix_uses_its_own_headers a_moved_prefix_uses_the_headers_that_moved_with_it \
    a_link_to_the_tool_finds_the_headers_of_the_tool
