#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# C3, C4: a set-uid program does not look where its caller's environment points. Needs root, to make one, and a temporary directory that
# honours the bit; else skipped. Usage: setuid.sh PROBE PLUGIN (a probe that holds libaccel's code itself)
set -eu
probe=$1 plugin=$2
[ "$(id -u)" = 0 ] || exit 77
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
chmod 755 "$dir"
cp "$probe" "$dir/probe"
mkdir "$dir/plugins"
cp "$plugin" "$dir/plugins/libaccel-fake.so"
unset ACCEL_BACKEND ACCEL_DEVICES
export ACCEL_PLUGIN_PATH="$dir/plugins" ACCEL_LOG="debug:$dir/log"
"$dir/probe" fake > "$dir/output"
grep -q "^fake usable" "$dir/output"
grep -q "fake" "$dir/log"
rm "$dir/log"
chown nobody "$dir/probe"
chmod 4755 "$dir/probe"
"$dir/probe" fake > "$dir/output"
cat "$dir/output"
grep -q "^secure 1" "$dir/output" || exit 77
! grep -q "^fake" "$dir/output"
[ ! -e "$dir/log" ]
