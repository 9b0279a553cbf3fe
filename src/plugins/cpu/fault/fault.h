/* SPDX-License-Identifier: Apache-2.0 */
/* What is known of a fault, and its text. */
#ifndef ACCEL_CPU_FAULT_H
#define ACCEL_CPU_FAULT_H

#include "plugins/support/history.h"

#include <accel/plugin.h>

typedef struct cpu_fault {
    int number, code;               /* of the signal: si_signo, si_code */
    uintptr_t address, instruction; /* si_addr; where the thread was */
    size_t block[3], thread[3];
    bool has_thread;
} cpu_fault;

/* "SIGSEGV" */
const char *cpu_fault_name(int number);

/* ACCEL_KERNEL_FAULT, with its text, on the thread that faulted. */
accel_status cpu_fault_report(const cpu_fault *, const accel_descriptor *, const plugin_history *);

#endif
