/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/dispatch/assertion.h"
#include "plugins/cpu/engine/host.h"

#include <setjmp.h>
#include <stdio.h>

typedef struct cpu_exit {
    cpu_assertion assertion;
    const cpu_settings *settings;
    jmp_buf place;
} cpu_exit;

/* A kernel keeps nothing on its stack that would have to be given back. */
static void fail(const accel_launch_context *context, const accel_thread_context *thread, const accel_assertion *failed)
{
    cpu_exit *own = (cpu_exit *)((uintptr_t)cpu_assertion_of(context) - offsetof(cpu_exit, assertion));
    (void)thread;
    cpu_assertion_keep(&own->assertion, failed, own->settings);
    longjmp(own->place, 1);
}

/* In a frame of its own: `own` is the caller's, and so defined after the jump. */
static __attribute__((noinline)) void run_to_the_end_or_exit(cpu_exit *own, const cpu_launch *launch, cpu_run run,
                                                             size_t first, size_t count)
{
    if (setjmp(own->place) == 0)
        run(launch, &own->assertion.context, first, count);
}

accel_status cpu_assertion_run(const cpu_launch *launch, const accel_launch_context *context, cpu_run run, size_t first,
                               size_t count)
{
    cpu_exit own;
    own.assertion.context = *context;
    own.assertion.context.fail = fail;
    own.assertion.failed.struct_size = 0;
    own.settings = launch->settings;
    run_to_the_end_or_exit(&own, launch, run, first, count);
    return cpu_assertion_failed(&own.assertion) ? cpu_assertion_report(&own.assertion, launch->kernel) : ACCEL_OK;
}

void cpu_assertion_keep(cpu_assertion *self, const accel_assertion *failed, const cpu_settings *settings)
{
    self->failed = *failed;
    if (settings->asserted != NULL)
        settings->asserted(&self->context, &self->failed);
}

accel_status cpu_assertion_report(const cpu_assertion *assertion, const accel_descriptor *kernel)
{
    const accel_assertion *failed = &assertion->failed;
    const size_t *block = failed->block, *thread = failed->thread;
    char where[128] = "";
    if (thread[0] != ACCEL_NO_THREAD)
        snprintf(where, sizeof(where), "thread (%zu, %zu, %zu) of ", thread[0], thread[1], thread[2]);
    return cpu_host()->error(ACCEL_KERNEL_FAULT,
                             "kernel \"%s\": assertion failed at %s:%u, in %sblock (%zu, %zu, %zu): %s", kernel->name,
                             failed->file, failed->line, where, block[0], block[1], block[2], failed->condition);
}
