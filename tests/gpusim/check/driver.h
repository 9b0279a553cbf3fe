/* SPDX-License-Identifier: Apache-2.0 */
/* The simulated drivers as a program sees them: opened by name. Each test is a process of its own, so that it can set the
 * GPUSIM_ variables before. */
#ifndef GPUSIM_CHECK_DRIVER_H
#define GPUSIM_CHECK_DRIVER_H

#include "../cuda/more.h"
#include "../hip/more.h"

#include <check.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct cuda_more {
    CUDA_MORE_FUNCTIONS(SIM_MEMBER)
} cuda_more;

typedef struct hip_more {
    HIP_MORE_FUNCTIONS(SIM_MEMBER)
} hip_more;

extern cuda_functions cu; /* NULL where the library has no such function */
extern cuda_more cu_more;
extern hip_functions hip;
extern hip_more hip_further;

/* Opens libcuda.so.1, without calling anything; or initialises it, with device 0's context current. */
void cuda_open(void);
void cuda_start(void);
/* Gives up what cuda_start took. */
void cuda_stop(void);
void hip_open(void);

#define cuda_ok(call) ck_assert_int_eq((int)(call), CUDA_RESULT_SUCCESS)
#define hip_ok(call) ck_assert_int_eq((int)(call), HIP_RESULT_SUCCESS)

/* Runs the function in a process of its own, which must end with `status`; its report is then in `report`. */
extern char report[4096];
void run_apart(void (*function)(void), int status);
/* The same, and it must report one violation, which contains the text. */
void violates(void (*function)(void), const char *text);

cuda_stream cuda_new_stream(unsigned flags);
cuda_event cuda_new_event(unsigned flags);
/* Device memory of n words, each of the value, written in the default stream. */
cuda_device_pointer cuda_new_words(size_t n, uint32_t value);

/* A host function that waits until the gate is opened. */
typedef struct gate {
    bool open, entered;
} gate;
void pass(void *gate);
void open_gate(gate *);
void await_entered(const gate *);

void add(Suite *, const char *name, const TTest *);
#define add_test(suite, test) add(suite, #test, test)
Suite *memory_suite(void);
Suite *stream_suite(void);
Suite *module_suite(void);
Suite *context_suite(void);
Suite *fault_suite(void);
Suite *violation_suite(void);
Suite *misplaced_suite(void);
Suite *process_suite(void);
Suite *hip_suite(void);

#endif
