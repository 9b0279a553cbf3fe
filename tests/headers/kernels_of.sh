# SPDX-License-Identifier: Apache-2.0
# Sourced by scripts that look at objects; they set `root`.
# kernels_of SOURCE...: names of the kernels defined there, those that macros define included.
kernels_of() {
    for source in "$@"; do
        cc -E -I"$root/include" -I"$root/src" "$source"
    done | grep -o 'accel_descriptor_[A-Za-z_0-9]*' | sed 's/accel_descriptor_//' | sort -u
}
