/* SPDX-License-Identifier: Apache-2.0 */
/* What the simulated devices can do: small, so that tests reach the limits. */
#ifndef GPUSIM_LIMITS_H
#define GPUSIM_LIMITS_H

enum {
    SIM_UNITS = 8, /* multiprocessors, compute units */
    SIM_UNIT_THREADS = 2048,
    SIM_UNIT_BLOCKS = 32,
    SIM_UNIT_SHARED = 228 * 1024,
    SIM_BLOCK_THREADS = 1024,
    SIM_BLOCK_Z = 64,
    SIM_GRID_X = 0x7fffffff,
    SIM_GRID_YZ = 65535
};

#endif
