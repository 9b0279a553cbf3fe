#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The CPU plugins find their engine beside them, wherever that is, and say so if it is missing or of another build.
# Usage: engine.sh LIBACCEL ENGINE PLUGIN PROBE
set -eu
libaccel=$1 engine=$2 plugin=$3 probe=$4
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unset ACCEL_BACKEND ACCEL_DEVICES ACCEL_LOG ACCEL_PLUGIN_PATH

# shows PREFIX LINE: what the probe prints has a line that matches.
shows()
{
    LD_LIBRARY_PATH=$1/lib "$probe" > "$dir/output"
    if ! grep -q "$2" "$dir/output"; then
        echo "no line like \"$2\" below $1:"
        cat "$dir/output"
        exit 1
    fi
}

mkdir -p "$dir/one/lib/accel"
cp "$libaccel" "$dir/one/lib/libaccel.so.1"
cp "$engine" "$plugin" "$dir/one/lib/accel"
shows "$dir/one" "^cpu-serial usable $dir/one/lib/accel/libaccel-cpu-serial.so"

# The prefix was moved.
mv "$dir/one" "$dir/two"
shows "$dir/two" "^cpu-serial usable $dir/two/lib/accel/libaccel-cpu-serial.so"

# The engine is no backend.
LD_LIBRARY_PATH=$dir/two/lib "$probe" > "$dir/output"
if grep "^[^ ]*engine\|^[^ ]*accelcpu" "$dir/output"; then exit 1; fi

# Without it, or with one of another build, the plugin is refused with the reason and what to do.
own=$dir/two/lib/accel/libaccelcpu.so
sed 's/ACCEL_CPU_[0-9a-f]\{16\}/ACCEL_CPU_another_build___/' "$own" > "$dir/another"
mv "$dir/another" "$own"
shows "$dir/two" "cpu-serial.so: load: .*libaccelcpu.so: version .ACCEL_CPU_[0-9a-f]*. not found .*install"
rm "$own"
shows "$dir/two" "cpu-serial.so: load: libaccelcpu.so: cannot open .*install"
