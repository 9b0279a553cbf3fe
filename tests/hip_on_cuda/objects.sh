#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Copies cubins, NAME.sm_90.cubin, into a directory as NAME.gfxsm90.hsaco; see README.md.
# usage: objects.sh DIRECTORY CUBIN...
set -eu
directory=$1
shift
mkdir -p "$directory"
for cubin in "$@"; do
    file=$(basename "$cubin" .cubin)
    name=${file%.sm_*} capability=${file##*.sm_}
    object=$directory/$name.gfxsm$capability.hsaco
    cp "$cubin" "$object.part"
    # e_machine, at byte 18, little-endian: EM_AMDGPU, 224.
    printf '\340\000' | dd of="$object.part" bs=1 seek=18 conv=notrunc status=none
    mv "$object.part" "$object"
done
