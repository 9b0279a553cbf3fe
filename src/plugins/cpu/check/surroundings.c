/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/check/surroundings.h"
#include "plugins/cpu/engine/export.h"

#include <pthread.h>

check_surroundings check_around = {.unfit4 = UINTPTR_MAX, .unfit8 = UINTPTR_MAX};
bool check_traps;

/* For the first thread of a process the C library reads a file of the system's, which takes a tenth of a millisecond. */
static const char *own_stack_begin(void)
{
    static CPU_OF_THREAD const char *stack;
    pthread_attr_t attributes;
    void *begin = NULL;
    size_t size = 0;
    if (stack == NULL && pthread_getattr_np(pthread_self(), &attributes) == 0) {
        pthread_attr_getstack(&attributes, &begin, &size);
        pthread_attr_destroy(&attributes);
        stack = begin;
    }
    return stack;
}

void check_surroundings_begin(const void *frame)
{
    check_around = (check_surroundings){
        .unfit4 = UINTPTR_MAX, .unfit8 = UINTPTR_MAX, .stack = {own_stack_begin(), (const char *)frame}};
}
