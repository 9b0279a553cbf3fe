#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Stands in for accelcc and for the simulator's compile.sh in a build set up with -Dkernel_build=OTHER: copies the kernel
# objects that OTHER has, a build of the same sources, instead of compiling them again.
#
#     take_kernels.sh accelcc OTHER ... -o NAME ...        copies OTHER/NAME.*
#     take_kernels.sh gpusim OTHER FORM INCLUDE OUTPUT ... copies OTHER/OUTPUT
set -eu
tool=$1 other=$2
shift 2
case $tool in
accelcc)
    while [ "$1" != -o ]; do shift; done
    output=$2
    set -- "$other/$output".*
    ;;
gpusim)
    output=$3
    set -- "$other/$output"
    ;;
*)
    echo "take_kernels.sh: $tool is neither accelcc nor gpusim" >&2
    exit 1
    ;;
esac
for object; do
    case $object in *.d | *.p) continue ;; esac
    if ! [ -f "$object" ]; then
        echo "take_kernels.sh: $object is not there: is $other a build of these sources, complete with its tests?" >&2
        exit 1
    fi
    cp "$object" "$(dirname "$output")"
done
