#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What accelcc refuses, and in which words. Usage: accelcc_errors.sh TESTS_DIR ACCELCC
tests=$1 accelcc=$(realpath "$2")
. "$tests/tap.sh"
. "$tests/kernels.sh"
native=$("$accelcc" --print-targets | awk '$2 ~ /^\// {print $1; exit}')

a_broken_source_is_reported_by_file_and_line_and_changes_nothing() {
    axpy_sources
    status 0 "$accelcc" -o blas1 axpy.k.c --targets="$native"
    cksum "blas1.$native.so" >before
    mkdir sub
    sed 's/args.y\[i\]/args.nothing[i]/' axpy.k.c >sub/axpy.k.c
    status 1 "$accelcc" -o blas1 sub/axpy.k.c --targets="$native" -I. -MD
    says err "sub/axpy.k.c:7:"
    says err "nothing"
    says err 'accelcc: error: "sub/axpy.k.c" does not compile'
    cksum "blas1.$native.so" >after
    cmp before after
    [ ! -e blas1.d ] || fail "a dependency file is there"
    tidy
}

nothing_is_written_when_a_later_target_fails() {
    [ "$native" = x86-64 ] || skip "not an x86-64 compiler"
    axpy_sources
    printf '#ifdef __AVX2__\n#error not here\n#endif\n' >>axpy.k.c
    status 1 "$accelcc" -o blas1 axpy.k.c --targets=x86-64,x86-64-v3
    says err "axpy.k.c:10:2: error:"
    says err "for x86-64-v3"
    [ ! -e blas1.x86-64.so ] || fail "half of the outputs are there"
    tidy
}

lint_rejects() {
    axpy_sources
    region_source "$1" "$2"
    status 1 "$accelcc" -o blas1 region.k.c --targets="$native"
    says err "region.k.c:8:"
    says err 'only "continue" may leave a region'
    [ ! -e "blas1.$native.so" ] || fail "an output is there"
    status 0 "$accelcc" -o blas1 region.k.c --targets="$native" --no-lint -w
    tidy
}

a_region_is_not_left_by_break() {
    lint_rejects break
}

a_region_is_not_left_by_return() {
    lint_rejects return
}

a_region_is_not_left_by_goto() {
    lint_rejects "goto out" "    out:;"
}

a_region_may_be_left_by_continue() {
    axpy_sources
    region_source continue
    status 0 "$accelcc" -o blas1 region.k.c --targets="$native" -Wall -Wextra -Werror
}

a_kernel_defined_twice_is_the_linkers_message_and_ours() {
    axpy_sources
    cp axpy.k.c again.k.c
    status 1 "$accelcc" -o blas1 axpy.k.c again.k.c --targets="$native"
    says err "accel_descriptor_axpy"
    says err "must be unique within the library"
    tidy
}

an_undefined_function_fails_now_and_not_at_load() {
    axpy_sources
    sed 's/args.y\[i\] +=/args.y[i] += missing(i) */; s/^ACCEL_KERNEL/double missing(size_t);\n&/' axpy.k.c >undefined.k.c
    status 1 "$accelcc" -o blas1 undefined.k.c --targets="$native"
    says err "missing"
    says err 'library "blas1" does not link'
}

# compilers: those that are here, each as an option.
compilers() {
    for compiler in gcc clang; do
        ! command -v $compiler >/dev/null || echo "--cc=$compiler"
    done
}

an_undeclared_function_is_an_error_with_a_remedy() {
    axpy_sources
    sed -i 's/args.a \*/args.a + sinpi(args.a) */' axpy.k.c
    for compiler in $(compilers); do
        status 1 "$accelcc" "$compiler" -o blas1 axpy.k.c --targets="$native"
        says err "axpy.k.c:7:"
        says err sinpi
        says err "accelcc: kernels call the functions of C that docs/mathematics.md lists"
        tidy
    done
}

what_a_pattern_needs_and_has_not_is_named() {
    axpy_sources
    pattern() {
        printf '#include <accel/kernel.h>\n#include <accel/kernel/pattern.h>\ntypedef struct { const int *x; } args_t;\n%s\n' "$1" >p.k.c
    }
    for compiler in $(compilers); do
        pattern 'ACCEL_SCAN_FINAL(p, args_t, args, i, int, ACCEL_SUM) { return args.x[i]; }'
        status 1 "$accelcc" "$compiler" p.k.c --targets="$native"
        says err 'accelcc: ACCEL_SCAN_FINAL(NAME, ...) needs an ACCEL_FINAL_PASS(NAME, ...)'
        says_not err 'may leave a region'
        pattern 'ACCEL_SCAN_BY_KEY(p, args_t, args, i, int, ACCEL_SUM) { return args.x[i]; }'
        status 1 "$accelcc" "$compiler" p.k.c --targets="$native"
        says err 'accelcc: ACCEL_SCAN_BY_KEY(NAME, ...) needs an ACCEL_SCAN_HEAD(NAME, ...)'
        pattern 'ACCEL_SCAN_BY_KEY_FINAL(p, args_t, args, i, int, ACCEL_SUM) { return args.x[i]; }'
        status 1 "$accelcc" "$compiler" p.k.c --targets="$native"
        says err 'needs an ACCEL_FINAL_PASS(NAME, ...) behind it, as does ACCEL_SCAN_BY_KEY_FINAL'
        says err 'needs an ACCEL_SCAN_HEAD(NAME, ...), as does ACCEL_SCAN_BY_KEY_FINAL'
        pattern 'ACCEL_REDUCE(p, args_t, args, i, int, ACCEL_SUMM) { return args.x[i]; }'
        status 1 "$accelcc" "$compiler" p.k.c --targets="$native"
        says err 'p.k.c:4:1: error: '
        says err 'accelcc: a reducer is a word of accel/kernel/reducer.h'
        says_not err 'undefined reference'
        pattern 'ACCEL_KERNEL(p, args_t, args) {
    ACCEL_PRIVATE(acc, int, v);
    ACCEL_THREADS(acc, t) { ACCEL_MY(v, t) = args.x[t]; }
    (void)accel_block_reduce(acc, int, ACCEL_SUMM, v);
}'
        sed -i 's,pattern.h,collective.h,' p.k.c
        status 1 "$accelcc" "$compiler" p.k.c --targets="$native"
        says err 'p.k.c:7:'
        says err 'accelcc: a reducer is a word of accel/kernel/reducer.h'
        says_not err 'undefined reference'
        pattern 'typedef struct { int index, value; } loc;
ACCEL_REDUCE(p, args_t, args, i, loc, ACCEL_MINLOC) { const loc r = {(int)i, args.x[i]}; return r; }'
        status 1 "$accelcc" "$compiler" p.k.c --targets="$native"
        says err 'member value must stand before index'
        pattern 'ACCEL_REDUCE(p, args_t, args, i, int, ACCEL_SUM) { (void)args.x[i]; }'
        status 1 "$accelcc" "$compiler" p.k.c --targets="$native"
        says err 'return-type'
        tidy
    done
}

a_header_that_is_missing_is_named() {
    axpy_sources
    lacking() {
        printf '#include <%s>\ntypedef struct { const double *x; double *y; size_t n; } args_t;\n%s\n' "$1" "$2" >h.k.c
        status 1 "$accelcc" "$compiler" h.k.c --targets="$native"
    }
    for compiler in $(compilers); do
        lacking accel/kernel.h 'ACCEL_KERNEL(k, args_t, args) { ACCEL_ASSERT(acc, args.n > 0); }'
        says err 'accelcc: ACCEL_ASSERT is in <accel/kernel/debug.h>, which "h.k.c" does not include'
        lacking accel/kernel.h 'ACCEL_REDUCE(k, args_t, args, i, double, ACCEL_SUM) { return args.x[i]; }'
        says err 'accelcc: ACCEL_REDUCE is in <accel/kernel/pattern.h>, which "h.k.c" does not include'
        lacking accel/kernel.h 'ACCEL_KERNEL(k, args_t, args) { ACCEL_FOR_EACH_ROW(acc, r, args.n, 4) ACCEL_ROW_ONCE(acc, 4) args.y[r] = 1; }'
        says err 'is in <accel/kernel/row.h>, which "h.k.c" does not include'
        [ "$(grep -c 'does not include' err)" -eq 1 ] || fail "$(cat err)"
        lacking accel/accel.h 'ACCEL_KERNEL(k, args_t, args) { ACCEL_FOR_EACH(acc, i, args.n) args.y[i] = 1; }'
        says err 'accelcc: ACCEL_KERNEL is in <accel/kernel.h>, which "h.k.c" does not include'
        lacking accel/kernel/row.h 'ACCEL_KERNEL(k, args_t, args) { ACCEL_FOR_EACH_ROW(acc, r, args.n, 4) args.z[r] = 1; }'
        says_not err 'does not include'
        tidy
    done
}

# converted STATEMENT [TARGET]: there is a warning of the statement's line, and one remedy.
converted() {
    axpy_sources
    rm -f blas1.* # accelcc would say that they are older than the source
    printf 'ACCEL_KERNEL(convert, axpy_args, args)\n{\n    ACCEL_FOR_EACH(acc, i, args.n) {\n        %s\n    }\n}\n' "$1" >>axpy.k.c
    for compiler in $(compilers); do
        status 0 "$accelcc" "$compiler" -o blas1 axpy.k.c --targets="${2:-$native}"
        grep -q "^axpy.k.c:12:.*warning:" err || fail "$compiler: no warning of: $1: $(cat err)"
        [ "$(grep -c "accelcc: where a conversion is meant" err)" -eq 1 ] || fail "$compiler: $(cat err)"
    done
    status 0 "$accelcc" -o blas1 axpy.k.c --targets="${2:-$native}" -w
    ! grep -v 'there is no ptxas' err || fail "$(cat err)"
}

a_number_that_is_converted_silently_is_warned_of_with_the_remedy() {
    converted 'const float x = args.x[i]; const int n = args.x[i]; args.y[i] = n * ldexp(x, args.a);'
    "$accelcc" --print-targets | grep -q '^compute_80  */' || return 0
    converted 'int n = args.x[i]; args.y[i] = n;' compute_80
}

a_source_without_kernels_is_refused() {
    echo 'int unused;' >empty.k.c
    status 1 "$accelcc" -o blas1 empty.k.c --targets="$native"
    says err "no kernels in empty.k.c"
    [ ! -e "blas1.$native.so" ] || fail "an output is there"
}

a_missing_source_is_the_compilers_message() {
    status 1 "$accelcc" -o blas1 nothere.k.c --targets="$native"
    says err "nothere.k.c"
    tidy
}

an_unknown_target_is_answered_with_the_nearest() {
    axpy_sources
    status 2 "$accelcc" -o blas1 axpy.k.c --targets=x86_64-v3
    says err 'unknown target "x86_64-v3", did you mean "x86-64-v3"?'
    status 2 "$accelcc" -o blas1 axpy.k.c --targets=sparc
    says err 'unknown target "sparc"; known are x86-64,'
    status 2 "$accelcc" -o blas1 axpy.k.c --targets=
    says err "--targets is empty"
}

a_missing_compiler_is_named() {
    axpy_sources
    status 1 "$accelcc" -o blas1 axpy.k.c --cc=no-such-cc
    says err 'compiler "no-such-cc" (from --cc) was not found'
    CC=no-such-cc status 1 "$accelcc" -o blas1 axpy.k.c
    says err '(from CC)'
    mkdir empty
    PATH=$PWD/empty CC= status 1 "$accelcc" -o blas1 axpy.k.c
    says err "no C compiler on PATH"
}

a_program_that_is_no_compiler_is_named() {
    axpy_sources
    status 1 "$accelcc" -o blas1 axpy.k.c --cc=true
    says err "is not a compiler that accelcc can use"
}

a_missing_cross_compiler_is_named_with_the_remedy() {
    axpy_sources
    [ "$native" = x86-64 ] && other=aarch64 || other=x86-64
    status 1 "$accelcc" -o blas1 axpy.k.c --targets=$other --cc-for=$other=no-such-cc
    says err "no compiler for $other"
    says err "--cc-for=$other=COMMAND"
    status 1 "$accelcc" -o blas1 axpy.k.c --targets=$other --cc-for=$other="${CC:-cc}"
    says err "not for $other"
    status 2 "$accelcc" -o blas1 axpy.k.c --cc-for=mips=cc
    says err "--cc-for=mips=cc"
}

an_output_directory_that_cannot_be_written_is_named() {
    axpy_sources
    status 1 "$accelcc" -o nowhere/blas1 axpy.k.c --targets="$native"
    says err 'output directory "nowhere": No such file or directory; create it first'
    mkdir closed
    chmod 500 closed
    if [ "$(id -u)" -ne 0 ]; then
        status 1 "$accelcc" -o closed/blas1 axpy.k.c --targets="$native"
        says err 'output directory "closed": Permission denied'
    fi
    status 1 "$accelcc" -o /proc/blas1 axpy.k.c --targets="$native"
    says err 'output directory "/proc"'
}

an_output_that_is_a_directory_is_refused() {
    axpy_sources
    mkdir "blas1.$native.so"
    status 1 "$accelcc" -o blas1 axpy.k.c --targets="$native"
    says err "it is a directory"
    tidy
}

only_regular_files_are_replaced() {
    axpy_sources
    mkfifo "blas1.$native.so"
    status 1 "$accelcc" -o blas1 axpy.k.c --targets="$native"
    says err "it is no regular file; remove it, or choose another name with -o"
    [ -p "blas1.$native.so" ] || fail "the pipe is gone"
    rm "blas1.$native.so"
    ln -s axpy.k.c "blas1.$native.so"
    status 1 "$accelcc" -o blas1 axpy.k.c --targets="$native"
    says err "it is a source; choose another name with -o"
    ln -sf kept "blas1.$native.so"
    touch kept
    status 0 "$accelcc" -o blas1 axpy.k.c --targets="$native"
    [ -L "blas1.$native.so" ] && [ -s kept ] || fail "the link is gone"
    tidy
}

wrong_usage_has_status_2_and_a_remedy() {
    axpy_sources
    status 2 "$accelcc"
    says err "no source file"
    status 2 "$accelcc" -o blas1 axpy.k.c --tragets=x86-64
    says err 'unknown option "--tragets=x86-64", did you mean "--targets"?'
    status 2 "$accelcc" -o blas1 axpy.k.c -c
    says err 'unknown option "-c"'
    status 2 "$accelcc" axpy.k.c -o
    says err "-o needs a value"
    status 2 "$accelcc" axpy.k.c -o blas1.so
    says err 'give the name without ".so"'
    status 2 "$accelcc" axpy.k.c -o blas1.o
    says err "only --embed writes one"
    status 2 "$accelcc" axpy.k.c -o ./
    says err "does not end in the name of a library"
    status 2 "$accelcc" axpy.k.c axpy.k.c -o blas1
    says err "given twice"
    status 2 "$accelcc" axpy.o -o blas1
    says err "is not a C or C++ source"
    status 2 "$accelcc" axpy.k.c -o blas1 -MF blas1.d
    says err "-MD"
}

# A compiler that says by which process it runs, and then does the given thing.
slow_compiler() {
    axpy_sources
    cat >slow-cc <<SCRIPT
#!/bin/sh
case "\$*" in
*-dM*) exec cc "\$@" ;;
esac
echo \$\$ >$PWD/compiler.pid.new && mv $PWD/compiler.pid.new $PWD/compiler.pid
$1
SCRIPT
    chmod +x slow-cc
}

# send SIGNAL: accelcc runs as the shell's last job, and gets the signal once its compiler runs.
send() {
    tool=$!
    attempt=0
    until [ -s compiler.pid ]; do
        attempt=$((attempt + 1))
        [ $attempt -lt 300 ] || fail "the compiler was never called: $(cat err)"
        sleep 0.1
    done
    kill "-$1" $tool
}

# A signal that is ignored where the tests run, as SIGHUP is under nohup, stays ignored in what they run: not here.
by_default='import os, signal, sys
for s in signal.SIGHUP, signal.SIGTERM:
    signal.signal(s, signal.SIG_DFL)
os.execvp(sys.argv[1], sys.argv[1:])'

ends_by_signal() { # name, expected status
    slow_compiler 'sleep 60'
    python3 -c "$by_default" "$accelcc" -o blas1 axpy.k.c --cc=./slow-cc --targets="$native" >out 2>err &
    send "$1"
    result=0
    wait $tool || result=$?
    [ $result -eq $2 ] || fail "status $result"
    ! kill -0 "$(cat compiler.pid)" || fail "the compiler still runs"
    rm compiler.pid
    tidy
}

a_reader_that_goes_away_leaves_nothing() {
    axpy_sources
    echo '#warning look here' >>axpy.k.c
    { "$accelcc" -o blas1 axpy.k.c --targets="$native" --verbose 2>&1; echo $? >result; } | true
    [ "$(cat result)" -eq 0 ] || fail "status $(cat result)"
    [ -f "blas1.$native.so" ] || fail "nothing is made"
    tidy
}

a_signal_ends_the_compiler_and_leaves_nothing() {
    ends_by_signal TERM 143
    ends_by_signal HUP 129
}

a_signal_that_the_caller_ignores_is_ignored() {
    slow_compiler "until [ -e $PWD/sent ]; do sleep 0.1; done; exec cc \"\$@\""
    (
        trap '' HUP
        exec "$accelcc" -o blas1 axpy.k.c --cc=./slow-cc --targets="$native" --no-lint
    ) >out 2>err &
    send HUP
    : >sent
    wait $tool || fail "status $?: $(cat err)"
    [ -f "blas1.$native.so" ] || fail "nothing is made"
    tidy
}

what_breaks_the_rules_of_block_kernels_is_named_with_its_line() {
    cat >rules.k.c <<'SOURCE'
#include <accel/kernel/collective.h>
typedef struct { double *x, *y; unsigned *count; size_t n; } l_args;
ACCEL_KERNEL(sum, l_args, args)
{
    double s = 0;
    ACCEL_FOR_EACH(acc, i, args.n)
        s += args.x[i];
    ACCEL_ONCE(acc)
        args.y[accel_block_index(acc).x] = s;
}
ACCEL_KERNEL(block_local, l_args, args)
{
    double last = 0, other[4];
    size_t k = 0;
    ACCEL_THREADS(acc, t) {
        last = args.x[t];
        other[1] = last;
        k++;
    }
}
ACCEL_KERNEL(atomic, l_args, args)
{
    accel_atomic_add(acc, args.count, 1u);
    ACCEL_ATOMIC_UPDATE(acc, args.x) { args.x[0] += 1; }
}
ACCEL_KERNEL(reverse, l_args, args)
{
    ACCEL_SHARED(acc, double, s[32]);
    ACCEL_SHARED(acc, double, q[8][8]);
    ACCEL_THREADS(acc, t) {
        s[t] = args.x[t];
        args.y[t] = s[31 - t];
    }
    ACCEL_THREADS_2D(acc, ty, tx) {
        q[ty][tx] = args.x[ty * 8 + tx];
        args.y[ty * 8 + tx] = q[tx][ty];
    }
}
ACCEL_KERNEL(nested, l_args, args)
{
    ACCEL_THREADS(acc, t) {
        ACCEL_ONCE(acc)
            args.y[0] = 1;
        ACCEL_FOR_EACH(acc, i, args.n)
            args.y[i] = 1;
    }
    ACCEL_FOR_EACH(acc, i, args.n)
        ACCEL_ONCE(acc)
            args.y[i] = 1;
}
ACCEL_KERNEL(together, l_args, args)
{
    ACCEL_PRIVATE(acc, double, v);
    ACCEL_THREADS(acc, t) {
        ACCEL_MY(v, t) = args.x[t];
        args.y[t] = accel_block_reduce(acc, double, ACCEL_SUM, v);
    }
}
#include <accel/kernel/scatter.h>
ACCEL_SCATTER(counts, unsigned, ACCEL_SUM)
ACCEL_KERNEL(scattered, accel_scatter_view, args)
{
    ACCEL_SCATTER_OPEN(acc, counts, bins, args);
    ACCEL_FOR_EACH(acc, i, args.count)
        ACCEL_SCATTER_JOIN(counts, bins, i, 1);
    ACCEL_SCATTER_JOIN(counts, bins, 0, 1);
}
ACCEL_KERNEL(four, l_args, args)
{
    ACCEL_PRIVATE(acc, double, v[4]);
    ACCEL_THREADS(acc, t)
        ACCEL_MY(v, t)[3] = args.x[t];
}
SOURCE
    for compiler in "${CC:-cc}" clang; do
        command -v "${compiler%% *}" >found || continue
        status 1 "$accelcc" --cc="$compiler" -o rules rules.k.c --targets="$native"
        says err 'rules.k.c:7: error: kernel "sum": ACCEL_FOR_EACH writes "s", which is read behind it'
        says err 'rules.k.c:16: error: kernel "block_local": ACCEL_THREADS writes "last", a variable of the block'
        says err 'rules.k.c:17: error: kernel "block_local": ACCEL_THREADS writes "other"'
        says err 'rules.k.c:18: error: kernel "block_local": ACCEL_THREADS writes "k"'
        says err 'rules.k.c:23: error: kernel "atomic": accel_atomic_add stands outside regions'
        says err 'rules.k.c:24: error: kernel "atomic": ACCEL_ATOMIC_UPDATE stands outside regions'
        says err 'rules.k.c:32: error: kernel "reverse": ACCEL_THREADS reads an element of "s" that another thread writes'
        says err 'rules.k.c:36: error: kernel "reverse": ACCEL_THREADS_2D reads an element of "q"'
        says err 'rules.k.c:42: error: kernel "nested": ACCEL_ONCE stands inside ACCEL_THREADS; regions do not nest'
        says err 'rules.k.c:44: error: kernel "nested": ACCEL_FOR_EACH stands inside ACCEL_THREADS; it divides'
        says err 'rules.k.c:48: error: kernel "nested": ACCEL_ONCE stands inside ACCEL_FOR_EACH; regions do not nest'
        says err 'rules.k.c:56: error: kernel "together": accel_block_reduce stands inside ACCEL_THREADS; it is a barrier'
        says err 'rules.k.c:66: error: kernel "scattered": ACCEL_SCATTER_JOIN stands outside regions'
        says err 'rules.k.c:70: error: kernel "four": ACCEL_PRIVATE makes a value for each thread of a name alone'
        [ "$(wc -l <err)" -eq 15 ] || fail "$(cat err)"
        status 0 "$accelcc" --cc="$compiler" -o rules rules.k.c --targets="$native" --no-lint
    done
}

what_keeps_the_rules_of_block_kernels_is_taken() {
    cat >rules.k.c <<'SOURCE'
#include <accel/kernel.h>
typedef struct { double *x, *y; unsigned *count; size_t n; } l_args;
ACCEL_FN void count_in(accel_block_handle acc, unsigned *p) { accel_atomic_add(acc, p, 1u); }
ACCEL_KERNEL(good, l_args, args)
{
    ACCEL_SHARED(acc, double, s[256]);
    ACCEL_SHARED(acc, double, two[2][256]);
    ACCEL_PRIVATE(acc, double, mine);
    typedef double pair_type[2];
    ACCEL_PRIVATE(acc, pair_type, two_of_mine);
    const size_t n = accel_block_extent(acc).x;
    double *row = s;
    size_t now = 0;
    double scratch = 0;
    row[0 * n] = row[0];
    ACCEL_FOR_EACH(acc, i, args.n) {
        double local = args.x[i];
        local *= 2;
        scratch = local;
        args.y[i] = local + scratch;
        accel_atomic_add(acc, args.count, 1u);
    }
    scratch = 4;
    ACCEL_THREADS(acc, t) {
        ACCEL_MY(mine, t) = 0;
        ACCEL_MY(two_of_mine, t)[1] = 0;
        s[t] = args.x[t] + scratch;
        row[t] = s[t];
        double old = s[t];
        old += 1;
        for (size_t k = 0; k < 3; ++k)
            old += two[0][t + k];
        two[1][t] = old;
        double near = two[0][t + 1];
        double pair[2];
        pair[0] = near;
        pair[1] = pair[0];
        args.y[t] = pair[1];
        ACCEL_ATOMIC_UPDATE(acc, &args.x[0]) { args.x[0] += 1; }
        ACCEL_ATOMIC_MODIFY(acc, double, &args.x[0], v) { v += 1; }
        count_in(acc, args.count);
    }
    for (size_t h = n / 2; h != 0; h /= 2)
        ACCEL_THREADS_FIRST(acc, t, h)
            s[t] += s[t + h];
    for (size_t step = 1; step < n; step *= 2) {
        ACCEL_THREADS(acc, t)
            two[1 - now][t] = two[now][t] + (t >= step ? two[now][t - step] : 0);
        now = 1 - now;
    }
    ACCEL_ONCE(acc)
        args.y[0] = s[0];
}
SOURCE
    status 0 "$accelcc" -o rules rules.k.c --targets="$native"
    [ ! -s err ] || fail "$(cat err)"
}

run_tests a_broken_source_is_reported_by_file_and_line_and_changes_nothing nothing_is_written_when_a_later_target_fails \
    a_region_is_not_left_by_break a_region_is_not_left_by_return a_region_is_not_left_by_goto \
    a_region_may_be_left_by_continue a_kernel_defined_twice_is_the_linkers_message_and_ours \
    an_undefined_function_fails_now_and_not_at_load what_a_pattern_needs_and_has_not_is_named \
    a_header_that_is_missing_is_named an_undeclared_function_is_an_error_with_a_remedy \
    a_number_that_is_converted_silently_is_warned_of_with_the_remedy a_source_without_kernels_is_refused \
    a_missing_source_is_the_compilers_message an_unknown_target_is_answered_with_the_nearest \
    a_missing_compiler_is_named a_program_that_is_no_compiler_is_named a_missing_cross_compiler_is_named_with_the_remedy \
    an_output_directory_that_cannot_be_written_is_named an_output_that_is_a_directory_is_refused only_regular_files_are_replaced \
    wrong_usage_has_status_2_and_a_remedy a_reader_that_goes_away_leaves_nothing a_signal_ends_the_compiler_and_leaves_nothing \
    a_signal_that_the_caller_ignores_is_ignored \
    what_breaks_the_rules_of_block_kernels_is_named_with_its_line what_keeps_the_rules_of_block_kernels_is_taken
