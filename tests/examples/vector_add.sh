#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# vector_add.sh VECTOR_ADD [LISTER]: it verifies its result on each device that it, or the lister, lists, and says what is wrong
# with a name.
set -u
vector_add=$1
name=$(basename "$vector_add")
failed=0
devices=$("${2:-$vector_add}" --list-devices | cut -f 1)
[ -n "$devices" ] || failed=1
for device in $devices; do
    "$vector_add" "$device" | grep -q ' verified, ' || { echo "FAILED: $device"; failed=1; }
done
output=$("$vector_add" no-such-device 2>&1)
[ $? -eq 2 ] && printf '%s\n' "$output" | grep -q "^$name: ACCEL_NOT_FOUND: .*no-such-device" ||
    { echo "FAILED: no-such-device: $output"; failed=1; }
exit $failed
