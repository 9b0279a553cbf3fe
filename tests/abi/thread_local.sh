#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Thread-local storage is at multiples of 64, for the reason that CPU_OF_THREAD tells. Usage: thread_local.sh FILE...
set -eu
for file; do
    align=$(LC_ALL=C readelf -lW "$file" | awk '$1 == "TLS" { print $NF }')
    [ -z "$align" ] || [ "$((align))" -ge 64 ] || { echo "$file: its thread-local storage has an alignment of $align" >&2; exit 1; }
done
