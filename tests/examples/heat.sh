#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# heat.sh HEAT LISTER: heat spreads as in plain C on each device that the lister lists; pictures have the colours of the
# temperatures; progress is for terminals only; wrong command lines are refused.
set -u
. "$(dirname "$0")/expect.sh"
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT

list_devices "$2"
for device in $devices; do
    expect 0 '^verified: ' --side 65 --steps 103 --every 10 "$device" # the last snapshot is after three steps
    expect 0 'with 11 snapshots$' --side 64 --steps 21 --every 2 "$device"
    expect 0 'with 1 snapshots$' --side 3 --steps 1 "$device"
done

# Three snapshots and the start. Of 3 * 3 points one is not at the edge: 0.5 - 0.3 at the start, which is a light red.
expect 0 '^verified: ' --side 3 --steps 12 --every 5 --animation "$scratch/a" --picture "$scratch/end.ppm"
[ "$(cd "$scratch" && echo *)" = 'a-0000.ppm a-0001.ppm a-0002.ppm a-0003.ppm end.ppm' ] || fail "pictures: $(ls "$scratch")"
cmp "$scratch/a-0003.ppm" "$scratch/end.ppm" || fail 'the last picture is not that of the end'
white='255 255 255 '
edge=$white$white$white$white
pixels=$(tail -c 27 "$scratch/a-0000.ppm" | od -An -v -tu1 | tr -s ' \n' ' ')
[ "$pixels" = " ${edge}255 204 204 $edge" ] || fail "the picture of the start is $pixels"
[ "$(head -n 3 "$scratch/end.ppm" | tr '\n' ' ')" = 'P6 3 3 255 ' ] || fail "head: $(head -n 3 "$scratch/end.ppm")"

quiet=$("$program" --side 8 --steps 2 2>&1 >/dev/null)
[ -z "$quiet" ] || fail "without a terminal there was on standard error: $quiet"
if command -v python3 >/dev/null; then
    shown=$(python3 -c 'import pty, sys; pty.spawn(sys.argv[1:])' "$program" --side 8 --steps 3 --every 1 </dev/null)
    case $shown in
    *'step 1 of 3'*'step 2 of 3'*verified*) ;;
    *) fail "a terminal saw no progress: $shown" ;;
    esac
fi

tab=$(printf '\t')
expect 0 "^heat${tab}[a-z-]+${tab}.*${tab}yes${tab}[0-9.]+$" --side 8 --steps 1 --table-row
expect 0 '^  --animation PREFIX ' --help
expect 2 '^heat: --side: "2" is not a number from 3 to 30000$' --side 2
expect 2 '^heat: --steps: "10x" is not a number' --steps 10x
expect 2 '^heat: --every: "0" is not a number' --every 0
expect 2 '^heat: --every: its value is missing' --every
expect 2 '^heat: there is no option "--sise"; heat --help' --sise
expect 2 '^heat: two devices, "a" and "b": name one$' a b
expect 2 '^heat: .*no-such-device' no-such-device
expect 2 "^heat: $scratch/none/end.ppm: No such file" --side 8 --steps 1 --picture "$scratch/none/end.ppm"
[ ! -e /dev/full ] || expect 2 '^heat: /dev/full: No space left' --side 8 --steps 1 --picture /dev/full

[ $failed -eq 0 ]
