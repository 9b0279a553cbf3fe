#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# demo.sh BUILD: shows the devices by the example hello, runs the others on the first device of every usable backend, and
# prints one table of what came out.
# Exit status 1 if a result is not verified or no backend can be used. DEMO_SIZE="NX NY NZ" makes the heat matrix of
# the example cg smaller or larger than 100 100 100.
set -u
[ $# -eq 1 ] || { echo "usage: demo.sh BUILD" >&2; exit 2; }
examples=$1/examples
size=${DEMO_SIZE:-100 100 100}
iterations=50
tab=$(printf '\t')

# Backends that the user's ACCEL_BACKEND leaves out are not asked.
devices=$("$examples/vector-add/vector-add" --list-devices) || exit 1
[ -n "$devices" ] || { echo "demo: no backend can be used here; accel-info says why" >&2; exit 1; }

"$examples/hello/hello" || exit 1

printf '\ncg: 27-point heat matrix of %s elements, %s iterations, checked against plain C\n' \
    "$(echo "$size" | sed 's/ / x /g')" $iterations
width=$(printf '%s\n' "$devices" | cut -f 3 | awk '{ if (length > n) n = length } END { print n }')
printf '%s\n' "$devices" | {
    failed=0
    seen=' '
    printf "\\n%-18s %-12s %-${width}s %-8s %12s\\n" example backend device verified time
    row()
    {
        # An example that ends with an error has printed no row.
        line=$("$@") || failed=1
        [ -n "$line" ] || line=$(printf '%s\t%s\t%s\tNO\t-' "$(basename "$1")" "$backend" "$description")
        printf '%s\n' "$line" | {
            IFS=$tab read -r example of device verified seconds
            [ "$seconds" = - ] || seconds=$(printf '%s' "$seconds" |
                awk '{ if ($1 < 0.1) printf "%.3f ms", 1000 * $1; else printf "%.3f s", $1 }')
            printf "%-18s %-12s %-${width}s %-8s %12s\\n" "$example" "$of" "$device" "$verified" "$seconds"
        }
    }
    while IFS=$tab read -r name backend description; do
        case $seen in *" $backend "*) continue ;; esac
        seen="$seen$backend "
        row "$examples/vector-add/vector-add" --table-row "$name" </dev/null
        # Built where there is a C++ compiler.
        [ ! -x "$examples/vector-add-cpp/vector-add-cpp" ] ||
            row "$examples/vector-add-cpp/vector-add-cpp" --table-row "$name" </dev/null
        row "$examples/reduction/reduction" --table-row --elements 1000000 "$name" </dev/null
        row "$examples/histogram/histogram" --table-row --elements 1000000 "$name" </dev/null
        row "$examples/nbody/nbody" --table-row --side 16 "$name" </dev/null
        row "$examples/heat/heat" --table-row --side 256 --steps 500 "$name" </dev/null
        row "$examples/amplified-emission/amplified-emission" --table-row --side 4 --layers 2 --rays 1000 "$name" </dev/null
        row "$examples/dgemm/dgemm" --table-row --size 512 "$name" </dev/null
        row "$examples/interop/interop" --table-row "$name" </dev/null
        # Built where libpng is.
        [ ! -x "$examples/image/image" ] ||
            row "$examples/image/image" --table-row "$(dirname "$0")/image/photo.png" "$name" </dev/null
        # shellcheck disable=SC2086 # three numbers
        row "$examples/cg/cg" --device "$name" --size $size --iterations $iterations --table-row </dev/null
    done
    # On all of them at once.
    backend=all description='these devices at once'
    row "$examples/multi/multi" --table-row --width 512 --height 384 </dev/null
    printf '\ntime: of the kernel, of the reduction, of the scatter, of the time steps, of those with their snapshots,\nof the fluxes at all sample points, of accel_gemm, of all steps of interop,\nof the filters, and of the iterations; without set-up and other transfers;\nof multi with its transfers\n'
    exit $failed
}
