/* SPDX-License-Identifier: Apache-2.0 */
/* Compiled once per instruction set; the build defines NATIVE_LOOPS (the symbol) and NATIVE_TARGET (its name). */
#include "native.h"

#if defined(__AVX512F__)
#define VECTOR_BYTES 64
#elif defined(__AVX__)
#define VECTOR_BYTES 32
#else
#define VECTOR_BYTES 16
#endif
typedef double vector __attribute__((vector_size(VECTOR_BYTES)));
enum { LANES = VECTOR_BYTES / sizeof(double), CHAINS = 12 };

static void axpy(size_t n, double a, const double *x, double *y)
{
    for (size_t i = 0; i < n; ++i)
        y[i] += a * x[i];
}

/* Two units with a latency of four cycles need eight chains; twelve leave room and still fit into 16 registers. Each
 * chain is a variable of its own because arrays of vectors end up in memory. */
static double peak(size_t rounds)
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
    return 2.0 * CHAINS * LANES * (double)rounds;
}

extern const native_loops NATIVE_LOOPS;
const native_loops NATIVE_LOOPS = {NATIVE_TARGET, axpy, peak};
