#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Objects for the other architecture, where a cross compiler is installed. Usage: accelcc_cross.sh TESTS_DIR ACCELCC
tests=$1 accelcc=$(realpath "$2")
. "$tests/tap.sh"
. "$tests/kernels.sh"
native=$("$accelcc" --print-targets | awk '$2 ~ /^\// {print $1; exit}')
if [ "$native" = x86-64 ]; then
    other=aarch64 machine=AArch64
else
    other=x86-64 machine=X86-64
fi
if "$accelcc" --print-targets | grep -q "^$other  *no compiler"; then
    echo "1..0 # SKIP no cross compiler for $other"
    exit 0
fi

the_other_architecture_is_compiled_by_the_cross_compiler() {
    axpy_sources
    status 0 "$accelcc" -o blas1 axpy.k.c --targets=$other,$native
    readelf -h blas1.$other.so | grep -q "Machine:.*$machine" || fail "$(readelf -h blas1.$other.so)"
    nm -D blas1.$other.so | grep -q accel_descriptor_axpy || fail "no kernel"
}

all_means_every_target_with_a_compiler_but_check() {
    axpy_sources
    status 0 "$accelcc" -o blas1 axpy.k.c --targets=all
    for target in $("$accelcc" --print-targets | awk '$2 ~ /^\// && $1 !~ /_[0-9]|^gfx|^check$/ {print $1}'); do
        [ -f "blas1.$target.so" ] || fail "$target is missing"
    done
    ! [ -e blas1.check.so ] || fail "an object that nobody ships was made"
}

lint_works_with_the_cross_compiler() {
    axpy_sources
    region_source return
    status 1 "$accelcc" -o blas1 region.k.c --targets=$other
    says err "region.k.c:8:"
}

flags_for_the_wrong_machine_are_seen() {
    [ "$native" = x86-64 ] || skip "-m32 is for x86-64"
    axpy_sources
    status 1 "$accelcc" -o blas1 axpy.k.c --targets=x86-64 --cc-for=x86-64="${CC:-gcc} -m32"
    says err "not for x86-64"
}

run_tests the_other_architecture_is_compiled_by_the_cross_compiler all_means_every_target_with_a_compiler_but_check \
    lint_works_with_the_cross_compiler flags_for_the_wrong_machine_are_seen
