/* SPDX-License-Identifier: Apache-2.0 */
/* Memories that operations are tried on, the program's images of them, and random shapes in them. */
#ifndef DIFFERENTIAL_MEMORY_H
#define DIFFERENTIAL_MEMORY_H

#include <accel/accel.h>
#include <stdlib.h>

/* Everything random comes from one number, so that a seed repeats a run. */
uint64_t draw(uint64_t below);
void draw_seed(uint64_t seed);

/* Ends the program with a line that names the operation. */
void fail(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));
extern uint64_t operation; /* that is being tried */
/* Ends the program unless the call succeeded. */
#define check(call) check_status(#call, (call))
void check_status(const char *call, accel_status status);

/* Memory of a device or of the host, seen whole. */
typedef struct memory {
    char name[80]; /* "cuda:0", "cuda:0 managed" */
    accel_device *device;
    accel_device *owner; /* whose queues copy to and from it: NULL for memory of the host */
    uint32_t flags;
    size_t size;
    accel_buffer *bytes;
    unsigned char *image; /* what it should hold */
    accel_event *last;    /* behind the latest operation on it; borrowed, NULL: there was none */
} memory;

memory memory_new(accel_device *device, uint32_t flags, size_t size, accel_queue *queue);
void memory_free(memory *);
/* Reads it whole and compares; ends the program if a byte differs. */
void memory_check(memory *, accel_queue *queue, unsigned char *scratch);

/* A box of elements in a memory: what the library is given, and where the elements lie in the image. */
typedef struct box {
    accel_buffer *view; /* a view of a view of a buffer with random pitches */
    size_t offset;      /* of the first element, in bytes */
    size_t pitch[ACCEL_MAX_DIMS];
} box;

/* At a random place, with random pitches and larger than the extent by chance. False: it does not fit. */
bool box_new(box *, const memory *, uint32_t dims, const size_t extent[], size_t element, bool exact);
/* The elements of a box, one after the other, at any pitch: calls `each` with the offsets of both. */
void box_walk(uint32_t dims, const size_t extent[], const size_t a_pitch[], const size_t b_pitch[],
              void (*each)(void *user, size_t a, size_t b), void *user);

#endif
