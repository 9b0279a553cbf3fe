/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/engine/backend.h"
#include "plugins/cpu/engine/fork.h"
#include "plugins/cpu/engine/host.h"
#include "plugins/cpu/engine/process.h"
#include "plugins/cpu/engine/variables.h"
#include "plugins/cpu/machine/mask.h"

#include <stdlib.h>
#include <string.h>

static accel_status read_faults(const cpu_executor *executor, cpu_settings *settings)
{
    const char *text = cpu_host()->config("ACCEL_FAULTS");
    settings->report_faults = text != NULL && strcmp(text, "report") == 0;
    if (settings->report_faults || text == NULL || text[0] == '\0' || strcmp(text, "crash") == 0)
        return ACCEL_OK;
    return cpu_host()->error(ACCEL_INVALID, "%s: ACCEL_FAULTS is \"%s\"; it may be crash or report", executor->name,
                             text);
}

static void read_settings(cpu_settings *settings)
{
    enum { STACK_ALIGN = 4096 };
    const uint64_t stack_size = cpu_host_number("ACCEL_CPU_STACK_SIZE", CPU_STACK_SIZE);
    settings->spin_ns = cpu_host_number("ACCEL_CPU_SPIN_US", CPU_SPIN_US) * 1000;
    settings->stack_size = (size_t)(stack_size + STACK_ALIGN - 1) / STACK_ALIGN * STACK_ALIGN;
    settings->check = cpu_host_number("ACCEL_CHECK", 0) != 0;
    settings->threads = (uint32_t)cpu_host_number("ACCEL_CPU_THREADS", 0);
    settings->pin = (uint32_t)cpu_host_number("ACCEL_CPU_PIN", CPU_PIN_AUTO);
}

/* A thread that polls on the only CPU keeps away what it waits for. */
static void spare_one_cpu(accel_impl_backend *backend)
{
    if (cpu_mask_count(backend->mask) <= 1)
        backend->settings.spin_ns = 0;
}

accel_status cpu_backend_make(const cpu_executor *executor, uint32_t *state, accel_impl_backend **made)
{
    accel_impl_backend *backend = calloc(1, sizeof(*backend));
    if (backend == NULL)
        return cpu_host()->error(ACCEL_OUT_OF_MEMORY, "%s: no memory for the backend", executor->name);
    plugin_reference_begin(&backend->references);
    backend->executor = executor;
    read_settings(&backend->settings);
    if (executor->observer != NULL) {
        backend->settings.stack_size *= executor->observer->stack_factor;
        backend->settings.observed = true;
        backend->settings.guard_size = executor->observer->guard_size;
        backend->settings.overflowed = executor->observer->overflowed;
        backend->settings.asserted = executor->observer->asserted;
    }
    cpu_process_open(backend->mask, &backend->opened);
    backend->generation = backend->opened;
    /* After the process's CPUs were read: a library that is loaded now may narrow those of the calling thread. */
    accel_status status = read_faults(executor, &backend->settings);
    if (status == ACCEL_OK && executor->open != NULL)
        status = executor->open(executor, state);
    if (status != ACCEL_OK) {
        cpu_backend_close(backend);
        return status;
    }
    spare_one_cpu(backend);
    backend->isa = *cpu_isa_native();
    backend->isa_level = cpu_isa_native_level();
    *made = backend;
    return ACCEL_OK;
}

void cpu_backend_retain(accel_impl_backend *backend)
{
    plugin_reference_retain(&backend->references);
}

void cpu_backend_release(accel_impl_backend *backend)
{
    if (plugin_reference_release(&backend->references))
        free(backend);
}

void cpu_backend_close(accel_impl_backend *backend)
{
    cpu_process_close(backend->opened);
    cpu_backend_release(backend);
}

void cpu_backend_after_fork(accel_impl_backend *backend)
{
    uint8_t left[CPU_MASK_BYTES];
    if (!cpu_fork_begin(&backend->generation))
        return;
    cpu_process_cpus(left);
    backend->narrowed = cpu_mask_keep(backend->mask, left);
    spare_one_cpu(backend);
    cpu_fork_end(&backend->generation);
}
