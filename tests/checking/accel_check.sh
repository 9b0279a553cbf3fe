#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# accel-check as a shell user meets it. Usage: accel_check.sh TOOLS_TESTS_DIR ACCEL_CHECK PROGRAM KERNEL_DIRECTORY SOURCES
tests=$1 check=$(realpath "$2") program=$(realpath "$3")
ACCEL_KERNEL_PATH=$(realpath "$4") sources=$(realpath "$5")
export ACCEL_KERNEL_PATH
. "$tests/tap.sh"
unset ACCEL_BACKEND ACCEL_DEVICES ACCEL_CHECK_REPORT ACCEL_CHECK_STOP ACCEL_CHECK_ORDER ACCEL_CHECK_JSON \
    ACCEL_CHECK_SUPPRESS ACCEL_CHECK_LEAKS ACCEL_CHECK_LATE ACCEL_CHECK_HOST ACCEL_CHECK_TRAPS ACCEL_CHECK_SHARE ACCEL_CHECK_LIMIT ACCEL_CHECK_LIKE ACCEL_CHECK_WARP

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

values_follow_an_equals_sign_or_are_the_next_word() {
    for words in "--order=forwards --share=1 --limit=60 --warp=1" "--order forwards --share 1 --limit 60 --warp 1"; do
        # shellcheck disable=SC2086 # words
        status 1 "$check" $words "$program" planted race_elements
        says err "iteration 1 of a loop over elements of block 0"
    done
    status 1 "$check" --json found.json --like sm_90 "$program" planted race_elements
    [ -s found.json ] || fail "--json FILE writes nothing"
    for option in order share limit like warp json suppress; do
        status 2 "$check" --$option
        says err "accel-check: --$option needs a value"
        status 2 "$check" --${option}s=1 "$program" planted right_elements
        says err "unknown option \"--${option}s=1\""
    done
    for words in "--order sideways" "--share 0" "--limit 0" "--warp 2"; do
        # shellcheck disable=SC2086 # words
        status 2 "$check" $words "$program" planted right_elements
        says err "\"${words#* }\" is no "
    done
    status 2 "$check" --suppress absent "$program" planted right_elements
    says err '"absent" cannot be found'
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
    status 2 "$check" --
    says err "name the program"
    status 0 "$check" --stop -- "$program" planted right_elements
    says err "no errors of kernels were found"
    status 127 "$check" ./not-there
    says err "./not-there"
    status 0 "$check" --help
    says out "Usage: accel-check"
    status 0 "$check" --version
    says out "accel-check (libaccel)"
    if [ -w /dev/full ]; then
        "$check" --help >/dev/full 2>err && fail "--help to a full disk succeeds"
        says err "could not be written"
    fi
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

a_file_for_reports_that_cannot_be_written_is_an_error() {
    ACCEL_BACKEND=cpu-check ACCEL_CHECK_REPORT=/absent/found.txt status 3 "$program" planted right_elements
    says err 'ACCEL_CHECK_REPORT is "/absent/found.txt", which cannot be written: No such file'
    [ -w /dev/full ] || skip "no /dev/full"
    ACCEL_LOG=warning ACCEL_BACKEND=cpu-check ACCEL_CHECK_REPORT=/dev/full status 0 "$program" planted race_elements
    says err '"/dev/full" cannot be written: No space left on device'
    says err "race between"
}

a_limit_of_address_space_leaves_room_for_the_program() {
    ulimit -v 350000
    "$check" --version >plain 2>&1 || skip "sanitizers need more themselves"
    status 1 "$check" "$program" planted race_elements
    says out "status 0"
    says err "race between"
}

# The number of the line of planted.k.c, or of another file, with this comment.
line_of() {
    grep -n "/\* $1 \*/" "$sources/${2:-planted.k.c}" | cut -d: -f1
}

errors_are_written_as_json_for_other_programs() {
    command -v python3 >/dev/null || skip "no python3"
    echo "of an earlier run" >found.json
    status 1 "$check" --json=found.json "$program" planted race_region
    status 1 "$check" --json=barrier.json "$program" planted barrier_skipped
    status 0 "$check" --json=none.json "$program" planted right_elements
    [ -f none.json ] && [ ! -s none.json ] || fail "not empty: $(cat none.json)"
    python3 - "$sources/planted.k.c" "$(line_of 'race_region: here')" "$(line_of 'race_region: other')" <<'END'
import json, os, sys
here, other = ((sys.argv[1], int(line)) for line in sys.argv[2:])
at = lambda side: (os.path.realpath(side["file"]), side["line"])
found = [json.loads(line) for line in open("found.json")]
assert len(found) == 1, found
error = found[0]
assert error["kind"] == "race-threads" and error["kernel"] == "race_region", error
assert error["title"] == "race between threads of a block" and "barrier" in error["remedy"], error
assert at(error["here"]) == here and at(error["other"]) == other, error
assert error["here"]["block"] == [0, 0, 0] and len(error["here"]["thread"]) == 3, error
assert {error["here"]["access"], error["other"]["access"]} <= {"read", "write"}, error
assert error["here"]["atomic"] is False and error["bytes"] == 4 and error["count"] > 1, error
assert "shared array s" in error["memory"] and error["process"] > 0, error
barrier = json.loads(open("barrier.json").read())
assert barrier["kind"] == "barrier" and barrier["here"]["access"] == "barrier" and "memory" not in barrier, barrier
END
}

a_file_for_json_that_cannot_be_written_is_an_error() {
    status 2 "$check" --json=absent/found.json "$program" planted right_elements
    says err '"absent/found.json" cannot be written'
    ACCEL_BACKEND=cpu-check ACCEL_CHECK_JSON=/absent/found.json status 3 "$program" planted right_elements
    says err 'ACCEL_CHECK_JSON is "/absent/found.json", which cannot be written'
    [ -w /dev/full ] || skip "no /dev/full"
    ACCEL_CHECK_JSON=/dev/full status 1 "$check" "$program" planted race_elements
    says out "status 0"
    says err "the file of ACCEL_CHECK_JSON cannot be written: No space left on device"
}

errors_are_suppressed_by_file_and_line() {
    cat >suppressions <<END
# what is known
planted.k.c:$(line_of 'race_region: here')
outside-memory checking/plant*.c
END
    for kernel in race_region outside_behind; do
        status 0 "$check" --suppress=suppressions "$program" planted $kernel
        says err "no errors of kernels were found"
        says err "errors at 1 more place were suppressed"
        says_not err "in kernel"
        status 0 "$check" --stop --suppress=suppressions "$program" planted $kernel
        says out "status 0"
    done
    status 1 "$check" --suppress=suppressions "$program" planted race_elements
    says err "race between"
    says_not err "suppressed"
    echo "unwritten planted.k.c:$(line_of 'race_region: here')" >suppressions
    status 1 "$check" --suppress=suppressions "$program" planted race_region
    says err "race between"
}

what_ends_a_kernel_is_reported_all_the_same() {
    echo planted.k.c >suppressions
    status 1 "$check" --suppress=suppressions "$program" planted outside_everything
    says err "access outside memory"
}

bad_suppressions_are_explained() {
    status 2 "$check" --suppress=absent "$program" planted right_elements
    says err '"absent" cannot be found'
    printf '\nrase planted.k.c:3\n' >suppressions
    status 3 "$check" --suppress=suppressions "$program" planted right_elements
    says err '/suppressions":2: "rase planted.k.c:3" is no suppression; write [KIND] FILE[:LINE]'
    says err "accel-check: no kernel was checked: cpu-check refused a setting"
    ACCEL_BACKEND=cpu-check ACCEL_CHECK_SUPPRESS=$PWD status 3 "$program" planted right_elements
    says err "which cannot be read: Is a directory"
    mkfifo pipe
    for file in pipe /dev/zero; do
        ACCEL_BACKEND=cpu-check ACCEL_CHECK_SUPPRESS=$file status 3 timeout 20 "$program" planted right_elements
        says err "which cannot be read: It is no regular file"
    done
}

leaks_are_found_on_request() {
    for role in one loop; do
        eval "$role=$(grep -n "/\* leak: $role \*/" "$sources/one.c" | cut -d: -f1)"
    done
    status 1 "$check" --leaks --json=leaks.json "$program" planted right_elements 0 3
    says err "cpu-check: buffer that was never released"
    says err "  3 buffers of 3072 bytes in all, made"
    says err "/one.c:$loop"
    says err "  a buffer of 1024 bytes, made"
    says err "/one.c:$one"
    says err "errors of kernels at 2 places"
    says leaks.json '"kind":"leak"'
    says leaks.json "\"line\":$loop"
    echo "leak one.c:$loop" >suppressions
    status 1 "$check" --leaks --suppress=suppressions "$program" planted right_elements 0 3
    says_not err "3 buffers"
    says err "errors at 1 more place were suppressed"
    status 0 "$check" --leaks "$program" planted right_elements
    status 0 "$check" "$program" planted right_elements 0 3
    status 0 "$check" --leaks "$program" planted right_elements 0 0 pending
}

leaks_of_other_objects_are_found_on_request() {
    for role in event queue module; do
        eval "$role=$(grep -n "/\* leak-object: $role \*/" "$sources/one.c" | cut -d: -f1)"
    done
    status 1 "$check" --leaks --json=objects.json "$program" planted right_elements 0 0 objects
    says err "cpu-check: object that was never released"
    for what in "2 events, made:$event" "a queue, made:$queue" "a module, made:$module"; do
        says err "  ${what%:*}"
        says err "/one.c:${what#*:}"
    done
    [ "$(grep -c '"kind":"leak-object"' objects.json)" -eq 3 ] || fail "not three: $(cat objects.json)"
    echo "leak-object one.c" >suppressions
    echo "leak one.c" >>suppressions
    status 0 "$check" --leaks --suppress=suppressions "$program" planted right_elements 0 0 objects
    status 0 "$check" "$program" planted right_elements 0 0 objects
}

races_between_queues_are_written_as_json_and_suppressed() {
    command -v python3 >/dev/null || skip "no python3"
    line=$(grep -n "/\* queue_write: here \*/" "$sources/queues.k.c" | cut -d: -f1)
    status 0 "$check" "$program" planted queue_write
    status 1 "$check" --json=queues.json "$program" planted queue_write 0 0 queues
    says err 'earlier write by iteration 0 of a loop over elements of block 0 of kernel "queue_write"'
    python3 - "$line" <<'END'
import json, sys
error = json.loads(open("queues.json").read())
assert error["kind"] == "race-queues" and error["kernel"] == "queue_write", error
for side in error["here"], error["other"]:
    assert side["operation"] == "launch" and side["line"] == int(sys.argv[1]) and side["access"] == "write", error
assert error["other"]["kernel"] == "queue_write" and "kernel" not in error["here"], error
END
    echo "race-queues queues.k.c:$line" >suppressions
    status 0 "$check" --suppress=suppressions "$program" planted queue_write 0 0 queues
    says err "errors at 1 more place were suppressed"
}

results_that_nobody_waited_for_are_found() {
    for role in read copy; do
        eval "$role=$(grep -n "/\* unawaited: $role \*/" "$sources/one.c" | cut -d: -f1)"
    done
    status 1 "$check" --json=missed.json "$program" planted right_elements 0 0 unawaited
    says err "cpu-check: result that the host never waited for"
    says err "  a copy of 1024 bytes to the host's memory, submitted"
    says err "/one.c:$read"
    says err "/one.c:$copy"
    says err "errors of kernels at 2 places"
    says missed.json '"kind":"unawaited"'
    status 0 "$check" "$program" planted right_elements 0 0 awaited
    echo "unawaited one.c" >suppressions
    status 0 "$check" --suppress=suppressions "$program" planted right_elements 0 0 unawaited
}

released_objects_are_not_used() {
    status 1 "$check" --json=released.json "$program" planted right_elements 0 0 released
    says err "cpu-check: use of a released object"
    says err "  accel_event_record of an event, made at "
    says err "  another release of a queue, made at "
    says err "  another release of a module, made at "
    says out "still 0"
    for what in record wait launch queue write view kernel; do
        says out "$what 2: accel_"
    done
    grep '^record' out | grep -q "accel_event_record: an event, made at .*/one.c:$(line_of 'released-object: event made' one.c), was released at .*/one.c:$(line_of 'released-object: event released' one.c)" ||
        fail "where is not said: $(cat out)"
    for role in record wait launch queue write view module event retained again kernel buffer; do
        grep -q "\"here\":{\"access\":\"[a-z]*\",.*one.c\",\"line\":$(line_of "released-object: $role" one.c)}" released.json ||
            fail "$role is not found: $(cat released.json)"
    done
    [ "$(grep -c '"kind":"released-object"' released.json)" -eq 12 ] || fail "not twelve: $(cat released.json)"
    grep '"access":"use"' released.json | grep -q '"other":{"access":"release",' || fail "$(cat released.json)"
    says released.json "\"line\":$(line_of 'released-object: queue released' one.c)"
    echo "released-object one.c" >suppressions
    status 0 "$check" --suppress=suppressions "$program" planted right_elements 0 0 released
    says err "errors at 12 more places were suppressed"
    status 0 "$check" "$program" planted right_elements 0 0 evicted
}

released_objects_are_not_asked_for_anything() {
    status 1 "$check" --json=released.json "$program" planted right_elements 0 0 queries
    says out "address 1"
    for what in info properties arm wait; do
        says out "$what 2: accel_"
    done
    for role in address info properties arm awaited hosts; do
        grep -q "\"here\":{\"access\":\"[a-z]*\",.*one.c\",\"line\":$(line_of "released-object: $role" one.c)}" released.json ||
            fail "$role is not found: $(cat released.json)"
    done
    [ "$(grep -c '"kind":"released-object"' released.json)" -eq 6 ] || fail "not six: $(cat released.json)"
    says err "  accel_event_arm of an event, made at "
    says err "/one.c:$(line_of 'released-object: host event made' one.c)"
}

instances_and_devices_are_not_used_after_their_end() {
    status 1 "$check" --json=released.json "$program" planted right_elements 0 0 ended
    says out "devices 0"
    for what in find device create host; do
        says out "$what 2: accel_"
    done
    for role in count find device create host devices instance; do
        grep -q "\"here\":{\"access\":\"[a-z]*\",.*one.c\",\"line\":$(line_of "released-object: $role" one.c)}" released.json ||
            fail "$role is not found: $(cat released.json)"
    done
    [ "$(grep -c '"kind":"released-object"' released.json)" -eq 7 ] || fail "not seven: $(cat released.json)"
    says err "  accel_queue_create of an instance, made at "
    says err "  another release of an instance, made at "
}

instances_and_events_of_the_host_are_released() {
    for role in hosts instance; do
        more=$role
        [ $role = instance ] || more=host-event
        status 1 "$check" --leaks --json=leaks.json "$program" planted right_elements 0 0 $more
        says err "cpu-check: object that was never released"
        [ "$(wc -l <leaks.json)" -eq 1 ] || fail "not one: $(cat leaks.json)"
        says leaks.json "one.c\",\"line\":$(line_of "leak-object: $role" one.c)}"
        says leaks.json "\"memory\":\"an "
        status 0 "$check" "$program" planted right_elements 0 0 $more
    done
}

queues_begin_late_on_request() {
    for run in 1 2 3; do
        status 0 "$check" --late "$program" planted right_elements 0 0 early
        says out "early 0"
        says out "waited 1"
    done
    status 0 "$check" --late "$program" planted right_elements 0 0 awaited
    status 1 "$check" --late "$program" planted queue_write 0 0 queues
}

failing_arithmetic_is_found_on_request() {
    status 0 "$check" "$program" planted overflow_multiply
    status 1 "$check" --traps --json=found.json "$program" planted overflow_multiply
    says err "cpu-check: overflow of a signed integer in kernel"
    says found.json '"kind":"overflow"'
    says found.json '"access":"operation"'
}

failed_assertions_name_block_and_thread_and_may_be_suppressed() {
    for option in --order=forwards --order=backwards --warp=32 --share=1 --share=1000; do
        for place in elements threads behind; do
            status 1 "$check" $option --json=found.json "$program" planted asserts_$place
            says out "status 11"
            says err "cpu-check: failed assertion in kernel \"asserts_$place\""
            says err "asserts.k.c:$(line_of "assertion: $place" asserts.k.c)"
            [ $place = elements ] || says err "  assertion of thread 8 of block 3"
            says err " of block 3"
            says err "accel_block_index(acc).x != 3"
            says err "accel-check: errors of kernels at 1 place"
            says found.json '"kind":"assertion"'
            says found.json "\"line\":$(line_of "assertion: $place" asserts.k.c),\"block\":[3,0,0]"
            says found.json '"here":{"access":"assertion"'
            says found.json '"condition":"'
        done
    done
    echo "assertion asserts.k.c" >suppressions
    status 0 "$check" --suppress=suppressions "$program" planted asserts_behind
    says err "errors at 1 more place were suppressed"
    says out "status 11"
}

pointers_that_are_null_are_told() {
    for option in --order=forwards --share=1000; do
        status 1 "$check" $option --json=found.json "$program" planted outside_unset
        says found.json '"memory":"at address 0x8: the pointer is NULL","remedy":"set the pointer before the launch'
    done
    status 1 "$check" --json=found.json "$program" planted outside_null
    says found.json '"memory":"at address 0x0: the pointer is NULL","remedy":"set the pointer before the launch'
}

a_kernel_that_never_began_is_told_from_missing_objects() {
    status 3 "$check" "$program" planted no_such_kernel
    says err "no kernel was checked: the program has loaded objects for target check"
    status 1 "$check" --late "$program" planted right_elements 0 0 unbegun
    says err "cpu-check: result that the host never waited for"
    says err "no kernel was checked: the program has loaded objects for target check, but no kernel had begun"
    says err "accel-check: errors of kernels at 1 place"
    says_not err "accelcc"
}

a_share_of_the_blocks_is_checked_for_races() {
    status 1 "$check" "$program" planted blocks_neighbour
    says err "192 times in this launch"
    status 1 "$check" --share=100 "$program" planted blocks_neighbour
    says err "64 times in this launch"
    status 2 "$check" --share=0 "$program" planted blocks_neighbour
    says err '"0" is no share'
}

a_block_that_does_not_end_is_ended_on_request() {
    status 1 "$check" --limit=1 --json=found.json "$program" planted endless_blocks
    says err 'block that does not end in kernel "endless_blocks"'
    says found.json '"kind":"endless"'
    status 1 "$check" --limit=1 --json=found.json "$program" planted endless_barrier
    says found.json '"access":"barrier"'
    status 2 "$check" --limit=0 "$program" planted endless_blocks
    says err '"0" is no limit'
}

launches_that_a_gpu_would_refuse_are_found_on_request() {
    status 0 "$check" "$program" planted limits_static
    status 1 "$check" --like=sm_80 --json=found.json "$program" planted limits_static
    says err "52000 bytes of static shared memory in a block; sm_80 has 49152"
    says found.json '"kind":"limits"'
    says found.json '"access":"definition"'
    ACCEL_BACKEND=cpu-check ACCEL_CHECK_LIKE=sm_9 status 3 "$program" planted right_elements
    says err 'ACCEL_CHECK_LIKE is "sm_9"; it may be sm_50, '
}

warps_have_lanes_on_request() {
    status 0 "$check" "$program" planted warp_branches
    status 1 "$check" --warp=32 --json=found.json "$program" planted warp_branches
    says err "warp operation without some of its lanes"
    says found.json '"kind":"warp"'
    says found.json '"access":"warp operation"'
    says found.json '"access":"barrier"'
    status 0 "$check" --warp=64 "$program" planted right_lanes
    status 1 "$check" --warp=32 "$program" planted warp_first
    status 1 "$check" --warp=32 "$program" planted warp_elements
    echo "warp-form planted.k.c" >suppressions
    status 0 "$check" --warp=32 --suppress=suppressions "$program" planted warp_elements
    status 2 "$check" --warp=16 "$program" planted warp_branches
    says err "\"16\" is no number of a warp's threads"
    ACCEL_BACKEND=cpu-check ACCEL_CHECK_WARP=16 status 3 "$program" planted right_elements
    says err 'ACCEL_CHECK_WARP is 16; it may be 1, 32 or 64'
}

it_is_used_only_where_it_is_named() {
    status 0 "$program" ordinary right_elements
    status 3 "$program" planted right_elements
    says err "planted.check.so"
}

run_tests errors_are_shown_once_and_counted a_launch_with_an_error_fails_its_queue_on_request \
    a_program_without_errors_succeeds another_order_runs_on_request values_follow_an_equals_sign_or_are_the_next_word \
    the_programs_own_status_comes_first objects_for_other_targets_are_explained \
    wrong_usage_is_explained no_report_is_left_behind reports_go_to_standard_error_on_request_only \
    errors_are_written_as_json_for_other_programs a_file_for_json_that_cannot_be_written_is_an_error \
    errors_are_suppressed_by_file_and_line what_ends_a_kernel_is_reported_all_the_same bad_suppressions_are_explained \
    leaks_are_found_on_request leaks_of_other_objects_are_found_on_request \
    results_that_nobody_waited_for_are_found released_objects_are_not_used released_objects_are_not_asked_for_anything \
    instances_and_devices_are_not_used_after_their_end instances_and_events_of_the_host_are_released queues_begin_late_on_request \
    races_between_queues_are_written_as_json_and_suppressed failing_arithmetic_is_found_on_request \
    failed_assertions_name_block_and_thread_and_may_be_suppressed pointers_that_are_null_are_told \
    a_kernel_that_never_began_is_told_from_missing_objects \
    a_share_of_the_blocks_is_checked_for_races a_block_that_does_not_end_is_ended_on_request \
    launches_that_a_gpu_would_refuse_are_found_on_request warps_have_lanes_on_request \
    a_file_for_reports_that_cannot_be_written_is_an_error \
    a_limit_of_address_space_leaves_room_for_the_program it_is_used_only_where_it_is_named
