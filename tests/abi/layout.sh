#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Layouts and constants are those of the committed list. What is appended to a struct is appended to the list; nothing
# else in it may change. Usage: layout.sh LAYOUT_PROGRAM LIST
set -eu
actual=$(mktemp)
trap 'rm -f "$actual"' EXIT
"$1" > "$actual"
diff -u "$2" "$actual"
