#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A plugin made outside the tree, from the public headers alone, works. Usage: third_party.sh INCLUDE_DIR PLUGIN_SOURCE PROBE
set -eu
include=$1 source=$2 probe=$3
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
mkdir "$dir/include" "$dir/plugins"
cp -R "$include/accel" "$dir/include/"
cp "$source" "$dir/plugin.c"
cd "$dir"
${CC:-cc} -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -fPIC -shared -Iinclude '-DFAKE_NAME="third-party"' plugin.c \
    -o plugins/libaccel-third-party.so
unset ACCEL_BACKEND ACCEL_DEVICES ACCEL_LOG
ACCEL_PLUGIN_PATH="$dir/plugins" "$probe" third-party > output
cat output
grep -q "^third-party usable $dir/plugins/libaccel-third-party.so" output
