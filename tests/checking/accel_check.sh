#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# accel-check as a shell user meets it. Usage: accel_check.sh TOOLS_TESTS_DIR ACCEL_CHECK PROGRAM KERNEL_DIRECTORY
tests=$1 check=$(realpath "$2") program=$(realpath "$3")
ACCEL_KERNEL_PATH=$(realpath "$4")
export ACCEL_KERNEL_PATH
. "$tests/tap.sh"
unset ACCEL_BACKEND ACCEL_DEVICES ACCEL_CHECK_REPORT ACCEL_CHECK_STOP ACCEL_CHECK_ORDER

errors_are_shown_once_and_counted() {
    status 1 "$check" "$program" planted race_elements
    says out "status 0"
    says err "race between"
    says err "/planted.k.c:"
    says err "accel-check: errors of kernels at "
    [ "$(grep -c 'in kernel "race_elements"' err)" -le 4 ] || fail "the second launch is told again: $(cat err)"
}

a_launch_with_an_error_fails_its_queue_on_request() {
    status 1 "$check" --stop "$program" planted race_elements
    says_not out "status 0"
    says err "race between"
}

a_program_without_errors_succeeds() {
    status 0 "$check" "$program" planted right_elements
    says out "status 0"
    says err "accel-check: no errors of kernels were found"
}

another_order_runs_on_request() {
    status 1 "$check" --order=forwards "$program" planted race_elements
    says err "iteration 1 of a loop over elements of block 0"
    for order in backwards 7; do
        status 0 "$check" --order=$order "$program" planted right_elements
        says err "no errors of kernels were found"
    done
    status 2 "$check" --order=sideways "$program" planted right_elements
    says err '"sideways" is no order'
    ACCEL_BACKEND=cpu-check ACCEL_CHECK_ORDER=sideways status 3 "$program" planted right_elements
    says err 'ACCEL_CHECK_ORDER is "sideways"'
}

the_programs_own_status_comes_first() {
    status 7 "$check" "$program" planted race_elements 7
    status 7 "$check" "$program" planted right_elements 7
    status 137 "$check" sh -c 'kill -9 $$'
}

objects_for_other_targets_are_explained() {
    status 3 "$check" "$program" ordinary right_elements
    says err "accelcc --targets=default,check"
    status 1 "$check" true
    says err "no kernel was checked"
}

wrong_usage_is_explained() {
    status 2 "$check"
    says err "name the program"
    status 2 "$check" --stpo true
    says err 'unknown option "--stpo"'
    status 127 "$check" ./not-there
    says err "./not-there"
    status 0 "$check" --help
    says out "Usage: accel-check"
    status 0 "$check" --version
    says out "accel-check (libaccel)"
}

no_report_is_left_behind() {
    mkdir left
    TMPDIR=$PWD/left status 1 "$check" "$program" planted race_elements
    [ -z "$(ls left)" ] || fail "left behind: $(ls left)"
}

reports_go_to_standard_error_on_request_only() {
    ACCEL_BACKEND=cpu-check status 0 "$program" planted race_elements
    [ ! -s err ] || fail "libaccel said: $(cat err)"
    ACCEL_BACKEND=cpu-check ACCEL_CHECK_REPORT=- status 0 "$program" planted race_elements
    says err "cpu-check: race between"
}

a_limit_of_address_space_leaves_room_for_the_program() {
    ulimit -v 350000
    "$check" --version >plain 2>&1 || skip "sanitizers need more themselves"
    status 1 "$check" "$program" planted race_elements
    says out "status 0"
    says err "race between"
}

it_is_used_only_where_it_is_named() {
    status 0 "$program" ordinary right_elements
    status 3 "$program" planted right_elements
    says err "planted.check.so"
}

run_tests errors_are_shown_once_and_counted a_launch_with_an_error_fails_its_queue_on_request \
    a_program_without_errors_succeeds another_order_runs_on_request the_programs_own_status_comes_first objects_for_other_targets_are_explained \
    wrong_usage_is_explained no_report_is_left_behind reports_go_to_standard_error_on_request_only \
    a_limit_of_address_space_leaves_room_for_the_program it_is_used_only_where_it_is_named
