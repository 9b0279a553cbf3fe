/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What every conformance test has at hand: an opened instance, the device under test, a partner, and assertions
 * that check the status and the error text.
 *
 * The suite knows no backend by name. The device under test is the first one of what ACCEL_BACKEND lists; the
 * partner is a device of another backend that fails on request (tests/fixtures/faulty), named with --partner.
 * A test is one Check test case of the same name, so that CK_RUN_CASE=name runs it alone.
 */
#ifndef SUITE_H
#define SUITE_H

#include "assertions.h"
#include "kernels/arguments.h"

#include <accel/accel.h>
#include <faulty.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------------- the program of tests -- */

typedef Suite *(*suite_function)(void);
/* Each program defines its nouns; NULL ends them. */
extern const suite_function suite_nouns[];
/* The same for what the host does: no other compiler of the kernels makes a difference. Tag: host. */
extern const suite_function suite_host_nouns[];

/* Check's tags of the tests that are added from now on, for CK_EXCLUDE_TAGS; NULL: none. */
extern const char *suite_tags;

/* Adds a test to a noun's suite as a case of its own. */
#define add(suite, name) suite_add(suite, #name, name)
void suite_add(Suite *, const char *name, const TTest *);
/* The same for a test that runs with several numbers of a CPU's threads. One more tag: threads. */
#define add_for_threads(suite, name) suite_add_for_threads(suite, #name, name)
void suite_add_for_threads(Suite *, const char *name, const TTest *);
/* How the texts of tests begin that the two macros below end. */
#define SUITE_NOT_HERE "NOT HERE: "
#define SUITE_UNSUPPORTED "UNSUPPORTED: "
/* Ends the test: the machine does not have what it is about, whatever the backend. */
#define not_here(...) suite_not_here(__FILE__, __LINE__, __VA_ARGS__)
void suite_not_here(const char *file, int line, const char *format, ...)
    __attribute__((noreturn, format(printf, 3, 4)));
/* What the program was called with: --partner, --kernels. */
extern const char *suite_partner_name, *suite_kernels_name;

/* Ends the test: the backend does not have what it is about. The list of unsupported tests must say so too. */
#define unsupported(...) suite_unsupported(__FILE__, __LINE__, __VA_ARGS__)
void suite_unsupported(const char *file, int line, const char *format, ...)
    __attribute__((noreturn, format(printf, 3, 4)));

/* ------------------------------------------------------------------------------------- its surroundings -- */

typedef struct surroundings {
    accel_instance *instance;
    accel_device *host;
    accel_device *device;               /* under test */
    accel_device_properties properties; /* of it */
    accel_device *partner;              /* of another backend, fails on request; NULL without --partner */
    accel_module *module;               /* the suite's kernels, once kernel_named was called */
} surroundings;
extern surroundings test;
/* The fixture of every test. */
void surroundings_open(void);
void surroundings_close(void);

/* What the fixture's instance was opened with: the list of ACCEL_BACKEND, and the partner. */
const char *suite_backends(void);
/* The partner, or the test is unsupported. */
accel_device *need_partner(void);
/* The first device of the same backend in another instance; release that. */
accel_device *of_another_instance(accel_instance **another);
/* Two equal parts of the device under test, which the caller releases. A backend without parts makes the test unsupported; a
 * machine with one CPU does not have what it is about. */
void need_parts(accel_device *parts[2]);
/* A kernel of the suite's library for the device under test, borrowed; a kernel that the backend cannot run makes the
 * test unsupported. */
accel_kernel *kernel_named(const char *name);
/* Of `big` and `lesser`, the one with the most arguments that the device takes, and these, all but the sum's address; the
 * caller frees. What the kernel makes of them is the sum. */
accel_kernel *kernel_of_most_arguments(uint8_t factor, big_args **, size_t *size, uint64_t *sum);
/* Once, before the tests: makes the directory in which those of tests lie. It is removed with its contents when this process
 * ends, whether or not a test has crashed. false after a message. */
bool scratch_begin(void);
/* Makes a directory for the test's files. */
const char *scratch_directory(void);
void copy_file(const char *from, const char *to);
/* Reads a whole file; the caller frees. */
unsigned char *read_file(const char *path, size_t *size);
void write_file(const char *path, const void *data, size_t size);

/* --------------------------------------------------------------------------------------------- assertions -- */

/* The call succeeds. */
#define ok(call) suite_ok(__FILE__, __LINE__, #call, (call))
void suite_ok(const char *file, int line, const char *call, accel_status);
/* The call succeeds, or the test is unsupported because it answers ACCEL_UNSUPPORTED. */
#define ok_if_supported(call) suite_ok_if_supported(__FILE__, __LINE__, #call, (call))
void suite_ok_if_supported(const char *file, int line, const char *call, accel_status);
/* The call fails with `status`, and the text begins with the function's name and holds all the given pieces. */
#define refused(status, call, ...)                                                                                     \
    suite_refused(__FILE__, __LINE__, status, #call, (call), (const char *const[]){__VA_ARGS__, NULL})
void suite_refused(const char *file, int line, accel_status expected, const char *call, accel_status,
                   const char *const pieces[]);

/* ------------------------------------------------------------------------------------------------ objects -- */

accel_queue *queue_new(accel_device *, uint32_t flags);
accel_event *event_new(accel_device *, uint32_t flags);
accel_buffer *buffer_new(accel_device *, const accel_buffer_desc *);
/* One dimension of bytes. */
accel_buffer *bytes_new(accel_device *, size_t count);
/* One dimension of uint32_t, all of them `value`. */
accel_buffer *words_new(accel_device *, size_t count, uint32_t value);
/* Asserts that all words are `value`. The queue reads them and is waited for. */
void words_are(accel_queue *, accel_buffer *, uint32_t value);
accel_buffer_properties buffer_info(const accel_buffer *);
accel_work work_of(size_t blocks, size_t threads);
faulty_queue_control *queue_control(accel_queue *);
faulty_device_control *device_control(accel_device *);

/* A door in a queue: what is submitted after gate_in starts once another thread opens it. */
typedef struct gate {
    sem_t entered, opened;
} gate;
void gate_init(gate *);
/* Puts the gate into the queue, as a host function. */
void gate_in(gate *, accel_queue *);
/* Waits until the queue stands at the gate. */
void gate_entered(gate *);
void gate_open(gate *);
void gate_destroy(gate *);

/* Polls without any call of the library: true if *flag becomes `value` within the time. */
bool becomes(_Atomic uint32_t *flag, uint32_t value, double seconds);
void sleep_ms(unsigned);
double seconds_now(void);
/* Do times mean anything: no sanitizer, no valgrind? */
bool timing_counts(void);

#endif
