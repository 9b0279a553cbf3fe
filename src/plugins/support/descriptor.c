/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/support/descriptor.h"

#include "object/descriptor.h"

accel_status plugin_descriptor_refuse(const accel_host_services *host, const char *name, const char *wrong)
{
    return host->error(ACCEL_INCOMPATIBLE,
                       "kernel \"%s\": its descriptor cannot be used: %s; rebuild the object with this version's "
                       "accelcc",
                       name, wrong);
}

accel_status plugin_descriptor_check(const accel_host_services *host, const accel_kernel_descriptor *descriptor,
                                     size_t size, const char *name)
{
    char text[160];

    return descriptor_is_wrong(descriptor, size, text, sizeof(text)) ? plugin_descriptor_refuse(host, name, text)
                                                                     : ACCEL_OK;
}
