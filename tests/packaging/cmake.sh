#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# find_package(accel) and accel_add_kernels, from an installed prefix that was moved. All paths here have spaces in them.
# Usage: cmake.sh TOOLS_TESTS_DIR SOURCE_ROOT BUILD_ROOT
tests=$1 source_root=$(realpath "$2") build=$(realpath "$3")
command -v cmake >/dev/null || { echo '1..0 # SKIP there is no cmake; install it (Debian: cmake)'; exit 0; }
. "$tests/tap.sh"
. "$(dirname "$0")/installed.sh"
CMAKE_PREFIX_PATH=$prefix
export CMAKE_PREFIX_PATH

# project LINE...: a project that finds libaccel, with the lines behind that.
project() {
    printf '%s\n' 'cmake_minimum_required(VERSION 3.21)' 'project(test LANGUAGES C)' 'find_package(accel 1.0 REQUIRED)' \
        "$@" >"a project/CMakeLists.txt"
}

# configure SOURCE BUILD: of a project without a language. CMake has asked no compiler then for the folder below lib that
# libaccel may be installed in.
configure() {
    cmake "-DCMAKE_LIBRARY_ARCHITECTURE=$(basename "$lib")" -S "$1" -B "$2"
}

# refuses TEXT LINE...: configuring a project with these lines fails, and says so. It needs no compiler.
refuses() {
    text=$1
    shift
    mkdir -p refused
    touch refused/a.c refused/a.k.c
    printf '%s\n' 'cmake_minimum_required(VERSION 3.21)' 'project(refused LANGUAGES NONE)' "$@" >refused/CMakeLists.txt
    status 1 configure refused refused/build
    tr -s ' \n' '  ' <err >words # CMake breaks lines
    says words "$text"
}

# The project of two libraries, one embedded, with a generator; everything is made again when a header changed, and only then.
builds_with() {
    two_libraries "a project"
    finder "a project/find.c"
    project 'add_executable(find find.c)' 'target_link_libraries(find PRIVATE accel::accel)' \
        'accel_add_kernels(find SOURCES kernels/scale.k.c kernels/shift.k.c TARGETS '$native' OPTIONS -DUNUSED=1 DESTINATION "a place")' \
        'accel_add_kernels(find NAME add SOURCES vector-add.k.c TARGETS '$native')' \
        'add_executable(embedded find.c)' 'target_link_libraries(embedded PRIVATE accel::accel)' \
        'target_compile_definitions(embedded PRIVATE EMBEDDED)' \
        'set_target_properties(embedded PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/else where")' \
        'accel_add_kernels(embedded SOURCES kernels/scale.k.c kernels/shift.k.c EMBED TARGETS '$native')' \
        'install(TARGETS find DESTINATION "a place")'
    # From CMake 3.27 on linkers tell what they read, but do not quote the spaces of its paths: it would be missing each time.
    status 0 cmake -G "$1" -S "a project" -B "a build" -DCMAKE_INSTALL_RPATH_USE_LINK_PATH=TRUE \
        -DCMAKE_LINK_DEPENDS_USE_LINKER=FALSE
    status 0 cmake --build "a build" -j 2
    [ "$("a build/find")" = found ] || fail "find"
    [ "$("a build/else where/embedded")" = found ] || fail "embedded"
    kernel=$(ls "a build"/scale.*.so | head -n 1)
    object="a build/CMakeFiles/embedded.kernels/scale.o"
    cp "$object" before.o

    touch mark
    status 0 cmake --build "a build"
    ! newer "$kernel" || fail "it was made again without reason: $(cat out)"
    sed -i 's/2.0f/3.0f/' "a project/kernels/scale.h"
    status 0 cmake --build "a build" -j 2
    newer "$kernel" || fail "a changed header changed nothing: $(cat out)"
    ! cmp -s "$object" before.o || fail "a changed header changed no embedded kernel"
    newer "a build/else where/embedded" || fail "it was not linked again"
    ! newer "a build/find" || fail "a program is linked again for kernels beside it"

    status 0 cmake --install "a build" --prefix "$PWD/in stalled"
    [ "$("in stalled/a place/find")" = found ] || fail "installed"
    [ ! -e "in stalled/a place/add.$native.so" ] || fail "it has no DESTINATION"
}

kernels_are_built_and_built_again_by_ninja() {
    command -v ninja >ninja.path || skip "no ninja"
    builds_with Ninja
}

kernels_are_built_and_built_again_by_make() {
    command -v make >make.path || skip "no make"
    builds_with "Unix Makefiles"
}

each_configuration_has_its_kernels_beside_its_program() {
    command -v ninja >ninja.path || skip "no ninja"
    two_libraries "a project"
    finder "a project/find.c"
    project 'add_executable(find find.c)' 'target_link_libraries(find PRIVATE accel::accel)' \
        'accel_add_kernels(find SOURCES kernels/scale.k.c kernels/shift.k.c TARGETS '$native' OPTIONS $<$<CONFIG:Debug>:-g>)'
    status 0 cmake -G "Ninja Multi-Config" -S "a project" -B "a build"
    status 0 cmake --build "a build" --config Debug
    [ "$("a build/Debug/find")" = found ] || fail "$(find "a build" -name 'scale*')"
    [ -z "$(find "a build/Release" -name 'scale*')" ] || fail "Release was built, too"
}

the_examples_have_projects_of_their_own() {
    for example in hello vector-add vector-add-cpp reduction histogram nbody heat amplified-emission multi dgemm image interop cg; do
        [ "$example" != vector-add-cpp ] || command -v c++ >/dev/null || continue
        [ "$example" != image ] || pkg-config --exists libpng || continue
        cp -r "$source_root/examples/$example" "the $example"
        status 0 cmake -S "the $example" -B "the $example/build"
        status 0 cmake --build "the $example/build"
        status 0 cmake --install "the $example/build" --prefix "$PWD/in stalled"
    done
    status 0 "in stalled/bin/hello"
    says out verified
    status 0 "in stalled/bin/vector-add"
    says out verified
    if command -v c++ >/dev/null; then
        status 0 "in stalled/bin/vector-add-cpp"
        says out verified
    fi
    status 0 "in stalled/bin/reduction" --elements 100000
    says out verified
    status 0 "in stalled/bin/histogram" --elements 100000
    says out verified
    status 0 "in stalled/bin/nbody" --side 8 --steps 2
    says out verified
    status 0 "in stalled/bin/heat" --side 64 --steps 20 --every 5
    says out verified
    status 0 "in stalled/bin/amplified-emission" --side 2 --layers 1 --rays 1000
    says out verified
    status 0 "in stalled/bin/multi" --width 64 --height 64
    says out verified
    status 0 "in stalled/bin/dgemm" --size 64 --repeat 1
    says out verified
    if pkg-config --exists libpng; then
        status 0 "in stalled/bin/image" "the image/photo.png"
        says out verified
    fi
    status 0 "in stalled/bin/interop" --size 64
    says out verified
    status 0 "in stalled/bin/cg" --size 8 8 8 --iterations 20
    says out verified
}

mistakes_are_answered_with_what_to_do() {
    found='find_package(accel REQUIRED)'
    program='add_executable(a a.c)'
    refuses 'there is no target "a". Call add_executable(a ...)' "$found" 'accel_add_kernels(a SOURCES a.k.c)'
    refuses 'there is no source. Name the kernel sources after SOURCES.' "$found" "$program" 'accel_add_kernels(a)'
    refuses '"a.k.c" belongs to no keyword. The kernel sources follow SOURCES.' "$found" "$program" 'accel_add_kernels(a a.k.c)'
    refuses 'NAME needs a value.' "$found" "$program" 'accel_add_kernels(a NAME SOURCES a.k.c)'
    refuses 'there is no source "b.k.c" in' "$found" "$program" 'accel_add_kernels(a SOURCES b.k.c)'
    refuses 'did you mean "x86-64"' "$found" "$program" 'accel_add_kernels(a SOURCES a.k.c TARGETS x86-66)'
    refuses 'Remove DESTINATION and OUTPUT_DIRECTORY, or EMBED.' "$found" "$program" \
        'accel_add_kernels(a SOURCES a.k.c EMBED DESTINATION bin)'
    refuses 'Add DESTINATION, or remove COMPONENT.' "$found" "$program" 'accel_add_kernels(a SOURCES a.k.c COMPONENT b)'
    refuses 'has a kernel library "a" already. Give this one another NAME.' "$found" "$program" \
        'accel_add_kernels(a SOURCES a.k.c)' 'accel_add_kernels(a SOURCES a.k.c)'
    refuses 'the target is another name of a. Call accel_add_kernels(a ...)' "$found" "$program" 'add_executable(b ALIAS a)' \
        'accel_add_kernels(b SOURCES a.k.c)'
    refuses 'nothing links an OBJECT_LIBRARY' "$found" 'add_library(a OBJECT a.c)' 'accel_add_kernels(a SOURCES a.k.c EMBED)'
    refuses 'NAME is "b/a". Give a name without "/"' "$found" "$program" 'accel_add_kernels(a NAME b/a SOURCES a.k.c)'
    for option in -o --embed --print-files --targets=hip -MD; do
        refuses "OPTIONS has \"$option\". Remove it" "$found" "$program" "accel_add_kernels(a SOURCES a.k.c OPTIONS $option)"
    done
    refuses 'the target is a INTERFACE_LIBRARY. Give a program or library' "$found" 'add_library(a INTERFACE)' \
        'accel_add_kernels(a SOURCES a.k.c)'
    refuses 'there is no /none. Install libaccel' 'set(ACCELCC /none)' "$found" "$program" 'accel_add_kernels(a SOURCES a.k.c)'
    refuses 'libaccel has no component "core". Call find_package(accel) without COMPONENTS' \
        'find_package(accel REQUIRED COMPONENTS core)'
    mkdir refused/below
    echo 'accel_add_kernels(a SOURCES ../a.k.c)' >refused/below/CMakeLists.txt
    refuses 'Call accel_add_kernels there.' "$found" "$program" 'add_subdirectory(below)'
}

versions_of_another_major_number_are_refused() {
    for good in 1 1.0 1.0.0 '1.0.0 EXACT' 1.0...2; do
        printf '%s\n' 'cmake_minimum_required(VERSION 3.21)' 'project(a LANGUAGES NONE)' \
            "find_package(accel $good REQUIRED)" >CMakeLists.txt
        status 0 configure . build
    done
    for bad in 0.9 1.99 2 1.1...1.9 0.1...0.9; do
        refuses 'compatible with requested version' "find_package(accel $bad REQUIRED)"
    done
}

a_prefix_that_was_torn_apart_is_refused() {
    mkdir -p part/lib/cmake
    cp -r "$lib/cmake/accel" part/lib/cmake
    refuses 'Install libaccel again, or move its whole prefix.' "find_package(accel REQUIRED PATHS \"$PWD/part\" NO_DEFAULT_PATH)"
}

run_tests kernels_are_built_and_built_again_by_ninja kernels_are_built_and_built_again_by_make \
    each_configuration_has_its_kernels_beside_its_program the_examples_have_projects_of_their_own \
    mistakes_are_answered_with_what_to_do versions_of_another_major_number_are_refused a_prefix_that_was_torn_apart_is_refused
