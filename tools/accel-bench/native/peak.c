/* SPDX-License-Identifier: Apache-2.0 */
/* The peak of the multiply-and-add units of as many cores as OpenMP has threads; parameter 0: floating-point operations. */
#include <stdlib.h>

#include "way.h"

#if defined(__AVX512F__)
#define VECTOR_BYTES 64
#elif defined(__AVX__)
#define VECTOR_BYTES 32
#else
#define VECTOR_BYTES 16
#endif
typedef double vector __attribute__((vector_size(VECTOR_BYTES)));
enum { LANES = VECTOR_BYTES / sizeof(double), CHAINS = 12 };

/* Two units with a latency of four cycles need eight chains; twelve leave room and still fit into 16 registers. Each
 * chain is a variable of its own because arrays of vectors end up in memory. */
static void multiply_and_add(size_t rounds)
{
    vector factor = {0}, term = {0}, start[CHAINS];
    for (int lane = 0; lane < LANES; ++lane) {
        factor[lane] = 0.999;
        term[lane] = 1e-3;
    }
    for (int chain = 0; chain < CHAINS; ++chain)
        start[chain] = term;
    /* Unknown to the compiler, or it would see that the chains are alike and compute one. */
    __asm__ volatile("" : "+m"(factor), "+m"(term), "+m"(start));
    vector c0 = start[0], c1 = start[1], c2 = start[2], c3 = start[3], c4 = start[4], c5 = start[5];
    vector c6 = start[6], c7 = start[7], c8 = start[8], c9 = start[9], c10 = start[10], c11 = start[11];
    for (size_t round = 0; round < rounds; ++round) {
        c0 = c0 * factor + term;
        c1 = c1 * factor + term;
        c2 = c2 * factor + term;
        c3 = c3 * factor + term;
        c4 = c4 * factor + term;
        c5 = c5 * factor + term;
        c6 = c6 * factor + term;
        c7 = c7 * factor + term;
        c8 = c8 * factor + term;
        c9 = c9 * factor + term;
        c10 = c10 * factor + term;
        c11 = c11 * factor + term;
    }
    vector sum = c0 + c1 + c2 + c3 + c4 + c5 + c6 + c7 + c8 + c9 + c10 + c11;
    __asm__ volatile("" : "+m"(sum));
}

typedef struct peak_state {
    size_t rounds; /* of all threads together */
} peak_state;

static void *open_peak(const uint64_t parameters[NATIVE_PARAMETERS])
{
    peak_state *s = malloc(sizeof *s);
    if (s != NULL)
        s->rounds = parameters[0] / (2 * CHAINS * LANES);
    return s;
}

static void run_one(void *state, size_t repetitions)
{
    const peak_state *s = state;
    for (size_t r = 0; r < repetitions; ++r)
        multiply_and_add(s->rounds);
}

static void run_all(void *state, size_t repetitions)
{
    enum { PARTS = 64 };
    const peak_state *s = state;
    for (size_t r = 0; r < repetitions; ++r) {
#pragma omp parallel for schedule(static)
        for (int part = 0; part < PARTS; ++part)
            multiply_and_add(s->rounds / PARTS);
    }
}

const native_way native_peak_one = {.name = "peak-c", .open = open_peak, .run = run_one, .close = free};
const native_way native_peak_all = {.name = "peak-omp", .open = open_peak, .run = run_all, .close = free};
