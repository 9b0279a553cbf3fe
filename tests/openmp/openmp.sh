#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# cpu-omp in programs that use OpenMP themselves, from either compiler, and without any runtime.
# Usage: openmp.sh TESTS_DIR LIBACCEL ACCEL_INFO KERNEL_DIR
tests=$1 library=$(realpath "$2") info=$(realpath "$3")
ACCEL_KERNEL_PATH=$(realpath "$4")
export ACCEL_KERNEL_PATH
chosen=
unset ACCEL_BACKEND ACCEL_OMP_LIBRARY OMP_NUM_THREADS OMP_SCHEDULE
. "$tests/tools/tap.sh"

# compile COMPILER OUT OPTION...: skips the test if the compiler, or its OpenMP, is not here.
compile() {
    compiler=$1 out=$2
    shift 2
    command -v "$compiler" >path || skip "no $compiler"
    if [ ! -e "checked-$compiler" ]; then
        echo 'int main(void) { return 0; }' >empty.c
        "$compiler" -fopenmp empty.c -o empty 2>checked || skip "$compiler has no OpenMP"
        mv checked "checked-$compiler"
    fi
    "$compiler" -std=c11 -O2 -o "$out" "$@" -I "$tests/../include" -I "$tests/conformance"
}
program() { # COMPILER OUT OPTION...
    compiler=$1 out=$2
    shift 2
    compile "$compiler" "$out" "$tests/openmp/program.c" "$@" "$library" -Wl,-rpath,"$(dirname "$library")" -ldl
}
second() { # COMPILER OUT OPTION...
    compiler=$1 out=$2
    shift 2
    compile "$compiler" "$out" -shared -fPIC "$tests/openmp/second.c" "$@"
}

# run THREADS PROGRAM RUNTIME [LIBRARY...]: with $chosen for ACCEL_OMP_LIBRARY
run() {
    status 0 env OMP_NUM_THREADS="$1" ACCEL_OMP_LIBRARY="$chosen" timeout 100 "$2" "$3" ${4+"$4"} ${5+"$5"}
    sed 's/^/# /' out
}

a_program_of_gcc_shares_its_runtime() {
    program gcc program -fopenmp
    run 2 ./program GNU
    run 7 ./program GNU
}

a_program_of_clang_shares_its_runtime() {
    program clang program -fopenmp
    run 2 ./program LLVM
    run 7 ./program LLVM
}

both_runtimes_are_in_a_program_of_gcc() {
    second clang libsecond.so -fopenmp
    program gcc program -fopenmp -DSECOND -L. -lsecond -Wl,-rpath,.
    run 3 ./program GNU
}

both_runtimes_are_in_a_program_of_clang() {
    second gcc libsecond.so -fopenmp
    program clang program -fopenmp -DSECOND -L. -lsecond -Wl,-rpath,.
    run 3 ./program LLVM
}

a_runtime_that_a_library_brought_is_shared() {
    second clang libsecond.so -fopenmp
    program gcc program
    run 3 ./program LLVM ./libsecond.so
    second gcc libfirst.so -fopenmp
    run 3 ./program GNU ./libfirst.so
    run 3 ./program GNU ./libsecond.so ./libfirst.so
}

# As wheels of Python bring it: libgomp by another name, in its own word for itself, too, and without its usual name in the
# process. The two names have the same length.
a_runtime_by_another_name_is_shared() {
    compile gcc empty.so -shared -fPIC "$tests/openmp/second.c" -fopenmp
    libgomp=$(realpath "$(gcc -print-file-name=libgomp.so.1)")
    [ -f "$libgomp" ] || skip "libgomp's file is not found"
    LC_ALL=C sed 's/libgomp\.so\.1/libgomp-x.so/g' "$libgomp" >libgomp-x.so
    compile gcc second.o -c -fPIC "$tests/openmp/second.c" -fopenmp
    compile gcc libsecond.so -shared second.o -L. -l:libgomp-x.so -Wl,-rpath,"$PWD"
    program gcc program
    run 3 ./program "by GNU libgomp-x.so" ./libsecond.so
}

a_program_without_OpenMP_has_one_loaded() {
    program gcc program
    run 2 ./program OpenMP
}

an_explicit_choice_is_kept_or_refused() {
    second clang libsecond.so -fopenmp # whether clang's is here
    program gcc program -fopenmp
    chosen=libomp.so.5
    run 2 ./program LLVM
    program clang other -fopenmp
    chosen=libgomp.so.1
    run 2 ./other GNU
    status 1 env ACCEL_OMP_LIBRARY=libm.so.6 ./program GNU
    says err "libm.so.6 (has no GOMP_parallel)"
}

without_a_runtime_the_backend_says_what_was_tried() {
    status 0 env ACCEL_OMP_LIBRARY=/nowhere/libomp.so "$info" --backends --json
    python3 -c 'import json
b = next(b for b in json.load(open("out"))["backends"] if b["name"] == "cpu-omp")
assert not b["usable"] and b["state"] == "no driver", b
assert "tried /nowhere/libomp.so (cannot open" in " ".join(b["reason"]), b' || fail "$(cat out)"
}

accel_info_says_which_runtime_it_is() {
    status 0 "$info" --devices
    says out "OpenMP"
}

run_tests a_program_of_gcc_shares_its_runtime a_program_of_clang_shares_its_runtime both_runtimes_are_in_a_program_of_gcc \
    both_runtimes_are_in_a_program_of_clang a_runtime_that_a_library_brought_is_shared \
    a_runtime_by_another_name_is_shared a_program_without_OpenMP_has_one_loaded an_explicit_choice_is_kept_or_refused \
    without_a_runtime_the_backend_says_what_was_tried accel_info_says_which_runtime_it_is
