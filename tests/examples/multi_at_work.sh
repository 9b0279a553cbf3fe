#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# multi_at_work.sh MULTI COUNT: so many devices compute a picture together, and none fails.
set -u
tab=$(printf '\t')
output=$("$1" --width 64 --height 64 --table-row 2>&1)
case $output in "multi${tab}all${tab}$2 devices at once${tab}yes${tab}"*) exit 0 ;; esac
printf 'FAILED: not %s devices:\n%s\n' "$2" "$output"
exit 1
