#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# amplified_emission.sh PROGRAM LISTER: fluxes are those of plain C and of the quadrature on each device that the lister lists,
# with the same digits; tables have all sample points; wrong command lines are refused.
set -u
. "$(dirname "$0")/expect.sh"
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT

list_devices "$2"
for device in $devices; do
    expect 0 '^verified: .* quadrature' --side 4 --layers 2 --rays 1000 --table "$scratch/$device" "$device"
    first=${first:-$device}
    cmp "$scratch/$first" "$scratch/$device" || fail "$first and $device differ"
    expect 0 '^verified: ' --side 3 --layers 1 --rays 1500 --spot 0.5 "$device"
    # 15 digits.
    largest=${largest:-$(printf '%s\n' "$output" | grep '^largest flux ')}
    [ "$largest" = "$(printf '%s\n' "$output" | grep '^largest flux ')" ] || fail "$first: $largest; $device: $output"
done
[ "$(grep -c '^[0-9]' "$scratch/$first")" -eq 75 ] || fail 'the table has not 5 * 5 vertices on 3 levels'

# Other numbers, other rays.
expect 0 '^verified: ' --side 3 --layers 1 --rays 1500 --spot 0.5 --seed 2
! printf '%s\n' "$output" | grep -Fqx "$largest" || fail 'another seed gave the same flux'

tab=$(printf '\t')
expect 0 "^amplified-emission${tab}[a-z-]+${tab}.*${tab}yes${tab}[0-9.]+$" --side 2 --layers 1 --rays 1000 --table-row
expect 0 '^  --spot R ' --help
expect 2 '^amplified-emission: --side: "1" is not a number from 2 to 100$' --side 1
expect 2 '^amplified-emission: --layers: "0" is not a number' --layers 0
expect 2 '^amplified-emission: --rays: "1000x" is not a number' --rays 1000x
expect 2 '^amplified-emission: --spot: "-1" is not a radius above 0, up to 10$' --spot -1
expect 2 '^amplified-emission: --spot: its value is missing' --spot
expect 2 '^amplified-emission: there is no option "--sise"; --help' --sise
expect 2 '^amplified-emission: two devices, "a" and "b": name one$' a b
expect 2 '^amplified-emission: .*no-such-device' no-such-device
[ ! -e /dev/full ] || expect 2 '^amplified-emission: /dev/full: No space left' --side 2 --layers 1 --rays 1000 --table /dev/full

[ $failed -eq 0 ]
