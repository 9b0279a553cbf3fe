/* SPDX-License-Identifier: Apache-2.0 */
/* What tests of the CPU engine's queues and events submit. One engine per program. */
#ifndef CPU_COMMANDS_H
#define CPU_COMMANDS_H

#include "cpu_engine.h"

#define LAUNCH(queue, kernel, work, args) cpu_queue_vtable.launch(queue, kernel, work, args)
#define ok(call) ck_assert_uint_eq(call, ACCEL_OK)
static const accel_queue_vtable *const q = &cpu_queue_vtable;
static const accel_event_vtable *const e = &cpu_event_vtable;

extern cpu_engine engine;
void open_engine(void);

/* Adds `step` to a counter, after it checked that it finds it at `expected`, if that is not UINT64_MAX. */
typedef struct add_args {
    uint64_t *counter;
    uint64_t expected;
    uint64_t step;
} add_args;
extern accel_descriptor add_kernel;
accel_status launch_add(accel_impl_queue *queue, uint64_t *counter, uint64_t expected);

accel_impl_event *make_event(uint32_t flags);
void sleep_ms(int ms);

/* A host function that waits until it is let go. */
typedef struct gate {
    _Atomic bool entered, open;
} gate;
void pass_gate(void *gate, accel_status);
/* Writes it to *status. */
void note_status(void *status, accel_status);

#endif
