/* SPDX-License-Identifier: Apache-2.0 */
/* A libcuda.so.1 that answers as it is told; see fake.h. FAKE_QUERY is 2 for a library with both forms of cuGetProcAddress,
 * 1 with that of CUDA 11.3 alone, 0 without. */
#include "plugins/gpu/driver/cuda/functions.h"
#include "fake.h"

#include <stdbool.h>

#include <string.h>
#include <time.h>

#define EXPORT __attribute__((visibility("default")))

EXPORT fake_controls fake_control = {.version = 12040, .devices = 1};

EXPORT cuda_result cuDriverGetVersion(int *version);
EXPORT cuda_result cuInit(unsigned int flags);
EXPORT cuda_result cuGetProcAddress(const char *symbol, void **function, int version, cuda_flags64 flags);
EXPORT cuda_result cuGetProcAddress_v2(const char *symbol, void **function, int version, cuda_flags64 flags,
                                       cuda_query_result *status);

EXPORT cuda_result cuDriverGetVersion(int *version)
{
    *version = fake_control.version;
    return (cuda_result)fake_control.version_result;
}

EXPORT cuda_result cuInit(unsigned int flags)
{
    (void)flags;
    ++fake_control.inits;
    if (fake_control.init_milliseconds > 0)
        nanosleep(&(struct timespec){.tv_nsec = fake_control.init_milliseconds * 1000000L}, NULL);
    return (cuda_result)fake_control.init_result;
}

#if FAKE_QUERY >= 1
#define STUB(member, name, exported, version, need, result, parameters)                                                \
    static result any_##member parameters;                                                                             \
    static result any_##member parameters                                                                              \
    {                                                                                                                  \
        return (result)0;                                                                                              \
    }
CUDA_FUNCTIONS(STUB)

static cuda_result count_devices(int *count)
{
    *count = fake_control.devices;
    return (cuda_result)fake_control.count_result;
}

static cuda_result make_context(cuda_context *context, cuda_device device)
{
    (void)context;
    (void)device;
    ++fake_control.contexts;
    return CUDA_RESULT_SUCCESS;
}

static cuda_result tell_attribute(int *value, cuda_device_attribute attribute, cuda_device device)
{
    (void)device;
    *value = attribute == CUDA_ATTRIBUTE_CAPABILITY_MAJOR   ? fake_control.attribute / 10
             : attribute == CUDA_ATTRIBUTE_CAPABILITY_MINOR ? fake_control.attribute % 10
                                                            : (int)attribute;
    return CUDA_RESULT_SUCCESS;
}

static cuda_result tell_uuid(cuda_uuid *uuid, cuda_device device)
{
    memset(uuid, 'a' + device, sizeof(*uuid));
    return CUDA_RESULT_SUCCESS;
}

/* The PTX compiler: takes no image, and says so in the log as the driver does. */
static cuda_result refuse_module(cuda_module *module, const void *image, unsigned int count, cuda_jit_option *options,
                                 void **values)
{
    (void)module;
    (void)image;
    for (unsigned int i = 0; i < count; ++i) {
        if (options[i] == CUDA_JIT_ERROR_LOG)
            memcpy(values[i], "ptxas: no", 10);
    }
    return CUDA_RESULT_INVALID_PTX;
}

static cuda_result give_memory(cuda_device_pointer *pointer, size_t size)
{
    *pointer = 0x7000 + size;
    return CUDA_RESULT_SUCCESS;
}

static void *address_of(const char *name, int version)
{
    union {
        cuda_functions functions;
        void *addresses[sizeof(cuda_functions) / sizeof(void *)];
    } table = {.functions = {
#define ENTRY(member, name, exported, version, need, result, parameters) .member = any_##member,
                   CUDA_FUNCTIONS(ENTRY)}};
    table.functions.device_count = count_devices;
    table.functions.primary_retain = make_context;
    table.functions.device_attribute = tell_attribute;
    table.functions.device_uuid = tell_uuid;
    table.functions.module_load = refuse_module;
    table.functions.memory_allocate = give_memory;
    static const struct {
        const char *name;
        int version;
        size_t offset;
    } rows[] = {
#define ROW(member, name, exported, version, need, result, parameters)                                                 \
    {#name, version, offsetof(cuda_functions, member)},
        CUDA_FUNCTIONS(ROW)};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); ++i) {
        if (strcmp(rows[i].name, name) != 0)
            continue;
        if (rows[i].version != version)
            fake_control.wrong_query = rows[i].name;
        return table.addresses[rows[i].offset / sizeof(void *)];
    }
    fake_control.wrong_query = "a function that is not in the list";
    return NULL;
}

static cuda_result query(const char *symbol, void **function, int version, cuda_flags64 flags,
                         cuda_query_result *status)
{
    bool missing = fake_control.missing != NULL && strcmp(fake_control.missing, symbol) == 0;

    if (flags != CUDA_QUERY_LEGACY_STREAM)
        fake_control.wrong_query = "the flags";
    *function = NULL;
    *status = CUDA_QUERY_NOT_FOUND;
    if (missing && fake_control.missing_how == FAKE_MISSING_RESULT)
        return CUDA_RESULT_NOT_FOUND;
    *status = missing && fake_control.missing_how == FAKE_MISSING_STATUS ? CUDA_QUERY_VERSION_NOT_SUFFICIENT
                                                                         : CUDA_QUERY_SUCCESS;
    if (!missing || fake_control.missing_how == FAKE_MISSING_STATUS)
        *function = address_of(symbol, version);
    return CUDA_RESULT_SUCCESS;
}

EXPORT cuda_result cuGetProcAddress(const char *symbol, void **function, int version, cuda_flags64 flags)
{
    cuda_query_result status;
    return query(symbol, function, version, flags, &status);
}
#endif

#if FAKE_QUERY >= 2
EXPORT cuda_result cuGetProcAddress_v2(const char *symbol, void **function, int version, cuda_flags64 flags,
                                       cuda_query_result *status)
{
    return query(symbol, function, version, flags, status);
}
#endif
