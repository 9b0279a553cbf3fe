/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls of several steps while memory is short. A queue waits for the host, so its commands pile up and it asks for memory
 * again and again; in each call the first request is refused (shim.c). A call that failed has changed nothing, one that did
 * not has done all of it.
 */
#ifndef INJECT_STEPS_H
#define INJECT_STEPS_H

#include "shim.h"

#include <accel/accel.h>

#include <check.h>
#include <stdlib.h>

enum { ROUNDS = 1000, TURNS = 6, KEYS = 300, SCANNED = 1 << 20 };

typedef struct site {
    accel_instance *instance;
    accel_device *device;
    accel_queue *queue;
    accel_queue *blocking; /* prepares: commands that pile up would leave `queue` memory, and it would ask for none */
    accel_event *gate;
} site;

site begin(void);
void end(site *s);
/* From here to open_gate nothing is executed. */
void close_gate(const site *s);
void open_gate(const site *s);

accel_buffer *make(const site *s, size_t size, size_t count);
void set(const site *s, accel_buffer *buffer, uint32_t value);
/* Commands of other sizes, in an irregular number, so that memory is asked for in all places of a call. */
void pad(const site *s, accel_buffer *buffer, int round, int turn);

/* The call, in which the first request for memory is refused. */
#define SHORT_OF_MEMORY(call)                                                                                          \
    __extension__({                                                                                                    \
        inject_arm(1);                                                                                                 \
        accel_status status_ = (call);                                                                                 \
        inject_arm(0);                                                                                                 \
        ck_assert_msg(status_ == ACCEL_OK || status_ == ACCEL_OUT_OF_MEMORY, "%s: %s", #call, accel_error_message());  \
        status_ == ACCEL_OK;                                                                                           \
    })

/* Both have happened, so the test has tested something. */
void check_both(const bool done[ROUNDS]);

void add_algorithms(TCase *tests);
void add_patterns(TCase *tests);

#endif
