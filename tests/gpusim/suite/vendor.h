/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The vendor's driver as the program itself calls it beside libaccel, in the same words for both backends. What does not
 * succeed fails the test. Handles are those that libaccel takes and gives.
 */
#ifndef GPUSIM_SUITE_VENDOR_H
#define GPUSIM_SUITE_VENDOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { VENDOR_DONE = 0, VENDOR_NOT_READY = 600 }; /* both number them so */

/* Before everything else. */
void vendor_open(void);
/* What is current on this thread: a context, or on hip the device's ordinal plus 1. NULL: nothing. */
void *vendor_current(void);
void vendor_use(void *native_device);

void *vendor_stream(unsigned flags);
void vendor_stream_end(void *stream);
/* The driver's answer, whatever it is. */
int vendor_stream_query(void *stream);
void vendor_stream_wait(void *stream);
int vendor_stream_priority(void *stream);
unsigned vendor_stream_flags(void *stream);
void vendor_call(void *stream, void (*function)(void *user), void *user);
void vendor_wait_event(void *stream, void *event);
int vendor_event_query(void *event);
void vendor_event_wait(void *event);

void *vendor_memory(size_t size);
void vendor_free(void *);
void vendor_fill(void *words, uint32_t value, size_t count, void *stream);
void vendor_read(void *dst, const void *src, size_t size, void *stream);

/* Of a module: the function of a kernel, and the bytes of a global. */
void *vendor_function(void *module, const char *symbol);
size_t vendor_global_size(void *module, const char *symbol);
/* One block of 64 threads, with the suite's words_args. */
void vendor_launch(void *function, uint32_t *words, size_t count, uint32_t value, void *stream);

#endif
