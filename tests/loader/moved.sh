#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Plugins are found beside libaccel, wherever it lies and however it was named. Usage: moved.sh LIBACCEL PLUGIN NO_PLUGIN PROBE
set -eu
libaccel=$1 plugin=$2 no_plugin=$3 probe=$4
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset ACCEL_BACKEND ACCEL_DEVICES ACCEL_LOG ACCEL_PLUGIN_PATH

# finds LIBRARY_PATH PATTERN: what the probe prints has a line like it.
finds()
{
    LD_LIBRARY_PATH=$1 "$probe" > "$dir/output"
    if ! grep -q "$2" "$dir/output"; then
        echo "no line like \"$2\" with LD_LIBRARY_PATH=$1:"
        cat "$dir/output"
        exit 1
    fi
}
finds_not()
{
    LD_LIBRARY_PATH=$1 "$probe" > "$dir/output"
    if grep -q "$2" "$dir/output"; then
        echo "a line like \"$2\" with LD_LIBRARY_PATH=$1:"
        cat "$dir/output"
        exit 1
    fi
}

mkdir -p "$dir/one/lib/accel"
cp "$libaccel" "$dir/one/lib/libaccel.so.1"
cp "$plugin" "$dir/one/lib/accel/libaccel-fake.so"
finds "$dir/one/lib" "^fake usable $dir/one/lib/accel/libaccel-fake.so"

# The prefix was moved.
mv "$dir/one" "$dir/two"
finds "$dir/two/lib" "^fake usable $dir/two/lib/accel/libaccel-fake.so"

# Loaded by a relative name, and the working directory is another one then.
cd "$dir/two"
finds lib "^fake usable $dir/two/lib/accel/libaccel-fake.so"
cd "$dir/two/lib"
finds . "^fake usable $dir/two/lib/accel/libaccel-fake.so"
cd /

# In libaccel's own directory, as in a build tree; the private directory comes first.
cp "$plugin" "$dir/two/lib/libaccel-fake.so"
finds "$dir/two/lib" "^fake usable $dir/two/lib/accel/libaccel-fake.so"
rm "$dir/two/lib/accel/libaccel-fake.so"
finds "$dir/two/lib" "^fake usable $dir/two/lib/libaccel-fake.so"

# Another project's library there, whose name begins like ours, is no backend.
cp "$no_plugin" "$dir/two/lib/libaccel-config.so"
finds_not "$dir/two/lib" "^config "
