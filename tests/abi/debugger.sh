#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A debugger prints names of statuses, states and flags, as accel.h says. Usage: debugger.sh INCLUDE_DIR
set -eu
include=$1
command -v gdb > /dev/null || { echo 'no gdb here'; exit 77; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cat > "$dir/program.c" << 'SOURCE'
#include <accel/accel.h>
/* An enumeration is in the debug information of a file that uses one of its values. */
accel_status status = ACCEL_LIMIT;
uint32_t state = ACCEL_BACKEND_USABLE, features = ACCEL_FEATURE_PINNED, flags = ACCEL_QUEUE_BLOCKING;
int main(void) { return 0; }
SOURCE
cp "$dir/program.c" "$dir/program.cpp"

expect() # EXPRESSION NAMES
{
    said=$(gdb -nx -batch -ex "print $1" "$dir/program" 2>&1)
    [ "$said" = "\$1 = $2" ] || { echo "$suffix: print $1: $said" >&2; exit 1; }
}
for suffix in c cpp; do
    case $suffix in
    c) compiler="${CC:-cc} -std=c11" ;;
    cpp) compiler="${CXX:-c++} -std=c++17" ;;
    esac
    command -v "${compiler%% *}" > /dev/null || continue
    $compiler -g -I "$include" "$dir/program.$suffix" -o "$dir/program"
    expect '(enum accel_status_code)status' ACCEL_LIMIT
    expect '(enum accel_status_code)5' ACCEL_NOT_FOUND
    expect '(enum accel_backend_state)state' ACCEL_BACKEND_USABLE
    expect '(enum accel_feature)(features | 64)' '(ACCEL_FEATURE_PINNED | ACCEL_FEATURE_COOPERATIVE)'
    expect '(enum accel_queue_flag)3' '(ACCEL_QUEUE_BLOCKING | ACCEL_QUEUE_PROFILING)'
done
