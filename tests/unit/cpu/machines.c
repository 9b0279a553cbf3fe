/* SPDX-License-Identifier: Apache-2.0 */
#include "machines.h"
#include "core/plugins/services.h"
#include "plugins/cpu/engine/host.h"
#include "run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void machine_imitate(const char *description)
{
    bool file = strstr(description, ".xml") != NULL;
    char path[512];

    atomic_store(&cpu_host_services, &accel_services);
    snprintf(path, sizeof(path), "%s/%s", MACHINES_DIR, description);
    setenv("HWLOC_XMLFILE", file ? path : "", 1);
    setenv("HWLOC_SYNTHETIC", file ? "" : description, 1);
    unsetenv(file ? "HWLOC_SYNTHETIC" : "HWLOC_XMLFILE");
}

cpu_topology *machine_load(const char *description)
{
    if (strcmp(description, MACHINE_FLAT) == 0)
        return calloc(1, sizeof(cpu_topology));
    machine_imitate(description);
    cpu_topology *topology = cpu_topology_load();

    ck_assert_ptr_nonnull(topology);
    ck_assert_msg(topology->imitated && topology->count != 0, "%s: %s", description, topology->source);
    return topology;
}
