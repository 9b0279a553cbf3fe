/* SPDX-License-Identifier: Apache-2.0 */
/* libamdhip64, its functions and its init. */
#include "plugins/gpu/driver/hip/hip.h"

#include <string.h>

hip_functions hip;

enum {
    MINIMUM = 50200000 /* HIP 5.2, as HIP_VERSION counts: the oldest whose header was compared with our declarations */
};

enum { OPTIONAL, REQUIRED };

static const char *find(const gpu_library *library, bool all)
{
    void *address;

#define FIND(member, name, exported, version, need, result, parameters)                                                \
    address = gpu_library_symbol(library, #exported);                                                                  \
    if (address == NULL && (need) == REQUIRED && all)                                                                  \
        return #exported;                                                                                              \
    memcpy(&hip.member, &address, sizeof(hip.member));
    HIP_FUNCTIONS(FIND)
#undef FIND
    if (hip.driver_version == NULL)
        return "hipDriverGetVersion";
    if (hip.runtime_version == NULL)
        return "hipRuntimeGetVersion";
    if (all && hip.device_properties_r0600 == NULL && hip.device_properties_r0000 == NULL)
        return "hipGetDevicePropertiesR0600";
    return NULL;
}

static gpu_result version(int *driver_version, int *runtime_version, const char **call)
{
    gpu_result result = (gpu_result)hip.driver_version(driver_version);

    *call = result != 0 ? "hipDriverGetVersion" : "hipRuntimeGetVersion";
    return result != 0 ? result : (gpu_result)hip.runtime_version(runtime_version);
}

/* Without the kernel's driver HIP 5.2 returns hipErrorInvalidDevice. */
static const gpu_open_error open_errors[] = {
    {HIP_RESULT_NO_DEVICE, ACCEL_BACKEND_NO_DEVICE, "perhaps HIP_VISIBLE_DEVICES or ROCR_VISIBLE_DEVICES hides it"},
    {HIP_RESULT_INVALID_DEVICE, ACCEL_BACKEND_NO_DEVICE, NULL},
    {HIP_RESULT_SUCCESS, ACCEL_BACKEND_NO_DEVICE, NULL},
    {HIP_RESULT_INSUFFICIENT_DRIVER, ACCEL_BACKEND_DRIVER_TOO_OLD,
     "the kernel's amdgpu driver is older than the library needs: update it"},
    {HIP_RESULT_NOT_INITIALIZED, ACCEL_BACKEND_BROKEN,
     "the process was perhaps forked from one that had used HIP, which does not survive a fork: use it in one of the "
     "two "
     "only, or start the child with exec"},
};

static const char *const nodes[] = {"/dev/kfd", "/dev/dri/renderD#", NULL};
/* Through which AMD's runtime reaches the kernel: Linux's own, and that of Windows' subsystem. */
static const char *const kernel_nodes[] = {"/dev/kfd", "/dev/dxg", NULL};
/* Never the unversioned name: it is whatever a development package left behind. Majors differ in the layout of
 * hipDeviceProp_t and in what they export, see functions.h; newer ones first. */
static const char *const libraries[] = {"libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5", NULL};
static gpu_open_outcome outcome;

static const gpu_recipe recipe = {
    .driver = &hip_driver,
    .outcome = &outcome,
    .variable = "ACCEL_HIP_LIBRARY",
    .libraries = libraries,
    .nodes = nodes,
    .kernel_nodes = kernel_nodes,
    .root = "",
    .install = "install AMD's ROCm runtime",
    .minimum = MINIMUM,
    .version_unit = 10000000,
    .version_minor = 100000,
    .init_name = "hipInit",
    .count_name = "hipGetDeviceCount",
    .error_classes = open_errors,
    .error_class_count = sizeof(open_errors) / sizeof(open_errors[0]),
    .find = find,
    .version = version,
    .complete = hip_complete,
};

const gpu_family hip_family = {.name = "hip", .open = gpu_driver_open, .recipe = &recipe};
