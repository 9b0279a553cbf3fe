#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Writes the version script of the CPU engine's library. The version is a checksum of the sources that both sides of it are
# compiled from, and of how: a plugin works with the engine that was built with it, and with no other.
# Usage: export.sh SOURCE_ROOT MAP DEPFILE [COMPILER_ARGUMENT...]
set -eu
root=$1 map=$2 depfile=$3
shift 3
cd "$root"
sources=$(find include/accel src/object src/plugins/cpu src/plugins/support -name '*.[chS]' | LC_ALL=C sort)
version=$({ echo "$@"; cat $sources; } | sha256sum | cut -c 1-16)
cd "$OLDPWD"
cat > "$map" <<END
ACCEL_CPU_$version
{
global:
  cpu_*;
local:
  *;
};
END
{
    printf '%s:' "$map"
    for source in $sources; do printf ' %s/%s' "$root" "$source"; done
    echo
} > "$depfile"
