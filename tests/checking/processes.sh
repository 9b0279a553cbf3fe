#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Programs that fork, or end early, under cpu-check: their errors are told once, and their results stay.
# Usage: processes.sh TOOLS_TESTS_DIR ACCEL_CHECK PROGRAM KERNEL_DIRECTORY
tests=$1 check=$(realpath "$2") program=$(realpath "$3")
ACCEL_KERNEL_PATH=$(realpath "$4")
export ACCEL_KERNEL_PATH
. "$tests/tap.sh"
unset ACCEL_BACKEND ACCEL_DEVICES ACCEL_CHECK_REPORT ACCEL_CHECK_JSON ACCEL_TRACE ACCEL_SUMMARY ACCEL_TOOL

# ends STATUS HOW: with an error that is told once, and a result that is right.
ends() {
    status "$1" "$check" --json=found.json "$program" "$2" planted race_region
    says out right
    says err 'race between'
    [ "$(grep -c '"kernel":"race_region"' found.json)" -eq 1 ] || fail "not told once: $(cat found.json)"
}

errors_of_a_child_are_told() {
    ends 1 child
    says err 'accel-check: errors of kernels at 1 place'
}

a_child_tells_nothing_of_its_parent_again() {
    ends 1 parent
    says err 'accel-check: errors of kernels at 1 place'
}

a_program_that_ends_early_has_told_its_errors() {
    ends 1 leaves
    ends 137 dies
    ulimit -c 0
    ends 134 aborts
}

a_program_may_end_while_its_queue_works() {
    status 0 "$check" "$program" busy planted right_elements
    for option in --late --host; do
        status 0 "$check" $option "$program" busy planted right_elements
    done
}

a_program_that_dies_is_not_told_to_be_right() {
    ulimit -c 0
    status 137 "$check" "$program" dies planted right_region
    says err 'accel-check: no errors of kernels were found before the program died'
    status 134 "$check" "$program" aborts planted right_region
    says err 'accel-check: no errors of kernels were found before the program died'
}

children_of_programs_without_errors_are_silent() {
    for how in child parent; do
        for option in --leaks --host --late; do
            status 0 "$check" $option "$program" $how planted right_elements
            says out right
            says err 'no errors of kernels were found'
        done
    done
}

a_trace_is_whole_beside_the_reports() {
    command -v python3 >/dev/null || skip "no python3"
    for how in child parent; do
        ACCEL_TRACE=trace.json ACCEL_SUMMARY=1 ends 1 $how
        python3 -c 'import json; json.load(open("trace.json"))' || fail "the trace is no JSON"
    done
}

# It reports nothing of its own of what cpu-check does.
valgrind_sees_no_error_in_the_checker() {
    command -v valgrind >/dev/null || skip "no valgrind"
    valgrind --quiet true >/dev/null 2>&1 || skip "valgrind does not run here"
    ! grep -q '__[at]san_init' "$program" || skip "sanitizers and valgrind exclude each other"
    ulimit -v 60000000
    export ACCEL_BACKEND=cpu-check ACCEL_CHECK_REPORT=- ACCEL_CHECK_STOP=0
    status 0 timeout 100 valgrind --quiet --error-exitcode=9 "$program" leaves planted race_region
    says err 'race between'
    status 0 timeout 100 valgrind --quiet --error-exitcode=9 "$program" leaves planted right_elements
    says out right
    [ ! -s err ] || fail "said: $(cat err)"
}

run_tests valgrind_sees_no_error_in_the_checker errors_of_a_child_are_told a_child_tells_nothing_of_its_parent_again \
    a_program_that_ends_early_has_told_its_errors a_program_may_end_while_its_queue_works \
    a_program_that_dies_is_not_told_to_be_right \
    children_of_programs_without_errors_are_silent a_trace_is_whole_beside_the_reports
