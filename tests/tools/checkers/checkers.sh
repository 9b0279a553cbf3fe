#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Debuggers and other checkers see of kernels what docs/guide/debugging.md says.
# Usage: checkers.sh TESTS_DIR ACCELCC INCLUDE_DIR LIBRARY_DIR CC
tests=$1 accelcc=$(realpath "$2") include=$(realpath "$3") library=$(realpath "$4") cc=$5
sources=$tests/checkers
. "$tests/tap.sh"
export ACCEL_BACKEND=cpu-serial LD_LIBRARY_PATH="$library"

# made FLAG...: program and kernels, both with these flags.
made() {
    $cc -g "$@" -I"$include" "$sources/wrong.c" -o wrong -L"$library" -laccel 2>cc.err ||
        skip "$cc cannot build with $*: $(head -n 1 cc.err)"
    status 0 "$accelcc" -g "$@" --targets=x86-64 -o wrong "$sources/wrong.k.c"
}

# line KERNEL: the place in its source.
line() {
    echo "wrong.k.c:$(grep -n "/\* $1 \*/" "$sources/wrong.k.c" | cut -d: -f1)"
}

# said COMMAND...: both streams, whatever the status.
said() {
    timeout 60 "$@" >said 2>&1 || true
}

# debugged COMMAND...: gdb's commands, for a run of the kernel `right`.
debugged() {
    command -v gdb >/dev/null || skip "no gdb"
    made -O0
    said gdb -nx -batch -ex 'set breakpoint pending on' -ex "$1" -ex 'run right' -ex "$2" -ex "$3" -ex "$4" ./wrong
    ! grep -q 'ptrace: Operation not permitted' said || skip "no ptrace"
}

a_debugger_stops_at_a_line_and_shows_thread_and_arguments() {
    debugged "break $(line right)" continue 'print t' 'print args.x[t]'
    says said '$1 = 1'
    says said '$2 = 2'
}

a_debugger_stops_in_a_kernel_by_its_name() {
    debugged 'break accel_body_right' 'print args.n' 'print args.x[7]' 'info breakpoints'
    says said '$1 = 1000'
    says said '$2 = 8'
}

address_sanitizer_sees_what_is_behind_buffers() {
    made -fsanitize=address
    said ./wrong behind
    says said "AddressSanitizer"
    says said "$(line behind)"
    said ./wrong right
    [ "$(cat said)" = done ] || fail "$(cat said)"
}

undefined_behaviour_sanitizer_sees_overflows_and_indices_of_shared_arrays() {
    made -fsanitize=undefined
    said ./wrong sums
    says said "$(line sums)"
    says said "signed integer overflow"
    said ./wrong shared
    says said "$(line shared)"
    says said "index 8 out of bounds"
    said ./wrong right
    [ "$(cat said)" = done ] || fail "$(cat said)"
}

valgrind_sees_what_was_never_written_and_what_is_behind_buffers() {
    command -v valgrind >/dev/null || skip "no valgrind"
    made -O2
    ulimit -v 8000000
    said valgrind --quiet ./wrong decides
    says said "depends on uninitialised value"
    says said "$(line decides)"
    said valgrind --quiet ./wrong behind
    says said "Invalid read"
    says said "$(line behind)"
    said valgrind --quiet ./wrong right
    [ "$(cat said)" = done ] || fail "$(cat said)"
}

run_tests a_debugger_stops_at_a_line_and_shows_thread_and_arguments a_debugger_stops_in_a_kernel_by_its_name \
    address_sanitizer_sees_what_is_behind_buffers \
    undefined_behaviour_sanitizer_sees_overflows_and_indices_of_shared_arrays \
    valgrind_sees_what_was_never_written_and_what_is_behind_buffers
