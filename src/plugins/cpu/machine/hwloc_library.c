/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/machine/hwloc_library.h"

#include "object/shortage.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

enum { OLDEST = 0x00020400, NEWER_THAN_ALL = 0x00030000 };

bool cpu_hwloc_open(cpu_hwloc *hwloc, const char *library, char *reason, size_t size, int *shortage)
{
    static const struct {
        const char *name;
        size_t offset;
    } functions[] = {
#define FUNCTION(name) {"hwloc_" #name, offsetof(cpu_hwloc, name)},
        CPU_HWLOC_FUNCTIONS(FUNCTION)
#undef FUNCTION
    };
    const char *file = library != NULL ? library : "libhwloc.so.15";
    void *handle = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    *shortage = 0;
    if (handle == NULL) {
        *shortage = shortage_in(dlerror());
        if (library != NULL)
            snprintf(reason, size, "ACCEL_HWLOC_LIBRARY names %s, which cannot be opened", file);
        else
            snprintf(reason, size, "%s not found; install libhwloc15", file);
        return false;
    }
    for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); ++i) {
        void *function = dlsym(handle, functions[i].name);
        if (function == NULL) {
            snprintf(reason, size, "%s has no %s; hwloc 2.4 or later is needed", file, functions[i].name);
            return false;
        }
        memcpy((char *)hwloc + functions[i].offset, &function, sizeof(function));
    }
    unsigned version = hwloc->get_api_version();
    if (version < OLDEST || version >= NEWER_THAN_ALL) {
        snprintf(reason, size, "%s has hwloc's API %u.%u; 2.4 or a later 2.x is needed", file, version >> 16,
                 version >> 8 & 0xff);
        return false;
    }
    return true;
}
