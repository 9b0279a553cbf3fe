#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Everything in an old list of layouts or exports is in the new one. A struct may have become larger, by members that begin where
# it ended. Usage: kept.sh OLD NEW
set -eu
awk '
function key(line) { return line ~ /^ / ? struct " " line : line }
/^#/ { next }
/: [0-9]+ bytes$/ { # a struct and its size
    struct = $1
    if (NR == FNR) size[struct] = $2
    else { new_size[struct] = $2; end = size[struct] }
    next
}
NR == FNR { old[key($0)] = 1; next }
{
    seen[key($0)] = 1
    if ($0 ~ /^ / && (struct in size) && !(key($0) in old) && $3 + 0 < end) {
        print struct " " $1 " stands at " $3 + 0 ", but the struct of the old list has " end " bytes"
        bad = 1
    }
}
END {
    for (line in old)
        if (!(line in seen)) { print "gone or moved: " line; bad = 1 }
    for (name in size)
        if (!(name in new_size) || new_size[name] < size[name]) { print "gone or smaller: " name; bad = 1 }
    exit bad
}' "$1" "$2"
