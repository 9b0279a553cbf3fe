/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the tests of this directory have at hand. They run the plugins on the simulated drivers, which have faults on
 * request. ACCEL_BACKEND names the backend. Each test is a process of its own, and sets the simulator's variables before
 * the driver is opened.
 */
#ifndef GPUSIM_SUITE_RIG_H
#define GPUSIM_SUITE_RIG_H

#include "../../conformance/kernels/arguments.h"

#include <accel/accel.h>
#include <check.h>
#include <stdatomic.h>

typedef struct rig {
    accel_instance *instance;
    accel_device *device, *other; /* two of the backend */
    accel_queue *queue;           /* of the first */
    accel_module *module;
    accel_kernel *add, *set;
    accel_buffer *words; /* RIG_WORDS, of the first device */
} rig;

enum { RIG_WORDS = 100 };

#define ok(call) rig_ok(__FILE__, __LINE__, #call, (call))
void rig_ok(const char *file, int line, const char *call, accel_status);
/* The call gives this status, and its text has each of the pieces. */
#define refused(status, call, ...) rig_refused(__FILE__, __LINE__, status, #call, (call), __VA_ARGS__, NULL)
void rig_refused(const char *file, int line, accel_status expected, const char *call, accel_status, ...);

const char *rig_backend(void);
bool rig_is_cuda(void);
rig rig_begin(void);
/* The instance has another backend as well, whose only device is its last. */
rig rig_begin_beside(const char *backend);
void rig_end(rig *);
/* A kernel on the rig's words, or on those given. */
accel_status rig_launch(const rig *, accel_queue *, accel_kernel *, void *words);
/* Everything once on a device, with a module, kernel and memory of its own. */
accel_status rig_use(accel_device *);
/* The exit status of a process that runs the function. */
int rig_status_of(int (*function)(int), int argument);
/* How often the driver's function was called, or with NULL any function, by the file that GPUSIM_TRACE names. */
unsigned rig_calls(const char *trace, const char *function);
/* What of copies and fills reached the driver, by the same file: "copy 100;copy 1x3x50;fill8 1000;fill32 5x4;", planes or
 * rows first. Lives until the next call. */
const char *rig_work(const char *trace);
/* Empties the file. */
void rig_forget(const char *trace);
/* A name for a file that is not there yet; removed when the process ends. */
const char *rig_scratch(const char *name);

/* A door in a queue, as a host function, which the test opens. */
typedef struct rig_gate {
    _Atomic bool open;
} rig_gate;
void rig_gate_in(rig_gate *, accel_queue *);

TCase *faults_tests(void);
TCase *opening_tests(void);
TCase *contexts_tests(void);
TCase *cooperative_tests(void);
TCase *copier_tests(void);
TCase *choosing_tests(void);
TCase *probing_tests(void);
TCase *features_tests(void);
TCase *kernels_tests(void);
TCase *loading_tests(void);
TCase *native_tests(void);
TCase *processors_tests(void);
TCase *properties_tests(void);
TCase *queues_tests(void);
TCase *relays_tests(void);
TCase *refusals_tests(void);
TCase *streams_tests(void);
TCase *transfers_tests(void);

#endif
