/* SPDX-License-Identifier: Apache-2.0 */
#include "load.h"

#include <string.h>

static size_t now[GPUSIM_LOADS], most[GPUSIM_LOADS];

void gpusim_load_change(gpusim_load load, ptrdiff_t by)
{
    now[load] += (size_t)by;
    if (now[load] > most[load])
        most[load] = now[load];
}

size_t gpusim_load_most(gpusim_load load)
{
    return most[load];
}

void gpusim_load_forget(void)
{
    memcpy(most, now, sizeof most);
}
