#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# accel-check --host: what it finds of a host that does not wait, and what not.
# Usage: host.sh TOOLS_TESTS_DIR ACCEL_CHECK PROGRAM KERNEL_DIRECTORY SOURCES LIBRARY
tests=$1 check=$(realpath "$2") program=$(realpath "$3")
ACCEL_KERNEL_PATH=$(realpath "$4") sources=$(realpath "$5") library=$6
export ACCEL_KERNEL_PATH
. "$tests/tap.sh"
for variable in $(env | sed -n 's/^\(ACCEL_\(BACKEND\|DEVICES\|CHECK_[A-Z]*\)\)=.*/\1/p'); do unset "$variable"; done

line_of() {
    grep -n "/\* $1[^*]* \*/" "$sources/${2:-host.c}" | cut -d: -f1
}

# finds CASE OPTION...: one error, at the line of the comment, and at that of what it is in conflict with.
finds() {
    case=$1 kind=${1%%_*} name=${1#*_}
    shift
    status 1 "$check" --host --json=found.json "$@" "$program" "$library" "$case"
    [ "$(wc -l <found.json)" -eq 1 ] || fail "not one: $(cat found.json)"
    says found.json "{\"kind\":\"$kind\","
    grep -q "\"here\":{[^}]*/host.c\",\"line\":$(line_of "$kind: $name")," found.json ||
        fail "not in line $(line_of "$kind: $name"): $(cat found.json)"
    submitted=$(line_of "$name submitted.*$kind")
    [ -n "$submitted" ] || submitted=$(line_of "$name submitted")
    if [ -n "$submitted" ]; then
        grep -q "\"other\":{[^}]*/host.c\",\"line\":$submitted,\"operation\":\"\(copy\|fill\)\"}" found.json ||
            fail "not by line $submitted: $(cat found.json)"
    fi
}

by_kernel() {
    grep -q "\"other\":{[^}]*/queues.k.c\",\"line\":$(line_of 'host_double: here' queues.k.c),\"operation\":\"launch\",\"kernel\":\"host_double\"" found.json ||
        fail "not by the kernel: $(cat found.json)"
}

results_of_copies_are_not_used_too_early() {
    finds early_array
    says err "cpu-check: result that the host used too early"
    says err "  read by the host"
    says err "  unawaited write by a copy"
    says err "  at byte 32768 of what the copy uses of the program's memory"
    says err "  wait for the queue, or for an event behind the operation, before the host uses its result"
    says found.json '"here":{"access":"read"'
    finds early_memcpy
    finds early_stack
    finds early_array --late
}

results_are_not_overwritten_too_early() {
    finds early_overwritten
    says found.json '"here":{"access":"write"'
    finds early_small
    says found.json '"here":{"access":"submission"'
    says err "between this call and the copy that it submitted"
    finds early_fill
}

buffers_are_not_read_before_the_launch_that_writes_them_is_awaited() {
    for case in early_buffer early_executed early_event; do
        finds $case
        by_kernel
        says err "  unawaited write by iteration "
        says err " of a buffer of 65536 bytes, made at "
    done
}

what_pending_work_uses_is_not_changed() {
    for case in changed_array changed_whole changed_wrapped changed_host changed_rows changed_twice; do
        finds $case
        says err "cpu-check: host memory that pending work uses was changed"
        says err "  write by the host"
        says err "  unawaited read by a copy"
    done
    finds changed_small
    says found.json '"here":{"access":"submission"'
    finds changed_buffer
    by_kernel
    says err "  unawaited read by iteration 3 "
}

a_host_that_waits_is_not_reported() {
    for case in waits events neighbours rows functions function_beside host_event chain constants fork threads stack product; do
        status 0 "$check" --like=sm_90 --host --leaks "$program" "$library" right_$case
        status 0 "$check" "$program" "$library" right_$case
    done
}

nothing_is_reported_unless_it_is_asked_for() {
    for case in early_array early_small early_buffer changed_array changed_small changed_buffer; do
        status 0 "$check" "$program" "$library" $case
    done
}

the_program_ends_as_without_it() {
    ACCEL_BACKEND=cpu-check ACCEL_CHECK_HOST=1 status 0 "$program" "$library" early_array
    [ ! -s out ] && [ ! -s err ] || fail "it prints: $(cat out err)"
    for case in own_handler crash; do
        expected=0
        ACCEL_BACKEND=cpu-check "$program" "$library" $case >/dev/null 2>&1 || expected=$?
        ACCEL_BACKEND=cpu-check ACCEL_CHECK_HOST=1 status $expected "$program" "$library" $case
    done
}

a_program_that_handles_the_signal_is_left_alone() {
    status 1 "$check" --host "$program" "$library" own_handler
    says err "cpu-check failed: ACCEL_CHECK_HOST=1 has no effect: the program handles SIGSEGV itself now"
    [ "$(grep -c "has no effect" err)" -eq 1 ] || fail "more than once: $(cat err)"
}

places_are_suppressed() {
    echo "early host.c:$(line_of 'early: array')" >suppressions
    status 0 "$check" --host --suppress=suppressions "$program" "$library" early_array
    says err "errors at 1 more place were suppressed"
}

run_tests results_of_copies_are_not_used_too_early results_are_not_overwritten_too_early \
    buffers_are_not_read_before_the_launch_that_writes_them_is_awaited what_pending_work_uses_is_not_changed \
    a_host_that_waits_is_not_reported nothing_is_reported_unless_it_is_asked_for the_program_ends_as_without_it \
    a_program_that_handles_the_signal_is_left_alone places_are_suppressed
