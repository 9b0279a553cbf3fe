/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/support/descriptor.h"
#include "plugins/cpu/engine/module.h"

#include <stdio.h>
#include <string.h>

/* What a host object's descriptor must say besides. */
static bool wrong_with(const accel_kernel_descriptor *d, const char *name, char *text, size_t size)
{
    bool by_thread = d->form == ACCEL_FORM_THREAD;
    if (by_thread ? d->run_thread == NULL : d->run_blocks == NULL)
        snprintf(text, size, "it has no entry for its form: %s is null", by_thread ? "run_thread" : "run_blocks");
    else if (d->shared_bytes > CPU_MAX_SHARED_BYTES)
        snprintf(text, size, "it wants %u bytes of static shared memory, more than there is", d->shared_bytes);
    else if (d->name == NULL || strcmp(d->name, name) != 0)
        snprintf(text, size, "it bears another name");
    else
        return false;
    return true;
}

accel_status cpu_descriptor_check(const accel_kernel_descriptor *descriptor, size_t size, const char *name)
{
    char text[160];
    accel_status status = plugin_descriptor_check(cpu_host(), descriptor, size, name);

    if (status != ACCEL_OK || !wrong_with(descriptor, name, text, sizeof(text)))
        return status;
    return plugin_descriptor_refuse(cpu_host(), name, text);
}
