/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/support/descriptor.h"

accel_status descriptor_refuse(const accel_host_services *host, const char *name, const char *wrong)
{
    return host->error(ACCEL_INCOMPATIBLE,
                       "kernel \"%s\": its descriptor cannot be used: %s; rebuild the object with this version's "
                       "accelcc",
                       name, wrong);
}
