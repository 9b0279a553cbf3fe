/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of libcuda.so.1, as far as the cuda plugin uses them, and a few more for programs beside it. */
#ifndef GPUSIM_CUDA_ENTRY_H
#define GPUSIM_CUDA_ENTRY_H

#include "../engine/entry.h"
#include "../engine/fault.h"
#include "more.h"

#define CUDA_PROTOTYPE(member, name, exported, version, need, result, parameters)                                      \
    __attribute__((visibility("default"))) result exported parameters;
CUDA_ENTRY_FUNCTIONS(CUDA_PROTOTYPE)
CUDA_FUNCTIONS(CUDA_PROTOTYPE)
CUDA_MORE_FUNCTIONS(CUDA_PROTOTYPE)

/* A function's body: what the engine answers, or what GPUSIM_FAIL asks for. */
#define CUDA_CALL(expression)                                                                                          \
    do {                                                                                                               \
        sim_begin(__func__);                                                                                           \
        int asked = sim_fault_call(__func__);                                                                          \
        if (asked != 0)                                                                                                \
            return (cuda_result)asked;                                                                                 \
        sim_status status = sim_enter(__func__);                                                                       \
        return (cuda_result)(status != SIM_OK ? status : sim_leave(expression));                                       \
    } while (0)

#endif
