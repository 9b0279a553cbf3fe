#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A set-uid program obeys no variable of hwloc, which name files to read and plugins to load. Needs root, to make one, and a temporary
# directory that honours the bit; else skipped. Usage: cpu_topology_setuid.sh UNIT_TEST
set -eu
[ "$(id -u)" = 0 ] || exit 77
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
chmod 755 "$dir"
cp "$1" "$dir/test"
chown nobody "$dir/test"
chmod 4755 "$dir/test"
CK_RUN_CASE=a_set_uid_program_obeys_no_variable_of_hwloc "$dir/test" >"$dir/output" || { cat "$dir/output"; exit 1; }
cat "$dir/output"
grep -q "Checks: 1," "$dir/output" || exit 77 # the bit is not honoured here
