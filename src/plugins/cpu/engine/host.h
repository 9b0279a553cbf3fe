/* SPDX-License-Identifier: Apache-2.0 */
/* libaccel's services, for the engine and its plugins. */
#ifndef ACCEL_CPU_HOST_H
#define ACCEL_CPU_HOST_H

#include "plugins/cpu/engine/export.h"

#include <accel/plugin.h>
#include <stdatomic.h>
#include <stdlib.h>

/* They live as long as the process, and are the same for every instance. Written by each open, before there is any
 * object. */
CPU_EXPORT extern _Atomic(const accel_host_services *) cpu_host_services;
static inline const accel_host_services *cpu_host(void)
{
    return atomic_load_explicit(&cpu_host_services, memory_order_relaxed);
}

/* A variable that is a number. libaccel has checked that its text is one, within the limits of variables.h. */
static inline uint64_t cpu_host_number(const char *name, uint64_t unset)
{
    const char *text = cpu_host()->config(name);
    return text != NULL ? strtoull(text, NULL, 10) : unset;
}

#endif
