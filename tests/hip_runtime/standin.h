/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A stand-in for libhsakmt.so.1, the library through which AMD's user-mode runtime talks to the kernel driver: README.md.
 * It has one processor node and one gfx90a node. "Device" memory is memory of the process, so what the runtime maps is
 * simply there; AQL queues are threads that process packets in order.
 */
#ifndef HIP_RUNTIME_STANDIN_H
#define HIP_RUNTIME_STANDIN_H

#include <hsakmt.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Ticks of the clock that stamps signals: 10 ns. */
uint64_t standin_ticks(void);

/* The allocation that contains an address: its first byte. NULL: none. */
const char *standin_allocation(const void *address);

/* An event of the runtime has happened. */
void standin_set_event(uint32_t id);

/* A kernel dispatch as a queue's packet has it (HSA's specification, 2.9.6). */
typedef struct standin_dispatch {
    uint16_t header, setup;
    uint16_t block[3], reserved0;
    uint32_t threads[3];
    uint32_t private_bytes, shared_bytes;
    uint64_t object;
    const void *arguments;
    uint64_t reserved1, signal;
} standin_dispatch;

/* Runs what the kernel would have done. A kernel that is not known is noted on stderr and does nothing. */
void standin_run(const standin_dispatch *);

#endif
