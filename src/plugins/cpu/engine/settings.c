/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/engine/settings.h"
#include "plugins/cpu/engine/host.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    SPIN_US = 20,
    SPIN_US_MAX = 1000000,
    STACK_SIZE = 16384,
    STACK_SIZE_MIN = 4096,
    STACK_SIZE_MAX = 8 << 20,
    STACK_ALIGN = 4096,
    CPU_THREADS_MAX = 1024
};

static accel_status read_number(const char *name, uint64_t least, uint64_t most, uint64_t *number)
{
    const char *text = cpu_host()->config(name);
    if (text == NULL || text[0] == '\0')
        return ACCEL_OK;
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (errno != 0 || *end != '\0' || text[0] == '-' || value < least || value > most)
        return cpu_host()->error(ACCEL_INVALID, "%s: \"%s\" is not a number from %llu to %llu", name, text,
                                 (unsigned long long)least, (unsigned long long)most);
    *number = value;
    return ACCEL_OK;
}

accel_status cpu_settings_read(cpu_settings *settings)
{
    uint64_t spin_us = SPIN_US, stack_size = STACK_SIZE, check = 0, threads = 0, pin = CPU_PIN_AUTO;
    accel_status status = read_number("ACCEL_CPU_SPIN_US", 0, SPIN_US_MAX, &spin_us);
    if (status == ACCEL_OK)
        status = read_number("ACCEL_CPU_STACK_SIZE", STACK_SIZE_MIN, STACK_SIZE_MAX, &stack_size);
    if (status == ACCEL_OK)
        status = read_number("ACCEL_CHECK", 0, 1, &check);
    if (status == ACCEL_OK)
        status = read_number("ACCEL_CPU_THREADS", 1, CPU_THREADS_MAX, &threads);
    if (status == ACCEL_OK)
        status = read_number("ACCEL_CPU_PIN", CPU_PIN_NONE, CPU_PIN_NODE, &pin);
    if (status != ACCEL_OK)
        return status;
    settings->threads = (uint32_t)threads;
    settings->pin = (uint32_t)pin;
    settings->spin_ns = spin_us * 1000;
    settings->stack_size = (size_t)(stack_size + STACK_ALIGN - 1) / STACK_ALIGN * STACK_ALIGN;
    settings->check = check != 0;
    return ACCEL_OK;
}
