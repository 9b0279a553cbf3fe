/* SPDX-License-Identifier: Apache-2.0 */
#include "native.h"

#include <string.h>

#if defined(__x86_64__)
extern const native_loops native_loops_x86_64, native_loops_x86_64_v3, native_loops_x86_64_v4;
static const native_loops *const all[] = {&native_loops_x86_64, &native_loops_x86_64_v3, &native_loops_x86_64_v4};
#elif defined(__aarch64__)
extern const native_loops native_loops_aarch64;
static const native_loops *const all[] = {&native_loops_aarch64};
#endif

const native_loops *native_find(const char *target)
{
    for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i)
        if (strcmp(all[i]->target, target) == 0)
            return all[i];
    return NULL;
}

static void empty(void)
{
}

void (*volatile native_empty)(void) = empty;
