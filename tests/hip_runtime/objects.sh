#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The suite's kernels as code objects for the stand-in's device. Without a compiler for it: an empty file.
# Usage: objects.sh ACCELCC OUT.gfx90a.hsaco x.k.c ...
set -u
accelcc=$1 out=$2
shift 2
if "$accelcc" --print-targets 2>/dev/null | grep -q '^gfx90a  *\(/[^ ]*\)$'; then
    exec "$accelcc" -o "${out%.gfx90a.hsaco}" --targets=gfx90a "$@"
fi
: >"$out"
