/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/support/descriptor.h"

#include "object/descriptor.h"

#include <string.h>

accel_status plugin_descriptor_refuse(const accel_host_services *host, const char *name, const char *wrong)
{
    return host->error(ACCEL_INCOMPATIBLE,
                       "kernel \"%s\": its descriptor cannot be used: %s; rebuild the object with this version's "
                       "accelcc",
                       name, wrong);
}

accel_status plugin_descriptor_check(const accel_host_services *host, const accel_descriptor *descriptor, size_t size,
                                     const char *name)
{
    char text[160];

    return descriptor_is_wrong((const accel_pattern_descriptor *)descriptor, size, text, sizeof(text))
               ? plugin_descriptor_refuse(host, name, text)
               : ACCEL_OK;
}

void plugin_descriptor_properties(const accel_descriptor *descriptor, accel_kernel_properties *properties)
{
    properties->form = descriptor->form;
    properties->args_size = descriptor->args_size;
    properties->args_align = descriptor->args_align;
    memcpy(properties->fixed_block, descriptor->block, sizeof(properties->fixed_block));
    if ((descriptor->flags & ACCEL_KERNEL_PATTERN) != 0) {
        const accel_pattern_descriptor *pattern = (const accel_pattern_descriptor *)descriptor;

        properties->args_size = pattern->args_size;
        properties->pattern = pattern->kind;
        properties->pattern_dims = pattern->dims;
        properties->element_size = pattern->element_size;
    }
    if ((descriptor->flags & ACCEL_KERNEL_NO_ARGS) != 0)
        properties->args_size = 0;
}
