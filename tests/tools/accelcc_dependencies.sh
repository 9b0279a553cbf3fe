#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Dependency files. Usage: accelcc_dependencies.sh TESTS_DIR ACCELCC
tests=$1 accelcc=$(realpath "$2")
. "$tests/tap.sh"
. "$tests/kernels.sh"
native=$("$accelcc" --print-targets | awk '$2 ~ /^\// {print $1; exit}')

a_dependency_file_names_all_sources_and_headers_of_all_targets() {
    axpy_sources
    echo '/* empty */' >level.h
    printf '#ifdef __AVX2__\n#include "level.h"\n#endif\n' >>axpy.k.c
    status 0 "$accelcc" -o blas1 axpy.k.c scale.k.c --targets=native-levels -MD
    for name in axpy.k.c scale.k.c axpy.h accel/kernel.h accel/object.h; do
        says blas1.d "$name"
    done
    if [ "$native" = x86-64 ]; then
        says blas1.d level.h
    fi
    [ "$(grep -c 'accel/kernel.h' blas1.d)" -eq 1 ] || fail "headers are named twice"
}

its_rule_is_for_the_outputs_unless_mt_says_otherwise() {
    axpy_sources
    status 0 "$accelcc" -o ./blas1 axpy.k.c --targets="$native" -MD
    says blas1.d "./blas1.$native.so: \\"
    status 0 "$accelcc" -o blas1 axpy.k.c --targets="$native" -MD -MF other.d -MT first -MT second
    says other.d "first second: \\"
    status 0 "$accelcc" --embed -o blas1 axpy.k.c --targets="$native" -MD -MP
    says blas1.d "blas1.o: \\"
    grep -q '^axpy.h:$' blas1.d || fail "-MP has no empty rule"
    says_not blas1.d "axpy.k.c:"
}

make_rebuilds_when_a_header_changes() {
    command -v make >make.path || skip "no make"
    mkdir "a dir"
    axpy_sources
    mv axpy.h "a dir/axpy.h"
    cat >Makefile <<MAKE
blas1.$native.so: axpy.k.c
	$accelcc -o blas1 axpy.k.c -I"a dir" --targets=$native -MD -MP
-include blas1.d
MAKE
    status 0 make
    status 0 make -q
    sleep 1
    touch "a dir/axpy.h"
    status 1 make -q
    status 0 make
    status 0 make -q
    rm "a dir/axpy.h"
    touch axpy.h
    status 1 make -q
}

# ninja_file DEPS-LINE
ninja_rebuilds() {
    command -v ninja >ninja.path || skip "no ninja"
    axpy_sources
    cat >build.ninja <<NINJA
rule accelcc
  command = $accelcc -o blas1 axpy.k.c --targets=$native -MD -MF blas1.d
  depfile = blas1.d
$1
build blas1.$native.so: accelcc axpy.k.c
NINJA
    status 0 ninja
    status 0 ninja -n
    says out "no work to do"
    sleep 1
    touch axpy.h
    status 0 ninja -n
    says_not out "no work to do"
}

ninja_rebuilds_when_a_header_changes() {
    ninja_rebuilds ""
}

ninja_with_its_own_log_as_meson_uses_it_does_too() {
    ninja_rebuilds "  deps = gcc"
}

cmake_rebuilds_when_a_header_changes() {
    command -v cmake >cmake.path || skip "no cmake"
    command -v ninja >ninja.path || skip "no ninja"
    axpy_sources
    cat >CMakeLists.txt <<CMAKE
cmake_minimum_required(VERSION 3.20)
project(test NONE)
add_custom_command(OUTPUT blas1.$native.so DEPFILE blas1.d DEPENDS axpy.k.c
  COMMAND $accelcc -o blas1 \${CMAKE_CURRENT_SOURCE_DIR}/axpy.k.c --targets=$native -MD -MF blas1.d)
add_custom_target(kernels ALL DEPENDS blas1.$native.so)
CMAKE
    status 0 cmake -G Ninja -S . -B build
    status 0 ninja -C build
    status 0 ninja -C build -n
    says out "no work to do"
    sleep 1
    touch axpy.h
    status 0 ninja -C build -n
    says_not out "no work to do"
}

a_dependency_file_that_cannot_be_written_is_an_error_and_changes_nothing() {
    axpy_sources
    status 1 "$accelcc" -o blas1 axpy.k.c --targets="$native" -MD -MF nowhere/blas1.d
    says err '"nowhere/blas1.d" cannot be written: No such file or directory'
    [ ! -e "blas1.$native.so" ] || fail "an output is there"
    tidy
}

dependencies_go_into_devices_pipes_and_what_links_name() {
    axpy_sources
    mkdir elsewhere
    ln -s elsewhere/real.d link.d
    status 1 "$accelcc" -o blas1 axpy.k.c --targets="$native" -MD -MF link.d
    says err '"link.d" cannot be written: it is a link to a file that is not there'
    touch elsewhere/real.d
    status 0 "$accelcc" -o blas1 axpy.k.c --targets="$native" -MD -MF link.d
    [ -L link.d ] || fail "the link is gone"
    says elsewhere/real.d "blas1.$native.so: \\"
    mkfifo pipe
    cat pipe >got &
    status 0 "$accelcc" -o blas1 axpy.k.c --targets="$native" -MD -MF pipe
    wait
    [ -p pipe ] || fail "the pipe is gone"
    says got "blas1.$native.so: \\"
    status 0 "$accelcc" -o blas1 axpy.k.c --targets="$native" -MD -MF /dev/stdout
    says out "blas1.$native.so: \\"
    tidy
}

no_file_of_the_run_is_overwritten_by_its_dependencies() {
    axpy_sources
    cp axpy.k.c before
    for name in axpy.k.c ./axpy.k.c; do
        status 1 "$accelcc" -o blas1 axpy.k.c --targets="$native" -MD -MF $name
        says err "\"$name\" cannot be written: it is a source; choose another name with -MF"
    done
    cmp axpy.k.c before || fail "the source is gone"
    cp axpy.h before
    mv axpy.h 'a $x#py.h'
    ln -s 'a $x#py.h' axpy.h
    for name in axpy.h 'a $x#py.h'; do
        sed "s/\"axpy.h\"/\"$name\"/" axpy.k.c >named.k.c
        status 1 "$accelcc" -o named named.k.c --targets="$native" -MD -MF 'a $x#py.h'
        says err '"a $x#py.h" cannot be written: the kernels include it; choose another name with -MF'
    done
    cmp axpy.h before || fail "the header is gone"
    status 1 "$accelcc" -o blas1 axpy.k.c --targets="$native" -MD -MF "$PWD/blas1.$native.so"
    says err "an object of this run has the same name"
    [ ! -e "blas1.$native.so" ] || fail "an output is there"
    tidy
}

run_tests dependencies_go_into_devices_pipes_and_what_links_name no_file_of_the_run_is_overwritten_by_its_dependencies \
    a_dependency_file_names_all_sources_and_headers_of_all_targets \
    its_rule_is_for_the_outputs_unless_mt_says_otherwise make_rebuilds_when_a_header_changes \
    ninja_rebuilds_when_a_header_changes ninja_with_its_own_log_as_meson_uses_it_does_too \
    cmake_rebuilds_when_a_header_changes a_dependency_file_that_cannot_be_written_is_an_error_and_changes_nothing
