/* SPDX-License-Identifier: Apache-2.0 */
/* Initialisation, errors, versions. */
#include "entry.h"
#include "../engine/context.h"
#include "../engine/settings.h"
#include "../engine/symbol.h"
#include "../engine/thread.h"

#include <stddef.h>
#include <string.h>

hip_result hip_result_of(sim_status status)
{
    switch (status) { /* where HIP has another number, or none */
    case SIM_UNSUPPORTED_PTX_VERSION:
        return HIP_RESULT_INVALID_IMAGE;
    case SIM_ILLEGAL_INSTRUCTION:
        return HIP_RESULT_LAUNCH_FAILED;
    case SIM_NOT_PERMITTED:
        return HIP_RESULT_ILLEGAL_STATE;
    default:
        return (hip_result)status;
    }
}

sim_status hip_enter(const char *function)
{
    int result = 0;
    sim_status status = sim_enter_early(function);
    if (status == SIM_OK && !sim_engine_here.initialized && (status = sim_initialize(&result)) != SIM_OK)
        status = sim_leave(result != 0 ? (sim_status)result : status);
    return status;
}

sim_status hip_use_device(void)
{
    return sim_context_use(sim_thread_here.device);
}

hip_result hipInit(unsigned flags)
{
    HIP_CALL_ENTERED(flags != 0 ? SIM_INVALID_VALUE : SIM_OK);
}

static hip_result version_of(const char *function, uint32_t value, int *version)
{
    int asked = sim_fault_call(function);
    if (asked == 0)
        *version = (int)value;
    return (hip_result)asked;
}

hip_result hipDriverGetVersion(int *version)
{
    sim_begin(__func__);
    return version_of(__func__, sim_settings_here.driver_version, version);
}

hip_result hipRuntimeGetVersion(int *version)
{
    sim_begin(__func__);
    return version_of(__func__, sim_settings_here.runtime_version, version);
}

static const struct {
    int code;
    const char *name;
} results[] = {
#define HIP_RESULT_NAME(ours, theirs, value) {value, #theirs},
    HIP_RESULTS(HIP_RESULT_NAME)};

const char *hipGetErrorName(hip_result error)
{
    for (size_t i = 0; i < sizeof results / sizeof *results; ++i)
        if (results[i].code == (int)error)
            return results[i].name;
    return "hipErrorUnknown";
}

const char *hipGetErrorString(hip_result error)
{
    return error == HIP_RESULT_SUCCESS ? "no error" : "what the simulated driver answers";
}

static const struct {
    const char *exported;
    unsigned version; /* 100 * major + 10 * minor */
} functions[] = {
#define HIP_ENTRY(member, name, exported, version, need, result, parameters) {#exported, version},
    HIP_FUNCTIONS(HIP_ENTRY) HIP_MORE_FUNCTIONS(HIP_ENTRY)};

unsigned sim_symbol_version(const char *exported)
{
    for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i)
        if (strcmp(functions[i].exported, exported) == 0)
            return functions[i].version / 100 * 10000000 + functions[i].version % 100 / 10 * 100000;
    return 0;
}
