#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# reduction.sh REDUCTION LISTER: all six sums are right on each device that the lister lists, for numbers of elements around
# those where a launch or a block begins; wrong command lines are refused.
set -u
. "$(dirname "$0")/expect.sh"

devices=$("$2" --list-devices | cut -f 1)
[ -n "$devices" ] || failed=1
for device in $devices; do
    for n in 1 255 256 257 4096 4097 65537 100003; do
        expect 0 '^verified: ' --elements $n "$device"
    done
done
expect 0 '^1 neighbours pair up +3 +[0-9.]+ ms +[0-9.]+$' --elements 65537
expect 0 '^5 a block of fixed extent +2 +[0-9.]+ ms +[0-9.]+$' --elements 65537
tab=$(printf '\t')
expect 0 "^reduction${tab}[a-z-]+${tab}.*${tab}yes${tab}[0-9.]+$" --elements 1000 --table-row
expect 2 '^reduction: --elements: "0" is not a number of elements, from 1 on$' --elements 0
expect 2 '^reduction: --elements: "-1" is not a number of elements, from 1 on$' --elements -1
expect 2 '^reduction: --elements: "10x" is not a number of elements, from 1 on$' --elements 10x
expect 2 '^reduction: --elements: "99999999999999999999" is not a number' --elements 99999999999999999999
expect 2 '^usage: reduction ' --sise
expect 2 '^reduction: ACCEL_NOT_FOUND: .*no-such-device' no-such-device

[ $failed -eq 0 ]
