/* SPDX-License-Identifier: Apache-2.0 */
/* A libamdhip64 that answers as it is told; see fake.h. Every function of the list is here and returns 0, unless
 * fake_hip_answers.c has one of its own; what a variant does not export stands in its *.map. */
#include "plugins/gpu/driver/hip/functions.h"

#define STUB(member, name, exported, version, need, result, parameters)                                                \
    __attribute__((visibility("default"), weak)) result exported parameters;                                           \
    result exported parameters                                                                                         \
    {                                                                                                                  \
        return (result)0;                                                                                              \
    }
HIP_FUNCTIONS(STUB)
