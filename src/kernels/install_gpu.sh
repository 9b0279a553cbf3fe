#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Run by `meson install`: installs the files that a list names, which lie beside it.
# usage: install_gpu.sh LIST DIRECTORY
set -eu
while read -r object; do
    mkdir -p "$MESON_INSTALL_DESTDIR_PREFIX/$2"
    install -m 644 "$(dirname "$1")/$object" "$MESON_INSTALL_DESTDIR_PREFIX/$2/"
done <"$1"
