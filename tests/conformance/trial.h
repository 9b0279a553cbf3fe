/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Trials: the kernels of tests/kernels, held to what plain C computes. A test names a kernel, the sizes and the work
 * divisions it is to hold for, and a function that makes one trial. It is called for every object of the library
 * `kernels` (or the one named by --kernels) that the device runs (x86-64, x86-64-v3, ...), for every size and every work
 * division that the device allows, by turns on a non-blocking and on a blocking queue.
 */
#ifndef TRIAL_H
#define TRIAL_H

#include "suite.h"

enum { TRIAL_BUFFERS = 8 };

typedef struct trial {
    accel_module *module;
    accel_kernel *kernel;
    accel_queue *queue;
    accel_work work;
    size_t n;          /* the size that the trial is about */
    const char *label; /* for failures: object, kernel, queue, size, work division */
    accel_buffer *buffers[TRIAL_BUFFERS];
    size_t buffer_count;
} trial;

typedef void (*trial_function)(trial *);
/* A work division: 1 to 6 dimensions, the last one x. */
typedef struct trial_shape {
    uint32_t dims;
    size_t blocks[ACCEL_MAX_DIMS], threads[ACCEL_MAX_DIMS], elems[ACCEL_MAX_DIMS];
} trial_shape;
typedef struct trial_sizes {
    size_t count;
    const size_t *sizes;
} trial_sizes;
typedef struct trial_shapes {
    size_t count;
    const trial_shape *shapes;
} trial_shapes;
#define TRIAL_SIZES(...)                                                                                               \
    (trial_sizes)                                                                                                      \
    {                                                                                                                  \
        sizeof((const size_t[]){__VA_ARGS__}) / sizeof(size_t), (const size_t[])                                       \
        {                                                                                                              \
            __VA_ARGS__                                                                                                \
        }                                                                                                              \
    }
/* 0, 1, odd ones, multiples of what vectors and shares hold, and one that is large. */
#define TRIAL_ANY_SIZE TRIAL_SIZES(0, 1, 2, 7, 16, 100, 1023, 20011)
/* One, two, three and more dimensions; and those of one dimension. */
extern const trial_shapes trial_any_shape, trial_line_shapes;

void try_kernel(const char *name, trial_sizes, trial_shapes, trial_function);

/* ------------------------------------------------------------------------------------- within a trial -- */

size_t trial_blocks(const trial *);        /* of the grid */
size_t trial_block_threads(const trial *); /* of one block */
size_t trial_threads(const trial *);       /* of the grid */

/* Memory of the device with a copy of `data` (NULL: zeros), given back when the trial ends. What lies behind its last
 * byte is guarded. */
void *trial_memory(trial *, const void *data, size_t bytes);
/* Launches the kernel over the trial's work. */
void trial_launch(trial *, const void *args, size_t args_size);
/* The contents of trial_memory, after all that was launched; asserts that nothing wrote behind its end. */
void trial_read(trial *, const void *memory, void *data, size_t bytes);
/* Zeros of both signs, NaNs, infinities and denormals of double and float: zeros are the least of what is 0, and the greatest
 * of what is 1; 2 has no zeros but what float makes of denormals, and 3 is NaNs and few infinities. */
enum { TRIAL_SPECIAL_KINDS = 4 };
double trial_special(unsigned kind, size_t i);
/* What is host memory of this trial's test: never NULL, not initialised, the caller frees. */
void *host_memory(size_t bytes);

#define trial_assert(t, condition, ...)                                                                                \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            trial_failed(__FILE__, __LINE__, t, __VA_ARGS__);                                                          \
    } while (0)
void trial_failed(const char *file, int line, const trial *, const char *format, ...)
    __attribute__((noreturn, format(printf, 4, 5)));
#define trial_words_equal(t, i, found, expected)                                                                       \
    trial_assert(t, (found) == (expected), "entry %zu is %llu, not %llu", (size_t)(i), (unsigned long long)(found),    \
                 (unsigned long long)(expected))
#define trial_doubles_equal(t, i, found, expected)                                                                     \
    trial_assert(t, (found) == (expected), "entry %zu is %.17g, not %.17g", (size_t)(i), (found), (expected))

/* --------------------------------------------------------------------------------- the kernels' tests -- */

void axpy_tests(Suite *);
void assertions_tests(Suite *);
void atomics_tests(Suite *);
void block_ranges_tests(Suite *);
void block_sorts_tests(Suite *);
void collective_tests(Suite *);
void coordinates_tests(Suite *);
void dgemm_tests(Suite *);
void distribution_tests(Suite *);
void early_return_tests(Suite *);
void fences_tests(Suite *);
void functions_tests(Suite *);
void globals_tests(Suite *);
void histogram_tests(Suite *);
void loops_tests(Suite *);
void mathematics_tests(Suite *);
void names_tests(Suite *);
void pack_integers_tests(Suite *);
void pack_mathematics_tests(Suite *);
void packs_tests(Suite *);
void philox_tests(Suite *);
void planes_tests(Suite *);
void prints_tests(Suite *);
void ranges_tests(Suite *);
void reduce_tests(Suite *);
void reducers_tests(Suite *);
void reductions_tests(Suite *);
void row_tests(Suite *);
void row_lanes_tests(Suite *);
void scan_tests(Suite *);
void scans_tests(Suite *);
void scans_by_key_tests(Suite *);
void scatters_tests(Suite *);
void scratches_tests(Suite *);
void segments_tests(Suite *);
void shared_dynamic_tests(Suite *);
void struct_atomic_tests(Suite *);
void sync_predicates_tests(Suite *);
void warp_tests(Suite *);

#endif
