#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Makes the documentation site, OUTPUT/index.html, without a network. A warning is an error. Ends with 77 if a tool is missing.
#   site.sh SOURCE_ROOT OUTPUT
#   site.sh --tools              only looks for the tools
set -eu
[ $# -eq 2 ] || [ "$*" = --tools ] || { echo 'usage: site.sh SOURCE_ROOT OUTPUT, or site.sh --tools' >&2; exit 2; }
missing=
command -v doxygen >/dev/null || missing=doxygen
python=
for candidate in python3 /usr/bin/python3; do # the system's is not always the first
    [ -n "$python" ] || ! "$candidate" -c 'import furo, myst_parser, sphinx' 2>/dev/null || python=$candidate
done
[ -n "$python" ] || missing="$missing furo python3-myst-parser python3-sphinx"
if [ -n "$missing" ]; then
    echo "site.sh: these are missing (packages of Debian):" $missing >&2
    exit 77
fi
[ $# -eq 2 ] || exit 0
if [ -e "$2" ] && [ ! -f "$2/searchindex.js" ] && [ -n "$(ls -A "$2")" ]; then
    echo "site.sh: $2 is there, and is no site" >&2
    exit 1
fi
source=$(realpath "$1")
rm -rf "$2"
mkdir -p "$2"
output=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PYTHONDONTWRITEBYTECODE=1 SITE_SOURCE="$source" SITE_TAGS="$work/api/libaccel.tag" LC_ALL=C.UTF-8
"$source/docs/api.sh" "$source" "$work/api" >/dev/null
"$python" "$source/docs/site/stage.py" "$source" "$work/pages"
"$python" -m sphinx -W --keep-going -q -c "$source/docs/site" -d "$work/trees" "$work/pages" "$output"
mv "$work/api/html" "$output/api"
sed -i 's|<div id="projectname">libaccel|<div id="projectname"><a href="../index.html">libaccel</a>|' "$output"/api/*.html # the way back
echo "$output/index.html"
