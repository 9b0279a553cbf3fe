/* SPDX-License-Identifier: Apache-2.0 */
/* Tells a program that asks (../time/load.h) how much of the driver it takes. With the engine's lock held. */
#ifndef GPUSIM_ENGINE_LOAD_H
#define GPUSIM_ENGINE_LOAD_H

#include <stddef.h>

void sim_load_pinned(ptrdiff_t bytes);
void sim_load_commands(ptrdiff_t);

#endif
