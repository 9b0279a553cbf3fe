/* SPDX-License-Identifier: Apache-2.0 */
/* The stack on which a thread handles the overflow of another stack. */
#ifndef ACCEL_CPU_SIGNAL_STACK_H
#define ACCEL_CPU_SIGNAL_STACK_H

#include "plugins/cpu/engine/export.h"

#include <stdbool.h>

/* Of the calling thread: it has such a stack, or could not get one. */
extern CPU_OF_THREAD bool cpu_signal_stack_asked;
CPU_EXPORT void cpu_signal_stack_make(void);

/* The calling thread has one afterwards if there is memory: its own if the program or a runtime gave it one, else one
 * that ends with the thread. */
static inline void cpu_signal_stack_need(void)
{
    if (__builtin_expect(!cpu_signal_stack_asked, 0))
        cpu_signal_stack_make();
}

#endif
