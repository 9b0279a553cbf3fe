#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `meson dist` makes an archive that builds, and that passes its unit tests. By hand: it takes minutes.
# Usage: dist.sh BUILD_DIR DIRECTORY, which is made and keeps the archive. Nothing uncommitted may be in the source tree.
set -eu
build=$(realpath "$1")
mkdir "$2"
cd "$2"
meson dist -C "$build" --no-tests --formats xztar
cp "$build"/meson-dist/libaccel-*.tar.xz .
tar -xf libaccel-*.tar.xz
cd libaccel-*/
meson setup ../build -Dtests=true
meson test -C ../build --suite unit --print-errorlogs
