#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Makes the API reference, OUTPUT/html/index.html. A warning of Doxygen is an error. Usage: api.sh SOURCE_ROOT OUTPUT
set -eu
mkdir -p "$2"
output=$(realpath "$2")
cd "$1"
{ cat docs/Doxyfile; echo "OUTPUT_DIRECTORY = \"$output\""; echo "GENERATE_TAGFILE = \"$output/libaccel.tag\""; } | doxygen -
[ -f "$output/html/index.html" ] && echo "$output/html/index.html"
