#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# image.sh IMAGE PHOTO [LISTER]: the photograph is filtered as in plain C, on each device that the lister lists, or on the
# first one; pictures show what was computed; damaged files and wrong command lines are refused.
set -u
photo=$2
. "$(dirname "$0")/expect.sh"
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT

devices=
if [ $# -gt 2 ]; then
    list_devices "$3"
fi
for device in ${devices:-''}; do
    for radius in 1 6 16; do
        expect 0 '^verified: ' --radius $radius "$photo" ${device:+"$device"}
        says '^levels from 4 to 194, median 122$'
    done
done

expect 0 '^verified: ' "$photo" --out "$scratch/a"
[ "$(cd "$scratch" && echo *)" = 'a-blurred.png a-grey.png a-histogram.png' ] || fail "pictures: $(ls "$scratch")"
expect 0 '^301 x 200 pixels ' "$scratch/a-grey.png" # which is grey already
says '^levels from 4 to 194, median 122$'
expect 0 '^301 x 200 pixels ' "$scratch/a-blurred.png"
says "^levels from 15 to 192, median 120$"
expect 0 '^256 x 100 pixels ' "$scratch/a-histogram.png"
says '^levels from 0 to 255, median 255$'

if command -v python3 >/dev/null; then
    # png COLUMNS ROWS KIND BYTE...: a picture all of whose pixels are these bytes; kind 2 has three, kind 6 has four of them
    png()
    {
        python3 -c '
import struct, sys, zlib
columns, rows, kind, *pixel = map(int, sys.argv[1:])
def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
data = zlib.compress((b"\0" + bytes(pixel) * columns) * rows)
sys.stdout.buffer.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", columns, rows, 8, kind, 0, 0, 0))
    + chunk(b"IDAT", data) + chunk(b"IEND", b""))' "$@" >"$scratch/made.png"
    }
    png 1 1 2 255 0 0
    expect 0 '^levels from 77 to 77, median 77$' --radius 16 "$scratch/made.png"
    says '^verified: '
    png 33 17 2 0 255 255
    expect 0 '^levels from 178 to 178, median 178$' --radius 16 "$scratch/made.png"
    says '^verified: '
    png 5 70 6 0 0 0 0 # transparent
    expect 0 '^levels from 255 to 255, median 255$' "$scratch/made.png"
fi

head -c 5000 "$photo" >"$scratch/short.png"
expect 2 "^image: $scratch/short.png: [A-Za-z]" "$scratch/short.png"
expect 2 "^image: $0: .*PNG" "$0"
expect 2 "^image: $scratch/none.png: No such file" "$scratch/none.png"
expect 2 "^image: $scratch/none/a-grey.png: No such file" "$photo" --out "$scratch/none/a"

tab=$(printf '\t')
expect 0 "^image${tab}[a-z-]+${tab}.*${tab}yes${tab}[0-9.]+$" --table-row "$photo"
expect 0 '^  --out PREFIX ' --help
expect 2 '^image: --radius: "17" is not a number from 1 to 16$' --radius 17 "$photo"
expect 2 '^image: --radius: "2x" is not a number' --radius 2x "$photo"
expect 2 '^image: --radius: its value is missing' "$photo" --radius
expect 2 '^image: there is no option "--radio"; image --help' --radio "$photo"
expect 2 '^image: two devices, "b" and "c": name one$' a b c
expect 2 '^image: no photograph: ' --radius 2
expect 2 '^image: .*no-such-device' "$photo" no-such-device
ACCEL_BACKEND=no-such-backend expect 2 '^image: .*no-such-backend' "$photo"

[ $failed -eq 0 ]
