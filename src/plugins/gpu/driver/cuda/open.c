/* SPDX-License-Identifier: Apache-2.0 */
/* libcuda.so.1, its functions and its init. Symbols are asked of cuGetProcAddress with the version of our declaration: a
 * plain dlsym would give an older signature of the same name. */
#include "plugins/gpu/driver/cuda/cuda.h"

#include <string.h>

cuda_functions cuda;

enum {
    MINIMUM = 11040 /* CUDA 11.4: the newest of the functions that are required */
};

/* A function pointer as the linker has it. */
#define FUNCTION(member, address) memcpy(&cuda.member, &(address), sizeof(cuda.member))

/* As cuGetProcAddress of CUDA 12, or of 11.3, which tells by the pointer alone that it has found nothing. */
static void *find_function(const char *name, int version)
{
    void *address = NULL;
    cuda_query_result status = CUDA_QUERY_NOT_FOUND;

    if (cuda.get_proc_address != NULL) {
        cuda_result result = cuda.get_proc_address(name, &address, version, CUDA_QUERY_LEGACY_STREAM, &status);
        return result == CUDA_RESULT_SUCCESS && status == CUDA_QUERY_SUCCESS ? address : NULL;
    }
    cuda_result result = cuda.get_proc_address_first(name, &address, version, CUDA_QUERY_LEGACY_STREAM);
    return result == CUDA_RESULT_SUCCESS ? address : NULL;
}

enum { OPTIONAL, REQUIRED };

static const char *find_entries(const gpu_library *library)
{
    void *address;

#define FIND(member, name, exported, version, need, result, parameters)                                                \
    address = gpu_library_symbol(library, #exported);                                                                  \
    if (address == NULL && (need) == REQUIRED)                                                                         \
        return #exported;                                                                                              \
    FUNCTION(member, address);
    CUDA_ENTRY_FUNCTIONS(FIND)
#undef FIND
    return NULL;
}

static const char *find(const gpu_library *library, bool all)
{
    void *address;

    if (!all)
        return find_entries(library);
    if (cuda.get_proc_address == NULL && cuda.get_proc_address_first == NULL)
        return "cuGetProcAddress";
#define FIND(member, name, exported, version, need, result, parameters)                                                \
    address = find_function(#name, version);                                                                           \
    if (address == NULL && (need) == REQUIRED)                                                                         \
        return #name;                                                                                                  \
    FUNCTION(member, address);
    CUDA_FUNCTIONS(FIND)
#undef FIND
    return NULL;
}

/* The driver API has no runtime of its own. */
static gpu_result version(int *driver_version, int *runtime_version, const char **call)
{
    *call = "cuDriverGetVersion";
    *runtime_version = 0;
    return (gpu_result)cuda.driver_version(driver_version);
}

static const gpu_open_error open_errors[] = {
    {CUDA_RESULT_NO_DEVICE, ACCEL_BACKEND_NO_DEVICE, "perhaps CUDA_VISIBLE_DEVICES hides it"},
    {CUDA_RESULT_INVALID_DEVICE, ACCEL_BACKEND_NO_DEVICE, NULL},
    {CUDA_RESULT_SUCCESS, ACCEL_BACKEND_NO_DEVICE, NULL},
    {CUDA_RESULT_NOT_INITIALIZED, ACCEL_BACKEND_BROKEN,
     "the process was probably forked from one that had used CUDA, which does not survive a fork: use it in one of the "
     "two only, or start the child with exec"},
    {CUDA_RESULT_STUB_LIBRARY, ACCEL_BACKEND_BROKEN,
     "this is the toolkit's library for linking: take its directory out of LD_LIBRARY_PATH"},
    {CUDA_RESULT_SYSTEM_NOT_READY, ACCEL_BACKEND_BROKEN,
     "on machines with NVSwitch the service nvidia-fabricmanager has to run"},
    {CUDA_RESULT_SYSTEM_DRIVER_MISMATCH, ACCEL_BACKEND_BROKEN,
     "the library and the kernel module are of different versions: load the module that belongs to the library, or "
     "reboot"},
    {CUDA_RESULT_COMPAT_NOT_SUPPORTED_ON_DEVICE, ACCEL_BACKEND_BROKEN,
     "a forward-compatible library was found first: take it out of LD_LIBRARY_PATH"},
    {CUDA_RESULT_DEVICE_UNAVAILABLE, ACCEL_BACKEND_BROKEN, "another process may have the device for itself"},
};

static const char *const nodes[] = {"/dev/nvidiactl", "/dev/nvidia#", "/dev/nvidia-uvm", NULL};
/* Never the unversioned name: only a development package has it. */
static const char *const libraries[] = {"libcuda.so.1", NULL};
static gpu_open_outcome outcome;

static const gpu_recipe recipe = {
    .driver = &cuda_driver,
    .outcome = &outcome,
    .variable = "ACCEL_CUDA_LIBRARY",
    .libraries = libraries,
    .nodes = nodes,
    .root = "",
    .install = "install NVIDIA's driver",
    .minimum = MINIMUM,
    .version_unit = 1000,
    .version_minor = 10,
    .init_name = "cuInit",
    .count_name = "cuDeviceGetCount",
    .error_classes = open_errors,
    .error_class_count = sizeof(open_errors) / sizeof(open_errors[0]),
    .find = find,
    .version = version,
    .complete = cuda_complete,
};

const gpu_family cuda_family = {.name = "cuda", .open = gpu_driver_open, .recipe = &recipe};
