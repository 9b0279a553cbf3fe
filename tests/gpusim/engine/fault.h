/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Faults on request. GPUSIM_FAULT is a list "WHAT@N" or "WHAT@N/DEVICE", N counting from 1 (with a device: of that
 * device):
 *     allocation         the n-th allocation of memory has none left
 *     launch             the n-th launch is refused by the call
 *     launch-failed, illegal-address, lost, hang: what becomes of the n-th launch when its turn comes
 * GPUSIM_FAIL is a list "FUNCTION@N=CODE": the n-th call of a driver's function answers this code and does nothing.
 */
#ifndef GPUSIM_FAULT_H
#define GPUSIM_FAULT_H

#include <stdbool.h>

typedef enum sim_fault {
    SIM_FAULT_NONE,
    SIM_FAULT_ALLOCATION,
    SIM_FAULT_LAUNCH,
    SIM_FAULT_LAUNCH_FAILED,
    SIM_FAULT_ILLEGAL_ADDRESS,
    SIM_FAULT_LOST,
    SIM_FAULT_HANG,
    SIM_FAULT_COUNT
} sim_fault;

void sim_fault_read(void);

/* Counts one more of these on the device; is this the one that fails? The engine's lock is held. */
bool sim_fault_allocation(unsigned device);
bool sim_fault_launch(unsigned device);
/* What becomes of one more launch on the device. */
sim_fault sim_fault_run(unsigned device);

/* The code that this call of the function is to answer, or 0. */
int sim_fault_call(const char *function);

#endif
