#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# kept.sh sees each way to break a list of layouts, and lets appended members pass. Usage: kept_test.sh LIST
set -eu
here=$(dirname "$0") list=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

passes() { sh "$here/kept.sh" "$list" "$dir/new" || { echo "$1 was refused" >&2; exit 1; }; }
fails() # WHAT WORDS
{
    if sh "$here/kept.sh" "$list" "$dir/new" > "$dir/said"; then echo "$1 passed" >&2; exit 1; fi
    grep -q "$2" "$dir/said" || { cat "$dir/said" >&2; exit 1; }
}

cp "$list" "$dir/new"
passes 'the same list'
sed 's/^accel_queue_desc: 12 bytes/accel_queue_desc: 16 bytes/; s/^\(  .priority at 8, 4 bytes\)$/\1\n  .more at 12, 4 bytes/' \
    "$list" > "$dir/new"
grep -q 'more at 12' "$dir/new"
passes 'a member behind the last one'
echo 'ACCEL_ANOTHER = 77' >> "$dir/new"
passes 'another constant'
sed 's/^\(  .args_align at .*\)$/\1\n  .more at 3, 1 bytes/' "$list" > "$dir/new"
fails 'a member within the old size' 'more stands at 3'
sed '/^  .priority at 8/d' "$list" > "$dir/new"
fails 'a struct without a member' 'gone or moved: accel_queue_desc:   .priority'
sed 's/^  .priority at 8/  .priority at 12/' "$list" > "$dir/new"
fails 'a member elsewhere' 'gone or moved: accel_queue_desc:   .priority'
sed 's/^accel_queue_desc: 12/accel_queue_desc: 8/' "$list" > "$dir/new"
fails 'a smaller struct' 'gone or smaller: accel_queue_desc:'
sed 's/^ACCEL_LIMIT = 8/ACCEL_LIMIT = 9/' "$list" > "$dir/new"
fails 'another value of a constant' 'gone or moved: ACCEL_LIMIT = 8'
