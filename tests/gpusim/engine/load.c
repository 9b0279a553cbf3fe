/* SPDX-License-Identifier: Apache-2.0 */
#include "load.h"
#include "../time/load.h"

/* The program's, if it asks. */
__attribute__((weak)) extern void gpusim_load_change(gpusim_load, ptrdiff_t by);

static void change(gpusim_load load, ptrdiff_t by)
{
    if (gpusim_load_change != NULL)
        gpusim_load_change(load, by);
}

void sim_load_pinned(ptrdiff_t bytes)
{
    change(GPUSIM_LOAD_PINNED, bytes);
}

void sim_load_commands(ptrdiff_t commands)
{
    change(GPUSIM_LOAD_COMMANDS, commands);
}
