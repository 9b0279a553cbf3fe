#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# README's program: its files, its commands, its output. The files are the ```c blocks that begin with a comment naming
# them; the commands are the indented lines that compile or run it. Usage: readme.sh README BUILD_DIR
set -euo pipefail
readme=$(realpath "$1") build=$(realpath "$2")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

awk -v dir="$dir" '
    /^```c$/ { inside = 1; name = ""; next }
    /^```/ { inside = 0 }
    inside && name == "" {
        if (match($0, /^\/\* [a-z0-9.-]+\.[ch]/)) {
            name = substr($0, 4, RLENGTH - 3)
            print name
        } else {
            name = "-"
        }
    }
    inside && name != "-" { print > (dir "/" name) }
' "$readme" > "$dir/files"
grep -q '\.k\.c$' "$dir/files" || { echo "README has no kernel"; exit 1; }
grep -v '\.k\.c$' "$dir/files" | grep -q '\.c$' || { echo "README has no program"; exit 1; }

# Installed, into a directory of its own, as README says.
meson install -C "$build" --no-rebuild --quiet --destdir "$dir/root"
pc=$(find "$dir/root" -name libaccel.pc)
bin=$(dirname "$(find "$dir/root" -name accelcc -type f)")
lib=$(dirname "$(find "$dir/root" -name 'libaccel.so.1')")
export PATH="$bin:$PATH" PKG_CONFIG_PATH PKG_CONFIG_SYSROOT_DIR="$dir/root" LD_LIBRARY_PATH="$lib"
PKG_CONFIG_PATH=$(dirname "$pc")
unset ACCEL_BACKEND ACCEL_DEVICES ACCEL_KERNEL_PATH ACCEL_PLUGIN_PATH
cd "$dir"
ran=0 verified=0
while IFS= read -r line; do
    echo "\$ $line"
    case $line in
    *./*)
        output=$(eval "$line")
        echo "$output"
        case $output in *verified*) verified=$((verified + 1)) ;; *) echo "it does not say that it verified the result"; exit 1 ;; esac
        ;;
    cc\ *) eval "${line/#cc /${CC:-cc} -Wall -Wextra -Werror }" ;;
    *) eval "$line" ;;
    esac
    ran=$((ran + 1))
done < <(sed -n 's/^    \(accelcc -o .*\)$/\1/p; s/^    \(cc .*\)$/\1/p; s/^    \(\(ACCEL_BACKEND=[^ ]* \)\{0,1\}\.\/[a-z-]*-demo.*\)$/\1/p' "$readme")
[ "$ran" -ge 3 ] && [ "$verified" -ge 1 ] || { echo "$ran commands, $verified runs: too few"; exit 1; }
echo "$ran commands, $verified verified runs"
