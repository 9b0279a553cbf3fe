#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# histogram.sh HISTOGRAM LISTER: all counts are right on each device that the lister lists; wrong command lines are refused.
set -u
. "$(dirname "$0")/expect.sh"

list_devices "$2"
for device in $devices; do
    for n in 1 255 4097 100003; do
        expect 0 '^verified: ' --elements $n "$device"
    done
done
expect 0 '^3 scatter +[0-9.]+ ms +[0-9.]+$' --elements 1000
expect 0 '^copies of the scatter: [1-9][0-9]*$' --elements 1000
tab=$(printf '\t')
expect 0 "^histogram${tab}[a-z-]+${tab}.*${tab}yes${tab}[0-9.]+$" --elements 1000 --table-row
expect 2 '^histogram: --elements: "0" is not a number from 1 to 4294967295$' --elements 0
expect 2 '^histogram: --elements: "10x" is not a number' --elements 10x
expect 2 '^histogram: --elements: "4294967296" is not a number' --elements 4294967296
expect 2 '^usage: histogram ' --sise
expect 2 '^histogram: ACCEL_NOT_FOUND: .*no-such-device' no-such-device

[ $failed -eq 0 ]
