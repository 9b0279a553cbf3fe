/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/engine/settings.h"
#include "plugins/cpu/engine/host.h"
#include "plugins/cpu/engine/variables.h"

#include <stdlib.h>

/* libaccel has checked that the text is a number within the limits of variables.h. */
static uint64_t number(const char *name, uint64_t unset)
{
    const char *text = cpu_host()->config(name);
    return text != NULL ? strtoull(text, NULL, 10) : unset;
}

void cpu_settings_read(cpu_settings *settings)
{
    enum { STACK_ALIGN = 4096 };
    const uint64_t stack_size = number("ACCEL_CPU_STACK_SIZE", CPU_STACK_SIZE);
    settings->spin_ns = number("ACCEL_CPU_SPIN_US", CPU_SPIN_US) * 1000;
    settings->stack_size = (size_t)(stack_size + STACK_ALIGN - 1) / STACK_ALIGN * STACK_ALIGN;
    settings->check = number("ACCEL_CHECK", 0) != 0;
    settings->threads = (uint32_t)number("ACCEL_CPU_THREADS", 0);
    settings->pin = (uint32_t)number("ACCEL_CPU_PIN", CPU_PIN_AUTO);
}
