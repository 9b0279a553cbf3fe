#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds cpu_fiber_probe for aarch64 and runs it under qemu. Arguments: src/plugins/cpu/fiber, the probe's source, a
# directory to write to. Exit status 77, Meson's word for "skipped", where a tool is missing.
set -eu
engine=$1 probe=$2 out=$3
cc=${AARCH64_CC:-aarch64-linux-gnu-gcc}
for tool in "$cc" qemu-aarch64; do
    command -v "$tool" >/dev/null 2>&1 || { echo "skipped: there is no $tool"; exit 77; }
done
mkdir -p "$out"
"$cc" -std=c11 -D_GNU_SOURCE -O2 -static -I"$engine/../../.." -o "$out/cpu_fiber_probe" \
    "$probe" "$engine/fiber.c" "$engine/fiber_aarch64.S"
qemu-aarch64 "$out/cpu_fiber_probe"
