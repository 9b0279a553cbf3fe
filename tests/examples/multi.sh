#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# multi.sh MULTI: several devices compute one picture as plain C does, also when some of them fail; wrong command lines are
# refused. ACCEL_PLUGIN_PATH has the backend faulty, whose two devices fail at the operation that FAULTY_FAILS numbers.
set -u
multi=$1
failed=0

expect()
{
    # expect STATUS PATTERN ARGUMENT...: exit status, and an extended regular expression that a line of output matches
    status=$1
    pattern=$2
    shift 2
    output=$("$multi" "$@" 2>&1)
    found=$?
    [ $found -eq "$status" ] || complain "exit status $found"
    has "$pattern"
}

has()
{
    printf '%s\n' "$output" | grep -Eq -e "$1" || complain "no line matches \"$1\""
}

complain()
{
    failed=$((failed + 1))
    printf 'FAILED: %s: %s\n%s\n' "$multi" "$1" "$output"
}

export ACCEL_BACKEND=cpu-serial,cpu-threads
expect 0 '^verified: ' --width 64 --height 64
has '^cpu-serial:0 +[1-9]'
has '^cpu-threads:0 +[1-9]'
has ' alone +[0-9.]+ ms: [0-9.]+ times as long$'
expect 0 '^verified: ' --width 1 --height 1
expect 0 '^verified: ' --width 100 --height 2 --steps 1
tab=$(printf '\t')
expect 0 "^multi${tab}all${tab}2 devices at once${tab}yes${tab}[0-9.]+$" --width 33 --height 31 --table-row
ACCEL_BACKEND=cpu-serial
expect 0 '^cpu-serial:0 +50 +100.0 %' --width 50 --height 50
has '^verified: '
ACCEL_BACKEND=faulty,cpu-serial
expect 0 '^verified: ' --width 64 --height 64
has '^faulty:1 +[1-9]'

# The first part's launch and copy, and the second's.
for operation in 1 2 3 4; do
    export FAULTY_FAILS=$operation
    expect 0 '^verified: ' --width 64 --height 64
    parts=$(((operation - 1) / 2))
    for device in faulty:0 faulty:1; do
        has "^$device +$parts .*failed$"
        has "^$device failed, and the others got its rows: ACCEL_DRIVER: .*on request"
    done
    has "^cpu-serial:0 +$((64 - 2 * parts)) "
    expect 0 "${tab}1 device at once${tab}yes${tab}" --width 64 --height 64 --table-row
    has '^faulty:0 failed, '
done
ACCEL_BACKEND=faulty
expect 1 '^no device is left$' --width 64 --height 64
has '^NOT VERIFIED$'
unset FAULTY_FAILS
export FAULTY_LOST=3
ACCEL_BACKEND=faulty,cpu-serial
expect 0 '^verified: ' --width 64 --height 64
has '^faulty:1 failed, .*: ACCEL_DEVICE_LOST: '
unset FAULTY_LOST

expect 2 '^multi: --width: "0" is not a number from 1 to 65536$' --width 0
expect 2 '^multi: --height: "1x" is not a number' --height 1x
expect 2 '^multi: --steps: "-1" is not a number' --steps -1
expect 2 '^usage: multi ' --size
ACCEL_BACKEND=cpu-seria
expect 2 '^multi: .*cpu-serial'

[ $failed -eq 0 ]
