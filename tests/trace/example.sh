#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The example of a third party's tool says what ran longest. Usage: example.sh PROGRAM TOOL
set -eu
tool=$(realpath "$2")
said=$(ACCEL_TOOL=$tool "$1" end 2>&1)
echo "$said"
echo "$said" | grep -q '^8$'
echo "$said" | grep -Eq '^12 launches, the longest [0-9.]+ us: (add|set)$'
