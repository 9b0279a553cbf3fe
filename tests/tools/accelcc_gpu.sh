#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Objects for GPUs, where their compilers are. Usage: accelcc_gpu.sh TESTS_DIR ACCELCC INCLUDE_DIR [few]
# few: the quickest of the tests, one of each kind.
tests=$1 accelcc=$(realpath "$2") include=$3
. "$tests/tap.sh"
. "$tests/kernels.sh"

"$accelcc" --print-targets >"$work/targets"
# made TARGET: has it a compiler with everything that belongs to it?
made() {
    grep -q "^$1  *\(/[^ ]*\)$" "$work/targets"
}
# with TARGET...: those that are made, in $those; skips the test if there are none.
with() {
    those=
    for target in "$@"; do
        ! made "$target" || those="$those $target"
    done
    [ -n "$those" ] || skip "no compiler for any of $*"
}
with_nvcc() {
    nvcc=$(sed -n 's/^sm_80  *\(.*nvcc\)$/\1/p' "$work/targets")
    [ -n "$nvcc" ] || skip "no nvcc"
    ptxas=$(dirname "$nvcc")/ptxas
}
with_clang_for_amd() {
    made gfx90a || skip "no clang for AMD GPUs with device libraries"
}

# Two sources that have the same local names, also of the texts of assertions, and share a variable.
pair_sources() {
    cat >first.k.c <<'SOURCE'
#include <accel/kernel.h>
#include <accel/kernel/debug.h>
typedef struct { double *y; const double *x; size_t n; } pair_args;
ACCEL_GLOBAL(double, common_factor) = 3.0;
static ACCEL_CONSTANT(float, weights[4]) = {1, 2, 3, 4};
ACCEL_FN double scaled(double x) { return sin(x) * 3; }
ACCEL_KERNEL(first, pair_args, args)
{
    ACCEL_ASSERT(acc, args.x != args.y);
    ACCEL_FOR_EACH(acc, i, args.n) {
        ACCEL_ASSERT(acc, args.y[i] < 1000);
        args.y[i] += scaled(args.x[i]) * common_factor + (double)weights[i & 3];
    }
}
SOURCE
    sed 's/(first,/(second,/; s/x) \* 3/x) * 5/; s/^ACCEL_GLOBAL\(.*\) = .*;/extern ACCEL_GLOBAL\1;/; s/{1, 2/{5, 6/' \
        first.k.c >second.k.c
}

# symbols FILE: names of a GPU object's symbols.
symbols() {
    readelf -sW "$1" 2>readelf.err | awk '{ print $NF }'
}

ptx_is_named_by_its_target_and_has_kernel_and_descriptor() {
    with_nvcc
    axpy_sources
    status 0 "$accelcc" -o blas1 axpy.k.c --targets=compute_80,compute_90a
    says blas1.compute_80.ptx '.visible .entry accel_kernel_axpy('
    says blas1.compute_80.ptx 'accel_descriptor_axpy[72]'
    says blas1.compute_80.ptx '.target sm_80'
    says blas1.compute_90a.ptx '.target sm_90a'
    [ "$(ls blas1.*)" = "$(printf 'blas1.compute_80.ptx\nblas1.compute_90a.ptx')" ] || fail "$(ls)"
    [ ! -s err ] || fail "$(cat err)"
    tidy
}

a_cubin_has_kernel_and_descriptor_for_its_processor() {
    with_nvcc
    axpy_sources
    status 0 "$accelcc" -o blas1 axpy.k.c --targets=sm_90,sm_75
    for target in sm_90 sm_75; do
        symbols blas1.$target.cubin >symbols
        grep -qx accel_kernel_axpy symbols || fail "$target: $(cat symbols)"
        grep -qx accel_descriptor_axpy symbols || fail "$target: $(cat symbols)"
    done
    cmp -s blas1.sm_90.cubin blas1.sm_75.cubin && fail "both are the same"
    tidy
}

ptx_has_the_oldest_version_that_the_assembler_takes() {
    with_nvcc
    axpy_sources
    printf 'ACCEL_KERNEL(masks, axpy_args, args)\n{\n    ACCEL_THREADS(acc, t)\n        args.y[t] = accel_warp_any(acc, t > 3);\n}\n' >>axpy.k.c
    status 0 "$accelcc" -o blas1 axpy.k.c --targets=compute_75,compute_100
    for number in 75 100; do
        version=$(sed -n 's/^\.version //p' blas1.compute_$number.ptx)
        "$ptxas" -arch=sm_$number blas1.compute_$number.ptx -o x.cubin
        before=$("$ptxas" --list-version | grep -B1 -x "$version" | head -n 1)
        [ "$before" != "$version" ] || fail "no version before $version"
        sed "s/^\.version .*/.version $before/" blas1.compute_$number.ptx >older.ptx
        "$ptxas" -arch=sm_$number older.ptx -o x.cubin 2>ptxas.err && fail "$number: $before would do, it is $version"
    done
    [ "$(sed -n 's/^\.version \([0-9]*\).*/\1/p' blas1.compute_75.ptx)" -lt 9 ] || fail "$(head -n 20 blas1.compute_75.ptx)"
}

an_assembler_that_is_older_than_the_compiler_leaves_the_version_and_it_is_said() {
    with_nvcc
    axpy_sources
    mkdir bin
    printf '#!/bin/sh\nexec %s "$@"\n' "$nvcc" >bin/nvcc
    printf '#!/bin/sh\necho "ptxas fatal: Unsupported .version"\nexit 1\n' >bin/ptxas
    chmod +x bin/nvcc bin/ptxas
    status 0 "$accelcc" -o blas1 axpy.k.c --targets=compute_80 --cc-for=cuda=bin/nvcc
    says err "so the PTX is not checked and keeps version"
    status 1 "$accelcc" -o blas1 axpy.k.c --targets=sm_80 --cc-for=cuda=bin/nvcc
    says err "Unsupported .version"
    says err 'does not assemble for sm_80'
    tidy
}

what_the_assembler_finds_wrong_is_an_error() {
    with_nvcc
    axpy_sources
    cat >>axpy.k.c <<'SOURCE'
ACCEL_KERNEL(large, axpy_args, args)
{
    ACCEL_SHARED(acc, double, all[200000]);
    ACCEL_THREADS(acc, t)
        all[t] = args.x[t];
    ACCEL_THREADS(acc, t)
        args.y[t] = all[199999 - t];
}
SOURCE
    for target in compute_70 compute_90; do
        made $target || continue
        status 1 "$accelcc" -o blas1 axpy.k.c --targets=$target
        says err "too much shared data"
        says err "does not assemble for $target"
        [ ! -e blas1.$target.ptx ] || fail "an output is there"
        tidy
    done
}

several_sources_become_one_object_and_what_is_local_stays_local() {
    with_nvcc
    pair_sources
    status 0 "$accelcc" -o both first.k.c second.k.c --targets=compute_75,sm_90 --no-lint -g
    [ "$(grep -c '^\.version' both.compute_75.ptx)" -eq 1 ] || fail "$(grep -n version both.compute_75.ptx)"
    [ "$(grep -c '^\.visible \.global.*common_factor' both.compute_75.ptx)" -eq 1 ] || fail "$(grep common_factor both.compute_75.ptx)"
    [ "$(grep -c '^\.const.*weights' both.compute_75.ptx)" -eq 2 ] || fail "$(grep weights both.compute_75.ptx)"
    "$ptxas" -arch=sm_90 both.compute_75.ptx -o x.cubin
    symbols both.sm_90.cubin >symbols
    for kernel in first second; do
        says both.compute_75.ptx ".visible .entry accel_kernel_$kernel("
        grep -qx "accel_descriptor_$kernel" symbols || fail "$(cat symbols)"
        says both.compute_75.ptx "$kernel.k.c"
    done
}

several_sources_become_one_code_object_with_one_note() {
    with_clang_for_amd
    pair_sources
    status 0 "$accelcc" -o both second.k.c first.k.c --targets=gfx90a:xnack+ --no-lint --resource-usage
    symbols both.gfx90a:xnack+.hsaco >symbols
    for kernel in first second; do
        grep -qx "accel_kernel_$kernel.kd" symbols || fail "$(cat symbols)"
        grep -qx "accel_descriptor_$kernel" symbols || fail "$(cat symbols)"
        grep -q "^gfx90a:xnack+: $kernel: [0-9]* vector, [0-9]* scalar registers" out || fail "$(cat out)"
    done
    [ "$(readelf -nW both.gfx90a:xnack+.hsaco 2>readelf.err | grep -c AMDGPU)" -eq 1 ] || fail "$(readelf -nW both.gfx90a:xnack+.hsaco)"
}

a_kernel_defined_twice_is_refused_for_gpus_too() {
    axpy_sources
    cp axpy.k.c again.k.c
    with compute_80 gfx90a
    for target in $those; do
        status 1 "$accelcc" -o blas1 axpy.k.c again.k.c --targets=$target
        says err "must be unique within the library"
        tidy
    done
}

an_undefined_function_fails_when_it_is_compiled() {
    axpy_sources
    sed 's/args.y\[i\] +=/args.y[i] += missing(i) */; s/^ACCEL_KERNEL/extern ACCEL_DEVICE_ double missing(size_t);\n&/' axpy.k.c >undefined.k.c
    with compute_80 gfx90a
    for target in $those; do
        status 1 "$accelcc" -o blas1 undefined.k.c --targets=$target --no-lint
        says err "missing"
        [ ! -e blas1.$target.ptx ] || fail "an output is there"
        tidy
    done
}

code_objects_are_named_by_processor_and_features() {
    with_clang_for_amd
    axpy_sources
    status 0 "$accelcc" -o blas1 axpy.k.c scale.k.c --targets=gfx90a:xnack-:sramecc+,gfx1030,gfx90a -MD
    for target in gfx90a:sramecc+:xnack- gfx1030 gfx90a; do
        symbols "blas1.$target.hsaco" >symbols
        grep -qx accel_kernel_axpy.kd symbols || fail "$target: $(cat symbols)"
        grep -qx accel_descriptor_axpy symbols || fail "$target: $(cat symbols)"
    done
    says blas1.d 'blas1.gfx90a\:sramecc+\:xnack-.hsaco blas1.gfx1030.hsaco blas1.gfx90a.hsaco:'
    says blas1.d axpy.h
    status 1 "$accelcc" -o blas1 axpy.k.c --targets=gfx1030:xnack+
    says err "the processor does not have this feature"
    tidy
}

contraction_is_the_same_on_every_target() {
    axpy_sources
    with compute_80 compute_70 gfx90a
    for target in compute_80 compute_70; do
        made $target || continue
        status 0 "$accelcc" -o blas1 axpy.k.c --targets=$target
        says blas1.$target.ptx fma.rn.f64
        status 0 "$accelcc" -o blas1 axpy.k.c --targets=$target -ffp-contract=off
        says_not blas1.$target.ptx fma.rn.f64
        says blas1.$target.ptx mul.rn.f64
    done
    if made gfx90a; then
        status 0 "$accelcc" -o blas1 axpy.k.c --targets=gfx90a
        cp blas1.gfx90a.hsaco fused
        status 0 "$accelcc" -o blas1 axpy.k.c --targets=gfx90a -ffp-contract=off
        ! cmp -s blas1.gfx90a.hsaco fused || fail "-ffp-contract=off changes nothing"
    fi
}

# same_code TARGET: do both ways of contraction make the same object of functions.k.c?
same_code() {
    status 0 "$accelcc" -o contracted functions.k.c --no-lint --targets="$1"
    status 0 "$accelcc" -o separate functions.k.c --no-lint --targets="$1" -ffp-contract=off
    cmp -s contracted."$1".* separate."$1".*
}

# A kernel that only calls functions has the same code with and without contraction. Fused, tanh was 683 ULP off.
contraction_stays_out_of_the_vendors_functions() {
    with compute_70 gfx90a gfx1030
    for target in $those; do
        cat >functions.k.c <<'SOURCE'
#include <accel/kernel.h>
typedef struct { double *x; float *y; size_t n; } functions_args;
ACCEL_KERNEL(functions, functions_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n) {
        args.x[i] = tanh(args.x[i]);
        args.y[i] = powf(args.y[i], 2.5f);
    }
}
SOURCE
        same_code $target || fail "$target: contraction reaches the inside of tanh or powf"
        sed -i 's/tanh(args.x\[i\])/& * 3 + args.x[0]/' functions.k.c
        ! same_code $target || fail "$target: the kernel's own operations are not fused"
    done
}

# As docs/kernels.md has them.
classes_help_kernels_on_every_target() {
    with x86-64 compute_75 compute_70 gfx90a
    cat >mean.k.cpp <<'SOURCE'
#include <accel/kernel.h>
typedef struct { size_t n; const double *x; double *y; } mean_args;
template <class T> class mean {
    T sum;
    size_t n;

public:
    ACCEL_METHOD mean(T first) : sum(first), n(1) {}
    ACCEL_METHOD void add(T x) { sum += x; n++; }
    ACCEL_METHOD T value() const { return sum / static_cast<T>(n); }
};
template <class T> ACCEL_FN T twice(T x) { return 2 * x; }
ACCEL_KERNEL(means, mean_args, args)
{
    ACCEL_FOR_EACH(acc, i, args.n) {
        mean<double> m(args.x[i]);
        m.add(twice(args.y[i]));
        args.y[i] = m.value();
    }
}
SOURCE
    for target in $those; do
        status 0 "$accelcc" -o mean mean.k.cpp --targets=$target -Wall -Wextra
        [ ! -s err ] || fail "$target: $(cat err)"
    done
}

loads_through_restricted_variables_bypass() {
    with_nvcc
    cat >loads.k.c <<'SOURCE'
#include <accel/kernel.h>
typedef struct { size_t n; const double *x; double *y; } loads_args;
ACCEL_KERNEL(loads, loads_args, args)
{
    const double *__restrict__ x = args.x;
    double *__restrict__ y = args.y;
    ACCEL_FOR_EACH(acc, i, args.n)
        y[i] = 2 * x[i];
}
SOURCE
    status 0 "$accelcc" -o loads loads.k.c --targets=compute_80
    says loads.compute_80.ptx ld.global.nc.f64
}

# On clangs without NVIDIA's headers, for the oldest and the newest processor that each says it makes code for.
clangs_make_warp_operations_for_what_they_list() {
    found=
    for clang in clang-14 clang-15; do
        "$accelcc" --cc-for=cuda=$clang --print-targets | sed -n "s|^\(compute_[0-9]*\)  */.*/$clang\$|\1|p" >listed
        [ -s listed ] || continue
        found=$clang
        for target in $(sed -n '1p;$p' listed); do
            for kernel in warp histogram struct_atomic; do
                status 0 "$accelcc" --cc-for=cuda=$clang -o $kernel --targets="$target" "$tests/../kernels/$kernel.k.c"
                says $kernel."$target".ptx '.sync.'
                tidy
            done
        done
    done
    [ -n "$found" ] || skip "no clang for NVIDIA GPUs"
}

commas_of_macros_are_theirs() {
    with_nvcc
    cat >pair.k.c <<'SOURCE'
#include <accel/kernel.h>
typedef struct { double *y; } pair_args;
ACCEL_KERNEL(pair, pair_args, args)
{
    const double both[] = {PAIR};
    ACCEL_ONCE(acc)
        args.y[0] = both[1] + FIRST(1, 2) + (double)sizeof(char[sizeof both == 2 * sizeof(double) ? 1 : -1]);
}
SOURCE
    status 0 "$accelcc" pair.k.c --targets=compute_75,"$(uname -m | tr _ -)" '-DPAIR=4,FACTOR' '-DFIRST(a,b)=a' -DFACTOR=7
    says_not err redefined
}

names_that_a_shell_would_read_are_refused_for_nvcc() {
    with_nvcc
    axpy_sources
    cp axpy.k.c 'a$(touch read).k.c'
    status 1 "$accelcc" -o blas1 'a$(touch read).k.c' --targets=compute_75
    says err 'nvcc hands names to a shell'
    [ ! -e read ] || fail "the shell has read it"
}

line_information_is_there_when_asked_for() {
    with_nvcc
    axpy_sources
    status 0 "$accelcc" -o blas1 axpy.k.c --targets=compute_80
    ! grep -q '\.loc' blas1.compute_80.ptx || fail "it is there unasked"
    status 0 "$accelcc" -o blas1 axpy.k.c --targets=compute_80,sm_80 -g
    grep -q '\.file.*axpy.k.c' blas1.compute_80.ptx || fail "no line information"
    readelf -SW blas1.sm_80.cubin 2>readelf.err | grep -q debug_line || fail "no line information in the cubin"
    made gfx90a || return 0
    status 0 "$accelcc" -o blas1 axpy.k.c --targets=gfx90a -g
    readelf -SW blas1.gfx90a.hsaco | grep -q debug_line || fail "no line information in the code object"
}

resource_usage_is_printed_when_asked_for() {
    axpy_sources
    cat >tile.k.c <<'SOURCE'
#include <accel/kernel.h>
typedef struct { double *y; } tile_args;
ACCEL_KERNEL_BLOCK(tile, tile_args, args, 256)
{
    ACCEL_SHARED(acc, double, part[256]);
    ACCEL_THREADS(acc, t)
        part[t] = args.y[t];
    ACCEL_THREADS(acc, t)
        args.y[t] = part[255 - t];
}
SOURCE
    with compute_80 sm_90 gfx90a
    for target in $those; do
        status 0 "$accelcc" -o blas1 axpy.k.c tile.k.c --targets=$target --resource-usage
        grep -q "^$target.*: axpy: .*[0-9] .*registers, 0 bytes of shared memory, 0 bytes of stack, no spills" out || fail "$(cat out)"
        grep -q "^$target.*: tile: .* 2048 bytes of shared memory" out || fail "$(cat out)"
        [ ! -s err ] || fail "$(cat err)"
    done
}

messages_name_the_file_and_line_of_the_source() {
    axpy_sources
    sed 's/args.y\[i\]/args.nothing[i]/' axpy.k.c >broken.k.c
    with compute_80 gfx90a
    for target in $those; do
        status 1 "$accelcc" -o blas1 broken.k.c --targets=$target
        grep -q '^broken.k.c[(:]7[):]' err || fail "$(cat err)"
        says err "\"broken.k.c\" does not compile for $target"
        tidy
    done
}

flags_reach_compilers_for_gpus_and_those_of_the_host_do_not() {
    mkdir "include dir"
    echo 'typedef struct { double *y; } fill_args;' >"include dir/fill.h"
    cat >fill.k.c <<'SOURCE'
#include <accel/kernel.h>
#include <fill.h>
#ifdef REMOVED
#error defined
#endif
ACCEL_KERNEL(filled, fill_args, args)
{
    ACCEL_ONCE(acc)
        args.y[0] = VALUE;
}
SOURCE
    with compute_80 compute_70 sm_80 gfx90a
    for target in $those; do
        status 0 "$accelcc" -o fill fill.k.c --targets=$target -I "include dir" -DVALUE=1.5 -DREMOVED -U REMOVED \
            -march=native -fno-plt -std=gnu11 -Wall -pthread -lm -O2
        status 0 "$accelcc" -o fill fill.k.c --targets=$target "-Iinclude dir" -DVALUE=1.5 -O0
    done
}

sources_in_cxx_are_compiled_for_gpus_by_the_standard_that_hosts_have() {
    axpy_sources
    sed -i 's/^ACCEL_KERNEL(axpy/template <typename T> ACCEL_FN T twice(T x) { return x + x; }\n&/; s/args.a \*/twice(args.a) */' axpy.k.c
    grep -q 'twice(args.a)' axpy.k.c || fail "$(cat axpy.k.c)"
    printf '#if __cplusplus < 202002L\n#error older\n#endif\n' >newer.h
    for suffix in cpp cc cxx C; do
        cp axpy.k.c "axpy.k.$suffix"
    done
    with compute_80 gfx90a
    for target in $those; do
        status 0 "$accelcc" -o blas1 axpy.k.cpp --targets=$target
        [ ! -s err ] || fail "$(cat err)"
        status 0 "$accelcc" -o blas1 axpy.k.cpp --targets=$target -std=gnu++20 -include newer.h
        status 1 "$accelcc" -o blas1 axpy.k.cpp --targets=$target -include newer.h --no-lint
    done
    target=compute_80
    made $target || target=gfx90a
    made $target || skip "no compiler for GPUs"
    for suffix in cc cxx C; do
        status 0 "$accelcc" -o blas1 axpy.k.$suffix --targets=$target
    done
    tidy
}

regions_are_checked_for_gpu_targets_too() {
    axpy_sources
    region_source return
    with compute_80 gfx90a
    for target in $those; do
        status 1 "$accelcc" -o blas1 region.k.c --targets=$target
        says err 'only "continue" may leave a region'
    done
}

a_source_without_kernels_is_refused_for_gpus() {
    echo '#include <accel/kernel.h>' >empty.k.c
    with compute_80 sm_80 gfx90a
    for target in $those; do
        status 1 "$accelcc" -o blas1 empty.k.c --targets=$target
        says err "no kernels in empty.k.c"
    done
}

a_bundle_holds_objects_for_gpus() {
    axpy_sources
    targets=
    for target in compute_80 sm_90 gfx90a:xnack+; do
        ! made "${target%%:*}" || targets=$targets${targets:+,}$target
    done
    [ -n "$targets" ] || skip "no compiler for GPUs"
    status 0 "$accelcc" --embed -o blas1 axpy.k.c --targets="$targets"
    status 0 "$accelcc" -o blas1 axpy.k.c --targets="$targets"
    cat >main.c <<'SOURCE'
#include <accel/object.h>
#include <stdio.h>
extern const accel_bundle accel_bundle_blas1;
int main(void)
{
    for (size_t i = 0; i < accel_bundle_blas1.count; ++i) {
        const accel_bundle_entry *entry = &accel_bundle_blas1.entries[i];
        char name[100];
        snprintf(name, sizeof name, "got.%s.%s", entry->target, entry->format);
        FILE *file = fopen(name, "wb");
        fwrite(entry->data, 1, entry->size, file);
        fclose(file);
    }
    return 0;
}
SOURCE
    status 0 ${CC:-cc} -I "$include" main.c blas1.o -o main
    status 0 ./main
    [ "$(ls got.* | wc -l)" -eq "$(echo "$targets" | tr , '\n' | wc -l)" ] || fail "$(ls)"
    for object in got.*; do
        cmp "$object" "blas1.${object#got.}"
    done
}

words_stand_for_several_targets() {
    with compute_75 gfx90a
    axpy_sources
    if made compute_75; then
        status 0 "$accelcc" -o blas1 axpy.k.c --targets=default,cuda
        [ -f blas1.compute_75.ptx ] && [ "$(ls blas1.*.so | wc -l)" -ge 1 ] || fail "$(ls)"
    fi
    if made gfx90a; then
        status 0 "$accelcc" -o blas2 axpy.k.c --targets=hip
        [ -f blas2.gfx90a.hsaco ] || fail "$(ls)"
    fi
}

wrong_names_of_gpu_targets_have_a_remedy() {
    axpy_sources
    status 2 "$accelcc" -o blas1 axpy.k.c --targets=sm_9x
    says err "expected sm_ and a number"
    status 2 "$accelcc" -o blas1 axpy.k.c --targets=gfx90a:xnak+
    says err "gfx90a:sramecc+:xnack-"
    status 2 "$accelcc" -o blas1 axpy.k.c --targets=gfx90a:xnack+:xnack-
    says err "each once"
    status 2 "$accelcc" -o blas1 axpy.k.c --targets=gfx90a/../x
    says err "there is no such processor"
    status 2 "$accelcc" -o blas1 axpy.k.c --targets=compute80
    says err 'unknown target "compute80"'
    status 1 "$accelcc" -o blas1 axpy.k.c --targets=sm_60
    says err "sm_70 (Volta)"
}

a_missing_compiler_for_gpus_is_named_with_the_remedy() {
    axpy_sources
    status 1 "$accelcc" -o blas1 axpy.k.c --targets=compute_80 --cc-for=cuda=no-such-nvcc
    says err '"no-such-nvcc" (from --cc-for=cuda) was not found'
    status 1 "$accelcc" -o blas1 axpy.k.c --targets=gfx90a --cc-for=hip=no-such-clang
    says err '"no-such-clang" (from --cc-for=hip) was not found'
    status 2 "$accelcc" -o blas1 axpy.k.c --cc-for=opencl=clang
    says err "one of x86-64, aarch64, cuda, hip"
    ! ls /opt/rocm/llvm/bin/clang 2>ls.err || return 0
    mkdir empty
    ROCM_PATH= PATH=$PWD/empty status 1 "$accelcc" -o blas1 axpy.k.c --targets=gfx90a --cc="$(command -v ${CC:-cc})"
    says err "there is no compiler for AMD GPUs"
    says err "rocm-device-libs"
}

a_compiler_that_does_not_know_the_target_is_named_and_who_does() {
    with sm_80 gfx90a
    ! grep -q '^gfx12-generic' "$work/targets" || ! grep -q '^sm_101' "$work/targets" || skip "all targets are known here"
    axpy_sources
    if made gfx90a && ! grep -q '^gfx12-generic' "$work/targets"; then
        status 1 "$accelcc" -o blas1 axpy.k.c --targets=gfx12-generic
        says err 'target "gfx12-generic" is not made by /'
        says err "it takes clang 20"
    fi
    if made sm_80 && ! grep -q '^sm_101' "$work/targets"; then
        status 1 "$accelcc" -o blas1 axpy.k.c --targets=sm_101
        says err 'target "sm_101" is not made by /'
        says err "nvcc of CUDA 12.8 or 12.9"
    fi
}

a_compiler_with_device_libraries_is_preferred() {
    grep -q '^gfx1100 ' "$work/targets" || skip "no clang for gfx1100"
    ! ls /opt/rocm/llvm/bin/clang 2>ls.err || skip "there is a ROCm"
    clang=$(command -v clang-15 || command -v clang)
    mkdir -p new old/llvm/bin old/amdgcn/bitcode
    printf '#!/bin/sh\nexec %s "$@"\n' "$clang" >new/amdclang
    cp new/amdclang old/llvm/bin/clang-24
    chmod +x new/amdclang old/llvm/bin/clang-24
    PATH=$PWD/new:$PWD/old/llvm/bin:$PATH
    unset ROCM_PATH HIP_DEVICE_LIB_PATH
    "$accelcc" --print-targets >before
    touch old/amdgcn/bitcode/ocml.bc old/amdgcn/bitcode/oclc_isa_version_1100.bc
    "$accelcc" --print-targets >after
    grep -q '^gfx1100 .*no mathematics' before || skip "gfx1100 is complete here"
    grep -q "^gfx1100  *$PWD/new/amdclang" before || fail "$(grep gfx1100 before)"
    grep -q "^gfx1100  *$PWD/old/llvm/bin/clang-24\$" after || fail "$(grep gfx1100 after)"
    grep -q "^gfx90a  *$PWD/new/amdclang" after || fail "$(grep gfx90a after)"
}

locks_are_taken_by_instructions_for_global_memory() {
    with_clang_for_amd
    clang=$(sed -n 's/^gfx90a  *\(\/[^ ]*\)$/\1/p' "$work/targets")
    disassembler=$(ls "$(dirname "$(realpath "$clang")")"/llvm-objdump /usr/bin/llvm-objdump* 2>ls.err | head -n 1)
    [ -n "$disassembler" ] || skip "no llvm-objdump"
    status 0 "$accelcc" -o struct_atomic "$tests/../kernels/struct_atomic.k.c" --targets=gfx90a
    "$disassembler" -d struct_atomic.gfx90a.hsaco >code
    says code global_atomic_cmpswap
    says_not code flat_atomic
    says_not code flat_store
}

missing_device_libraries_are_named_when_mathematics_needs_them() {
    with_clang_for_amd
    pair_sources
    grep -q '^gfx1100 .*no mathematics' "$work/targets" || skip "gfx1100 is complete or unknown here"
    status 1 "$accelcc" -o blas1 first.k.c --targets=gfx1100 --no-lint
    says err "the device libraries in"
    says err "HIP_DEVICE_LIB_PATH"
    axpy_sources
    status 0 "$accelcc" -o blas1 axpy.k.c --targets=gfx1100
}

if [ "${4:-}" = few ]; then
    run_tests a_cubin_has_kernel_and_descriptor_for_its_processor code_objects_are_named_by_processor_and_features \
        messages_name_the_file_and_line_of_the_source wrong_names_of_gpu_targets_have_a_remedy \
        a_missing_compiler_for_gpus_is_named_with_the_remedy
    exit
fi
run_tests ptx_is_named_by_its_target_and_has_kernel_and_descriptor a_cubin_has_kernel_and_descriptor_for_its_processor \
    ptx_has_the_oldest_version_that_the_assembler_takes \
    an_assembler_that_is_older_than_the_compiler_leaves_the_version_and_it_is_said \
    what_the_assembler_finds_wrong_is_an_error \
    several_sources_become_one_object_and_what_is_local_stays_local several_sources_become_one_code_object_with_one_note \
    a_kernel_defined_twice_is_refused_for_gpus_too an_undefined_function_fails_when_it_is_compiled \
    code_objects_are_named_by_processor_and_features contraction_is_the_same_on_every_target \
    contraction_stays_out_of_the_vendors_functions classes_help_kernels_on_every_target \
    loads_through_restricted_variables_bypass clangs_make_warp_operations_for_what_they_list \
    commas_of_macros_are_theirs names_that_a_shell_would_read_are_refused_for_nvcc \
    line_information_is_there_when_asked_for resource_usage_is_printed_when_asked_for \
    messages_name_the_file_and_line_of_the_source flags_reach_compilers_for_gpus_and_those_of_the_host_do_not \
    sources_in_cxx_are_compiled_for_gpus_by_the_standard_that_hosts_have \
    regions_are_checked_for_gpu_targets_too a_source_without_kernels_is_refused_for_gpus a_bundle_holds_objects_for_gpus \
    words_stand_for_several_targets wrong_names_of_gpu_targets_have_a_remedy \
    a_missing_compiler_for_gpus_is_named_with_the_remedy a_compiler_that_does_not_know_the_target_is_named_and_who_does \
    missing_device_libraries_are_named_when_mathematics_needs_them a_compiler_with_device_libraries_is_preferred \
    locks_are_taken_by_instructions_for_global_memory
