/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the tests need of a sanitizer's runtime, beside what the environment says: allocations that are too large give
 * NULL, as they do in life; and processes with threads are forked.
 */
#include "suite.h"

__attribute__((visibility("default"))) const char *__asan_default_options(void);
__attribute__((visibility("default"))) const char *__tsan_default_options(void);

const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1";
}

const char *__tsan_default_options(void)
{
    return "allocator_may_return_null=1:die_after_fork=0";
}
