/* SPDX-License-Identifier: Apache-2.0 */
/* Before everything else: initialisation, errors, and the way to the other functions. */
#include "entry.h"
#include "../engine/report.h"
#include "../engine/settings.h"
#include "../engine/symbol.h"

#include <stddef.h>
#include <string.h>

cuda_result cuInit(unsigned flags)
{
    sim_begin(__func__);
    int asked = sim_fault_call(__func__), result = 0;
    if (asked != 0)
        return (cuda_result)asked;
    if (flags != 0)
        return CUDA_RESULT_INVALID_VALUE;
    sim_status status = sim_enter_early(__func__);
    if (status == SIM_OK)
        status = sim_leave(sim_initialize(&result));
    return (cuda_result)(result != 0 ? result : (int)status);
}

cuda_result cuDriverGetVersion(int *version)
{
    sim_begin(__func__);
    int asked = sim_fault_call(__func__);
    if (asked == 0)
        *version = (int)sim_settings_here.driver_version;
    return (cuda_result)asked;
}

static const struct {
    int code;
    const char *name;
} results[] = {
#define CUDA_RESULT_NAME(ours, theirs, value) {value, #theirs},
    CUDA_RESULTS(CUDA_RESULT_NAME)};

cuda_result cuGetErrorName(cuda_result error, const char **text)
{
    for (size_t i = 0; i < sizeof results / sizeof *results; ++i)
        if (results[i].code == (int)error) {
            *text = results[i].name;
            return CUDA_RESULT_SUCCESS;
        }
    *text = NULL;
    return CUDA_RESULT_INVALID_VALUE;
}

cuda_result cuGetErrorString(cuda_result error, const char **text)
{
    cuda_result result = cuGetErrorName(error, text);
    if (result == CUDA_RESULT_SUCCESS)
        *text = error == CUDA_RESULT_SUCCESS ? "no error" : "what the simulated driver answers";
    return result;
}

/* A function of any type; compared and given out, never called through this one. */
typedef void (*function)(void);

static const struct {
    const char *name, *exported;
    int version;
    function function;
} functions[] = {
#define CUDA_ENTRY(member, name, exported, version, need, result, parameters)                                          \
    {#name, #exported, version, (function)exported},
    CUDA_ENTRY_FUNCTIONS(CUDA_ENTRY) CUDA_FUNCTIONS(CUDA_ENTRY) CUDA_MORE_FUNCTIONS(CUDA_ENTRY)};

unsigned sim_symbol_version(const char *exported)
{
    for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i)
        if (strcmp(functions[i].exported, exported) == 0)
            return (unsigned)functions[i].version;
    return 0;
}

/* As a runtime asks that was compiled with these declarations: for each function by the version of its form. */
static void check_query(const char *name, int version, cuda_flags64 flags)
{
    bool declared = false;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i)
        declared = declared || (strcmp(functions[i].name, name) == 0 && functions[i].version == version);
    if (!declared || flags != CUDA_QUERY_LEGACY_STREAM)
        sim_violation("query", "%s is asked for in version %d with flags %llu", name, version,
                      (unsigned long long)flags);
}

/* The newest form of the function that the caller's version and this driver know. */
cuda_result cuGetProcAddress_v2(const char *name, void **address, int version, cuda_flags64 flags,
                                cuda_query_result *status)
{
    int found = -1;
    bool exists = false, newer = sim_symbol_is_newer(name);
    sim_begin(__func__);
    check_query(name, version, flags);
    for (int i = 0; i < (int)(sizeof functions / sizeof *functions); ++i) {
        if (strcmp(functions[i].name, name) != 0 || functions[i].version > (int)sim_settings_here.driver_version ||
            sim_symbol_is_missing(functions[i].exported))
            continue;
        exists = true;
        if (functions[i].version <= version && (found < 0 || functions[i].version > functions[found].version))
            found = i;
    }
    *address = NULL;
    if (found >= 0)
        memcpy(address, &functions[found].function, sizeof *address);
    bool sufficient = found >= 0 && !newer;
    if (status != NULL)
        *status = sufficient ? CUDA_QUERY_SUCCESS : exists ? CUDA_QUERY_VERSION_NOT_SUFFICIENT : CUDA_QUERY_NOT_FOUND;
    return sufficient || status != NULL ? CUDA_RESULT_SUCCESS : CUDA_RESULT_NOT_FOUND;
}

cuda_result cuGetProcAddress(const char *name, void **address, int version, cuda_flags64 flags)
{
    return cuGetProcAddress_v2(name, address, version, flags, NULL);
}
