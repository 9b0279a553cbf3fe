#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What accelcc makes. Usage: accelcc_build.sh TESTS_DIR ACCELCC
tests=$1 accelcc=$(realpath "$2")
. "$tests/tap.sh"
. "$tests/kernels.sh"
native=$("$accelcc" --print-targets | awk '$2 ~ /^\// {print $1; exit}')

# Kernels that an object exports, sorted.
kernels() {
    nm -D --defined-only "$1" | sed -n 's/.* accel_descriptor_//p' | sort | tr '\n' ' '
}

each_target_gets_its_own_file() {
    axpy_sources
    mkdir out.d
    status 0 "$accelcc" -o out.d/blas1 axpy.k.c --targets=native-levels
    for target in $("$accelcc" --print-targets | awk -v cc="$("$accelcc" --print-targets | awk '$2 ~ /^\// {print $2; exit}')" '$2 == cc {print $1}'); do
        [ "$target" != check ] || continue
        [ "$(kernels "out.d/blas1.$target.so")" = "axpy " ] || fail "no kernel axpy in $target: $(ls out.d)"
    done
    [ ! -s err ] || fail "accelcc said: $(cat err)"
    tidy
}

a_processor_that_replaces_the_targets_is_noted() {
    [ "$native" = x86-64 ] || skip "not an x86-64 compiler"
    axpy_sources
    status 0 "$accelcc" axpy.k.c --targets=x86-64,x86-64-v2 -march=native
    says err "-march=native: the object for x86-64 may have instructions that not every such CPU has"
    says err "native-levels"
    [ "$(wc -l <err)" -eq 1 ] || fail "accelcc said: $(cat err)"
    status 0 "$accelcc" axpy.k.c --targets=x86-64-v2 -march=x86-64-v2 -mtune=native
    [ ! -s err ] || fail "accelcc said: $(cat err)"
    tidy
}

objects_of_other_targets_that_are_older_than_a_source_are_named() {
    [ "$native" = x86-64 ] || skip "not an x86-64 compiler"
    axpy_sources
    touch axpy.other.x86-64-v4.so axpy.so
    status 0 "$accelcc" axpy.k.c --targets=x86-64,x86-64-v3
    status 0 "$accelcc" axpy.k.c --targets=x86-64
    [ ! -s err ] || fail "accelcc said: $(cat err)"
    touch -d '1 hour ago' axpy.x86-64-v3.so axpy.other.x86-64-v4.so axpy.so axpy.x86-64.so
    status 0 "$accelcc" axpy.k.c --targets=x86-64
    says err "axpy.x86-64-v3.so is older than axpy.k.c, and devices that take it run the old kernels"
    [ "$(wc -l <err)" -eq 1 ] || fail "accelcc said: $(cat err)"
    mkdir there
    mv axpy.x86-64-v3.so there
    status 0 "$accelcc" -o there/axpy axpy.k.c --targets=x86-64
    says err "there/axpy.x86-64-v3.so is older than axpy.k.c"
}

without_targets_the_usual_levels_are_made() {
    [ "$native" = x86-64 ] || skip "not an x86-64 compiler"
    axpy_sources
    status 0 "$accelcc" axpy.k.c
    [ "$(echo axpy.*.so)" = "axpy.x86-64-v3.so axpy.x86-64-v4.so axpy.x86-64.so" ] || fail "$(ls)"
}

target_check_is_instrumented_and_needs_no_runtime_library() {
    [ "$native" = x86-64 ] || skip "not an x86-64 compiler"
    axpy_sources
    status 0 "$accelcc" -o blas1 axpy.k.c scale.k.c --targets=check
    [ ! -s err ] || fail "accelcc said: $(cat err)"
    [ "$(ls blas1.*)" = blas1.check.so ] || fail "$(ls)"
    nm -D blas1.check.so >symbols
    says symbols accel_checked_object
    says_not symbols tsan
    nm blas1.check.so >symbols
    says symbols "t __tsan_"
}

# Of functions, also those that another source has, and of kernels, but not of other variables.
target_check_has_a_light_version_unless_it_is_left_out() {
    [ "$native" = x86-64 ] || skip "not an x86-64 compiler"
    axpy_sources
    cat >factor.k.c <<'SOURCE'
#include <accel/kernel.h>
ACCEL_GLOBAL(double, factor) = 2;
__attribute__((noinline)) double factor_of(double x);
__attribute__((noinline)) double factor_of(double x)
{
    return factor * x;
}
SOURCE
    cat >twice.k.c <<'SOURCE'
#include <accel/kernel.h>
#include "axpy.h"
double factor_of(double x);
ACCEL_KERNEL(twice, axpy_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n)
        args.y[i] = factor_of(args.x[i]);
}
SOURCE
    status 0 "$accelcc" -o blas1 twice.k.c factor.k.c --targets=check --no-lint
    nm blas1.check.so >symbols
    says symbols 'd accel_light.accel_descriptor_twice'
    says symbols 't accel_light.factor_of'
    says_not symbols 'U accel_light'
    [ "$(grep -c ' factor$' symbols)" = 1 ] || fail "factor: $(cat symbols)"
    nm -D blas1.check.so >symbols
    says_not symbols accel_light
    status 0 "$accelcc" -o blas1 twice.k.c factor.k.c --targets=check --no-lint --no-light
    nm blas1.check.so >symbols
    says symbols accel_descriptor_twice
    says_not symbols 'accel_light\.'
}

print_files_lists_what_is_written_and_writes_nothing() {
    axpy_sources
    mkdir 'out d'
    status 0 "$accelcc" -o 'out d/blas1' axpy.k.c --targets=native-levels --print-files
    mv out listed
    [ -z "$(ls 'out d')" ] || fail "written: $(ls 'out d')"
    status 0 "$accelcc" -o 'out d/blas1' axpy.k.c --targets=native-levels
    ls -d 'out d'/* | sort >written
    sort listed | cmp - written || fail "listed: $(cat listed); written: $(cat written)"
    status 0 "$accelcc" --embed -o blas1 axpy.k.c --print-files -MD
    [ "$(cat out)" = blas1.o ] || fail "$(cat out)"
    status 2 "$accelcc" -o blas1 axpy.k.c --targets=x86-66 --print-files
}

several_sources_become_one_library() {
    axpy_sources
    status 0 "$accelcc" -o blas1 axpy.k.c scale.k.c --targets="$native"
    [ "$(kernels "blas1.$native.so")" = "axpy scale " ] || fail "$(kernels "blas1.$native.so")"
}

cxx_sources_are_taken() {
    command -v g++ >g++.path || skip "no g++"
    axpy_sources
    mv axpy.k.c axpy.k.cpp
    status 0 "$accelcc" -o blas1 axpy.k.cpp scale.k.c --targets="$native"
    [ "$(kernels "blas1.$native.so")" = "axpy scale " ] || fail "$(kernels "blas1.$native.so")"
}

exp_source() {
    cat >exp.k.c <<'SOURCE'
#include <accel/kernel.h>
typedef struct { double *y; size_t n; } exp_args;
ACCEL_KERNEL(exponential, exp_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n)
        args.y[i] = exp(args.y[i]);
}
SOURCE
}

vector_mathematics_is_refused_where_there_is_none() {
    command -v gcc >/dev/null || skip "no gcc"
    exp_source
    status 1 "$accelcc" --cc="gcc -fno-tree-vectorize" --vector-math -o vector exp.k.c --targets="$native"
    says err "--vector-math"
    says err "libmvec"
    [ ! -e "vector.$native.so" ] || fail "an object was written"
}

an_object_with_fast_mathematics_leaves_its_loader_denormal_numbers() {
    case $native in x86-64) ;; *) skip "not an x86-64 compiler" ;; esac
    axpy_sources
    cat >load.c <<'SOURCE'
#include <dlfcn.h>
#include <stdio.h>
#include <xmmintrin.h>
int main(int argc, char **argv)
{
    unsigned before = _mm_getcsr();
    void *object = dlopen(argv[argc - 1], RTLD_NOW | RTLD_LOCAL);
    if (object == NULL)
        return fprintf(stderr, "%s\n", dlerror()), 2;
    return _mm_getcsr() != before;
}
SOURCE
    exp_source
    tried=
    for cc in gcc clang; do
        command -v $cc >/dev/null || continue
        tried=$cc
        $cc -o load load.c -ldl
        for flag in -ffast-math -funsafe-math-optimizations -Ofast --vector-math; do
            status 0 "$accelcc" --cc=$cc $flag -o fast axpy.k.c exp.k.c --targets="$native"
            status 0 ./load "./fast.$native.so"
        done
    done
    [ -n "$tried" ] || skip "neither gcc nor clang"
}

include_define_and_optimisation_flags_reach_the_compiler() {
    mkdir "include dir"
    echo 'typedef struct { double *y; } fill_args;' >"include dir/fill.h"
    cat >fill.k.c <<'SOURCE'
#include <accel/kernel.h>
#include <fill.h>
#ifdef __OPTIMIZE__
#error optimised
#endif
#ifdef REMOVED
#error defined
#endif
ACCEL_KERNEL(filled, fill_args, args)
{
    ACCEL_ONCE(acc)
        args.y[0] = VALUE;
}
SOURCE
    status 0 "$accelcc" -o fill fill.k.c --targets="$native" -I "include dir" -DVALUE=1.5 -DREMOVED -U REMOVED -O0 -std=c11 -Wall -g --sysroot /
    [ "$(kernels "fill.$native.so")" = "filled " ] || fail "$(kernels "fill.$native.so")"
    status 1 "$accelcc" -o fill fill.k.c --targets="$native" -I "include dir" -DVALUE=1.5
    says err "fill.k.c:4:2: error:"
}

sanitizer_flags_reach_compiler_and_linker() {
    axpy_sources
    echo 'int main(void) { return 0; }' >probe.c
    cc -fsanitize=undefined probe.c -o probe || skip "no UBSan here"
    status 0 "$accelcc" -o blas1 axpy.k.c --targets="$native" -fsanitize=undefined
    nm -D "blas1.$native.so" | grep -q __ubsan || fail "not sanitized"
}

paths_may_hold_spaces_and_quotes() {
    mkdir "a dir with 'quotes'"
    cd "a dir with 'quotes'"
    axpy_sources
    mv axpy.k.c "my axpy.k.c"
    mkdir "out put"
    status 0 "$accelcc" -o "out put/my blas" "my axpy.k.c" --targets="$native" -MD --verbose
    [ "$(kernels "out put/my blas.$native.so")" = "axpy " ] || fail "$(ls "out put")"
    says "out put/my blas.d" 'my\ axpy.k.c'
    says "out put/my blas.d" "out\\ put/my\\ blas.$native.so:"
    status 0 "$accelcc" --embed -o "out put/my blas.o" "my axpy.k.c" --targets="$native"
    nm "out put/my blas.o" | grep -q ' accel_bundle_my_blas$' || fail "$(nm "out put/my blas.o")"
}

objects_need_libc_and_mathematics_only() {
    axpy_sources
    status 0 "$accelcc" -o blas1 axpy.k.c --targets="$native"
    needed=$(readelf -d "blas1.$native.so" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | grep -v -e '^libc\.' -e '^libm\.' -e '^ld-' || true)
    [ -z "$needed" ] || fail "needs $needed"
}

a_program_keeps_the_file_it_has_open() {
    axpy_sources
    status 0 "$accelcc" -o blas1 axpy.k.c --targets="$native"
    exec 3<"blas1.$native.so"
    cksum <"blas1.$native.so" >before
    status 0 "$accelcc" -o blas1 axpy.k.c scale.k.c --targets="$native"
    cksum <&3 >after
    cmp before after
}

warnings_are_shown_once_for_all_targets() {
    [ "$native" = x86-64 ] || skip "not an x86-64 compiler"
    axpy_sources
    echo '#warning look here' >>axpy.k.c
    status 0 "$accelcc" -o blas1 axpy.k.c --targets=x86-64,x86-64-v2,x86-64-v3
    [ "$(grep -c 'warning:.*look here' err)" -eq 1 ] || fail "$(cat err)"
}

a_frame_that_is_larger_than_a_threads_stack_is_reported() {
    cat >frames.k.c <<'SOURCE'
#include <accel/kernel.h>
typedef struct { double *y; } frame_args;
ACCEL_THREAD_KERNEL(large, frame_args, args)
{
    double copy[3000];
    for (size_t i = 0; i < 3000; ++i)
        copy[i] = args.y[i];
    accel_sync_block(acc);
    for (size_t i = 0; i < 3000; ++i)
        args.y[i] = copy[2999 - i];
}
ACCEL_THREAD_KERNEL(small, frame_args, args)
{
    double copy[300];
    for (size_t i = 0; i < 300; ++i)
        copy[i] = args.y[i];
    accel_sync_block(acc);
    for (size_t i = 0; i < 300; ++i)
        args.y[i] = copy[299 - i];
}
ACCEL_KERNEL(block, frame_args, args)
{
    typedef double four[4];
    ACCEL_PRIVATE(acc, four, mine);
    ACCEL_THREADS(acc, t)
        ACCEL_MY(mine, t)[0] = args.y[t];
    ACCEL_THREADS(acc, t)
        args.y[t + 1] = ACCEL_MY(mine, t)[0];
}
SOURCE
    for compiler in "${CC:-cc}" clang; do
        command -v "${compiler%% *}" >found || continue
        status 0 "$accelcc" --cc="$compiler" -o frames frames.k.c --targets="$native"
        says err 'each thread of kernel "large" has 24'
        says err 'ACCEL_CPU_STACK_SIZE=28672'
        [ "$(wc -l <err)" -eq 1 ] || fail "$(cat err)"
    done
}

thread_kernels_that_never_synchronise_become_loops() {
    cat >forms.k.c <<'SOURCE'
#include <accel/kernel.h>
typedef struct { float *y; int often; } form_args;
ACCEL_FN void add(accel_thread_handle acc, float *y, int waits)
{
    y[accel_global_index(acc).x] += 1;
    if (waits)
        accel_sync_block(acc);
}
ACCEL_THREAD_KERNEL(alone, form_args, args) { add(acc, args.y, 0); }
ACCEL_THREAD_KERNEL_BLOCK(alone_block, form_args, args, 4, 8) { add(acc, args.y, 0); }
ACCEL_THREAD_KERNEL(together, form_args, args) { add(acc, args.y, 1); }
ACCEL_THREAD_KERNEL(perhaps, form_args, args) { add(acc, args.y, args.often); }
ACCEL_THREAD_KERNEL_BLOCK(votes, form_args, args, 4, 8) { args.y[0] = (float)accel_sync_block_or(acc, 1); }
SOURCE
    cp forms.k.c forms.k.cpp
    for compiler in "${CC:-cc}" clang; do
        command -v "${compiler%% *}" >found || continue
        for source in forms.k.c forms.k.cpp; do
            for more in "" "-g -O0"; do
                status 0 "$accelcc" --cc="$compiler" -o forms $source --targets="$native" $more
                readelf -sW "forms.$native.so" >symbols
                for kernel in alone alone_block; do
                    says symbols "accel_run_$kernel"
                    says_not symbols "accel_fiber_$kernel"
                done
                for kernel in together perhaps votes; do
                    says symbols "accel_fiber_$kernel"
                    says_not symbols "accel_run_$kernel"
                done
            done
        done
    done
}

keep_keeps_the_intermediate_files() {
    axpy_sources
    status 0 "$accelcc" -o blas1 axpy.k.c --targets="$native" --keep
    directory=$(sed -n 's/^accelcc: intermediate files are in //p' err)
    [ -f "$directory/$native-0-axpy.k.c.o" ] || fail "$(ls "$directory")"
}

the_built_in_compiler_choice_is_gcc_then_cc_then_clang() {
    axpy_sources
    mkdir bin
    for tool in as ld; do
        ln -s "$(command -v $tool)" bin/
    done
    ln -s "$(command -v gcc || command -v cc)" bin/cc
    unset CC
    PATH=$PWD/bin status 0 "$accelcc" -o blas1 axpy.k.c --targets="$native" --verbose
    says err "$PWD/bin/cc "
}

patterns_are_compiled_without_contraction() {
    command -v objdump >/dev/null 2>&1 || skip "no objdump"
    [ "$native" = x86-64 ] || skip "not an x86-64 compiler"
    cat >line.k.c <<'END'
#include <accel/kernel.h>
 # include <accel/kernel/pattern.h>
typedef struct { const double *x, *y; } line_args;
ACCEL_REDUCE(line, line_args, args, i, double, ACCEL_SUM) { return args.x[i] * args.y[i] + 3; }
END
    fused() { objdump -d line.x86-64-v3.so | grep -q vfm; }
    status 0 "$accelcc" line.k.c --targets=x86-64-v3
    ! fused || fail "a source with patterns was compiled with contraction"
    status 0 "$accelcc" line.k.c --targets=x86-64-v3 -ffp-contract=fast
    fused || fail "the command line does not take precedence"
    # gcc's vectoriser forgets the flag where a sum and a difference of products are neighbours.
    cat >turns.k.c <<'END'
#include <accel/kernel.h>
#include <accel/kernel/pattern.h>
typedef struct { double re, im; } turn;
typedef struct { const turn *x; } turn_args;
ACCEL_REDUCER(turn, turned, a, b, {1, 0})
{
    const turn r = {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
    return r;
}
ACCEL_SCAN(turns, turn_args, args, i, turn, turned) { return args.x[i]; }
END
    for target in x86-64-v3 x86-64-v4; do
        status 0 "$accelcc" turns.k.c --targets=$target
        ! objdump -d turns.$target.so | grep 'vfm' >code || fail "complex products are fused for $target: $(head -1 code)"
    done
    if ! "${CC:-cc}" --version | grep -q clang; then
        says err '"turns.k.c" for x86-64-v4: gcc'
        status 0 "$accelcc" turns.k.c --targets=x86-64-v4 -ffp-contract=fast
        [ ! -s err ] || fail "accelcc said: $(cat err)"
    fi
    # accelcc reads the source only, so another header cannot bring patterns in.
    sed 's/^ # include .*/#include "line.h"/' line.k.c >other.k.c
    echo '#include <accel/kernel/pattern.h>' >line.h
    status 1 "$accelcc" other.k.c --targets=x86-64-v3 -I.
    says err 'must include <accel/kernel/pattern.h>'
    for header in collective row; do
        echo "#include <accel/kernel/$header.h>" >line.h
        status 1 "$accelcc" other.k.c --targets=x86-64-v3 -I.
        says err "must include <accel/kernel/$header.h>"
    done
    cat >line.k.c <<'END'
#include <accel/kernel/row.h>
typedef struct { size_t n; const double *x; double *y; } line_args;
ACCEL_KERNEL(line, line_args, args)
{
    ACCEL_FOR_EACH_ROW(acc, row, args.n, 4)
        args.y[row] = accel_row_reduce(acc, 4, double, ACCEL_SUM, j, 0, row, args.x[j] * args.x[row]);
}
END
    status 0 "$accelcc" line.k.c --targets=x86-64-v3
    ! fused || fail "a source with rows was compiled with contraction"
}

assertions_leave_no_trace_in_objects_compiled_without() {
    assertion='ACCEL_ASSERT(acc, i < args.m);'
    mkdir with without
    cat >with/count.k.c <<END
#include <accel/kernel.h>
#include <accel/kernel/debug.h>
typedef struct { size_t n, m; int *y; } count_args;
ACCEL_KERNEL(count, count_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n) {
        $assertion
        args.y[i]++;
    }
}
ACCEL_THREAD_KERNEL(count_in_threads, count_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n) {
        $assertion
        accel_sync_block(acc);
        args.y[i]++;
    }
}
END
    grep -v 'ACCEL_ASSERT\|debug.h' with/count.k.c >without/count.k.c
    (cd with && status 0 "$accelcc" count.k.c --targets="$native" -DACCEL_NDEBUG -Wall -Wextra -Werror)
    (cd without && status 0 "$accelcc" count.k.c --targets="$native")
    cmp "with/count.$native.so" "without/count.$native.so" || fail "ACCEL_NDEBUG leaves something"
    (cd with && status 0 "$accelcc" count.k.c --targets="$native" -Wall -Wextra -Werror)
    ! cmp -s "with/count.$native.so" "without/count.$native.so" || fail "the assertions are not there"
}

run_tests each_target_gets_its_own_file a_processor_that_replaces_the_targets_is_noted \
    objects_of_other_targets_that_are_older_than_a_source_are_named \
    without_targets_the_usual_levels_are_made \
    target_check_is_instrumented_and_needs_no_runtime_library \
    target_check_has_a_light_version_unless_it_is_left_out \
    print_files_lists_what_is_written_and_writes_nothing several_sources_become_one_library \
    cxx_sources_are_taken an_object_with_fast_mathematics_leaves_its_loader_denormal_numbers \
    vector_mathematics_is_refused_where_there_is_none \
    include_define_and_optimisation_flags_reach_the_compiler sanitizer_flags_reach_compiler_and_linker \
    paths_may_hold_spaces_and_quotes objects_need_libc_and_mathematics_only a_program_keeps_the_file_it_has_open \
    warnings_are_shown_once_for_all_targets a_frame_that_is_larger_than_a_threads_stack_is_reported \
    patterns_are_compiled_without_contraction assertions_leave_no_trace_in_objects_compiled_without \
    thread_kernels_that_never_synchronise_become_loops keep_keeps_the_intermediate_files \
    the_built_in_compiler_choice_is_gcc_then_cc_then_clang
