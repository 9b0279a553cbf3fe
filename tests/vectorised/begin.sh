# shellcheck shell=sh
# SPDX-License-Identifier: Apache-2.0
# What the scripts that look at machine code begin with: `here` is their folder and `accelcc` their argument. Skips where
# there is no objdump or no x86-64; makes the folder `work`.
command -v objdump >/dev/null || { echo "no objdump here"; exit 77; }
[ "$(uname -m)" = x86_64 ] || { echo "x86-64 only"; exit 77; }
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
failed=0 checked=0

fail() { echo "FAILED: $*"; failed=1; }
