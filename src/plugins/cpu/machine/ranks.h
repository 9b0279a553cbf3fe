/* SPDX-License-Identifier: Apache-2.0 */
/* Processes of one parallel program on the same node, as their launcher tells them. */
#ifndef ACCEL_CPU_RANKS_H
#define ACCEL_CPU_RANKS_H

#include "plugins/cpu/machine/mask.h"

#include <stdbool.h>

/* How many there are on this node, this one included; 1 if nobody says. */
uint32_t cpu_ranks(void);
/* Have some of that many processes CPUs in common, if each has as many as `mask`? They must, if together they have more
 * than the job may use. `root` as in control_group.h. */
bool cpu_ranks_share(const char *root, uint32_t ranks, const uint8_t mask[CPU_MASK_BYTES]);

#endif
