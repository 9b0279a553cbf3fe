/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of libamdhip64.so.6, as far as the hip plugin uses them, and a few more for programs beside it. HIP has no
 * contexts: each device has one, made at its first use, and a thread has a current device. */
#ifndef GPUSIM_HIP_ENTRY_H
#define GPUSIM_HIP_ENTRY_H

#include "../engine/entry.h"
#include "../engine/fault.h"
#include "more.h"

#define HIP_PROTOTYPE(member, name, exported, version, need, result, parameters)                                       \
    __attribute__((visibility("default"))) result exported parameters;
HIP_FUNCTIONS(HIP_PROTOTYPE)
HIP_MORE_FUNCTIONS(HIP_PROTOTYPE)

hip_result hip_result_of(sim_status);
/* As sim_enter; initialises the driver if need be. */
sim_status hip_enter(const char *function);
/* The current device's context becomes the thread's current one. */
sim_status hip_use_device(void);
/* A function's body: what the engine answers, or what GPUSIM_FAIL asks for. */
#define HIP_CALL_ENTERED(expression)                                                                                   \
    do {                                                                                                               \
        sim_begin(__func__);                                                                                           \
        int asked = sim_fault_call(__func__);                                                                          \
        if (asked != 0)                                                                                                \
            return (hip_result)asked;                                                                                  \
        sim_status status = hip_enter(__func__);                                                                       \
        return hip_result_of(status != SIM_OK ? status : sim_leave(expression));                                       \
    } while (0)

/* The same for what works on the current device. */
#define HIP_CALL(expression) HIP_CALL_ENTERED((status = hip_use_device()) != SIM_OK ? status : (expression))

#endif
