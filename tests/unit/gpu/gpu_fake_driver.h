/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the fake driver share: gpu_fake.c fills the table with what the others have. */
#ifndef GPU_FAKE_DRIVER_H
#define GPU_FAKE_DRIVER_H

#include "gpu_fake.h"

extern _Atomic int gpu_fake_alive; /* allocations, streams, marks, modules, contexts */
extern _Atomic bool gpu_fake_faulted[FAKE_DEVICES];
extern _Thread_local uintptr_t gpu_fake_current; /* the calling thread's context: ordinal + 1 */

__attribute__((format(printf, 1, 2))) void gpu_fake_note(const char *format, ...);
/* Of the current context, which has to be there: 0 or FAKE_FAULT. */
gpu_result gpu_fake_state(void);

typedef struct gpu_fake_mark {
    _Atomic uint64_t recorded, reached; /* counts of records */
    _Atomic uint64_t when;              /* of the last, ns */
    uintptr_t device;
} gpu_fake_mark;

/* What a stream runs. */
typedef struct gpu_fake_task gpu_fake_task;
struct gpu_fake_task {
    gpu_fake_task *next;
    void (*run)(gpu_fake_task *);
    uintptr_t device;
    gpu_copy_3d copy;
    uint32_t value;
    size_t unit;
    gpu_fake_mark *event;
    uint64_t number;
    gpu_host_function function;
    void *user;
};

/* A copy of the task goes into the stream of the current context. */
gpu_result gpu_fake_give(gpu_stream, gpu_fake_task);

/* Each fills its part of the table. */
void gpu_fake_fill_streams(gpu_driver *);
void gpu_fake_fill_memory(gpu_driver *);
void gpu_fake_fill_modules(gpu_driver *);

#endif
