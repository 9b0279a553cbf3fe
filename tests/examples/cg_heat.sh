#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# cg_heat.sh CG: the generated heat matrix has miniFE's size, its solution the known temperature in the middle, and
# wrong command lines are refused.
set -u
. "$(dirname "$0")/expect.sh"

expect 0 '^ +9261 rows, 226981 entries$' --size 20 20 20 --quiet
expect 0 '^solution    temperature in the middle 0\.167[0-9]+;' --size 24 24 24 --quiet
expect 0 '^result      converged, verified$' --size 20 20 20 --quiet
expect 0 '^result      converged, verified$' --size 5 12 7
expect 0 '^result      converged, verified$' --size 1 1 1
expect 0 '^result      converged, verified$' --size 16 16 16 --tolerance 1e-13
expect 0 '^result      stopped by the iteration limit, verified$' --size 20 20 20 --iterations 10
expect 0 '^        0   1\.000000e\+00$' --size 8 8 8
tab=$(printf '\t')
expect 0 "^cg${tab}[a-z-]+${tab}.*${tab}yes${tab}[0-9.]+$" --size 8 8 8 --table-row
expect 0 '^usage: cg ' --help
expect 2 '^cg: unknown option --sise; see cg --help$' --sise 1 2 3
expect 2 '^cg: --size needs a value; see cg --help$' --size 1 2
expect 2 '^cg: --size: "0" is not a whole number from 1 to 4096$' --size 1 0 2
expect 2 '^cg: --size 4096 4096 4096: the mesh has more than 2\^32 - 1 nodes$' --size 4096 4096 4096
expect 2 '^cg: --tolerance: "x" is not a number from 0 to below 1$' --tolerance x
expect 2 '^cg: --size is for the heat matrix, but the file a.mtx was given$' a.mtx --size 1 1 1
expect 2 '^cg: ACCEL_NOT_FOUND: .*cpu-serail' --device cpu-serail

[ $failed -eq 0 ]
