#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# nbody.sh NBODY LISTER: particles move as in plain C on each device that the lister lists; wrong command lines are refused.
set -u
. "$(dirname "$0")/expect.sh"

list_devices "$2"
energy=
for device in $devices; do
    expect 0 '^verified: ' --side 8 --steps 30 "$device"
    # The digits of the energy are the same on all of them.
    energy=${energy:-$(printf '%s\n' "$output" | grep '^energy ')}
    expect 0 '^verified: ' --side 11 --steps 3 "$device"
    expect 0 "^${energy%%,*}," --side 8 --steps 30 "$device"
done
tab=$(printf '\t')
expect 0 "^nbody${tab}[a-z-]+${tab}.*${tab}yes${tab}[0-9.]+$" --side 8 --steps 1 --table-row
expect 2 '^nbody: --side: "7" is not a number from 8 to 500$' --side 7
expect 2 '^nbody: --steps: "0" is not a number' --steps 0
expect 2 '^nbody: --steps: "10x" is not a number' --steps 10x
expect 2 '^usage: nbody ' --sise
expect 2 '^nbody: .*no-such-device' no-such-device

[ $failed -eq 0 ]
